// One round of EM for matches and others among agreement patterns, for probabilistic linkage.
//
// A pattern is taken apart into a low and a high half; its chance is the product of the chances of both,
// which stand in small tables.
#pragma once
#include "pool.hpp"
#include "points.hpp"

namespace covey {

struct HalfTables {
  const double *low, *high;

  double operator()(i64 at_low, i64 at_high) const { return low[at_low] * high[at_high]; }
};

class Mixture {
 public:
  // The halves and the shares of the patterns that occur, and the sizes of the two tables.
  Mixture(const i64* low, const i64* high, const double* shares, i64 n, i64 n_low, i64 n_high, Pool& pool)
      : low_(low), high_(high), shares_(shares), n_(n), n_low_(n_low), n_high_(n_high), pool_(pool) {}

  // The log-likelihood, then the share of matches by low half, then by high half. Patterns are summed in
  // stretches of fixed length, and these in their order: the number of threads does not matter.
  std::vector<double> round(HalfTables matches, HalfTables others) const {
    const i64 width = 1 + n_low_ + n_high_, n_parts = (n_ + STRETCH - 1) / STRETCH;
    std::vector<double> parts(n_parts * width, 0.0), sums(width, 0.0);
    pool_.each(n_parts, 1, [&](i64 part, int) {
      double *likelihood = parts.data() + part * width, *by_low = likelihood + 1, *by_high = by_low + n_low_;
      for (i64 i = part * STRETCH; i < std::min(n_, (part + 1) * STRETCH); i++) {
        const double match = matches(low_[i], high_[i]), either = match + others(low_[i], high_[i]);
        const double belonging = shares_[i] * match / either;
        *likelihood += shares_[i] * std::log(either);
        by_low[low_[i]] += belonging;
        by_high[high_[i]] += belonging;
      }
    });
    for (i64 part = 0; part < n_parts; part++)
      for (i64 j = 0; j < width; j++) sums[j] += parts[part * width + j];
    return sums;
  }

 private:
  static constexpr i64 STRETCH = 8192;

  const i64 *low_, *high_;
  const double* shares_;
  i64 n_, n_low_, n_high_;
  Pool& pool_;
};

}  // namespace covey
