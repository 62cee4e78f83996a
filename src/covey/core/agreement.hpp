// Agreement patterns of pairs of records, for probabilistic linkage.
//
// A pattern is a number whose bit j says that the pair agrees in variable j: the ranks of the two values
// differ by at most `window`. Missing ranks (NaN) agree with nothing.
#pragma once
#include "meter.hpp"
#include "pool.hpp"

namespace covey {

class Agreement {
 public:
  Agreement(Points first, Points second, double window, Pool& pool, Meter meter)
      : first_(first), second_(second), window_(window), pool_(pool), meter_(meter) {}

  // How often each pattern occurs among the pairs of `records` with all released rows, of which row g
  // counts `sizes[g]` times. Counts are whole, so their sums do not depend on their order.
  std::vector<double> count(const i64* records, i64 n_records, const i64* sizes) const {
    const std::size_t n_patterns = std::size_t(1) << second_.d;
    std::vector<std::vector<double>> counts(pool_.size(), std::vector<double>(n_patterns, 0.0));
    each(n_records, [&](i64 i, int thread) {
      for (i64 g = 0; g < second_.n; g++) counts[thread][pattern(records[i], g)] += double(sizes[g]);
    });
    for (int thread = 1; thread < pool_.size(); thread++)
      for (std::size_t p = 0; p < n_patterns; p++) counts[0][p] += counts[thread][p];
    return std::move(counts[0]);
  }

  // What pairs weigh, and who to look at first: `most[j]` is the most a pair can weigh that disagrees in
  // the first j variables; row j of `by_rank` lists the released rows by rank in variable j, row j of
  // `ranks` those ranks.
  struct Weighing {
    const double* weights;
    const double* most;
    const i64* by_rank;
    const double* ranks;
  };

  // For each record the chance that the released record of the highest weight is its own, row `own[i]`.
  void link(const i64* own, const i64* sizes, Weighing by, double* links) const {
    each(first_.n, [&](i64 i, int) { links[i] = chance_of(i, own[i], sizes, by); });
  }

 private:
  static constexpr double SAME = 1e-9;  // weights this close to each other are a tie

  template <class Turn>
  void each(i64 n, Turn&& turn) const {
    const i64 grain = 64;
    pool_.each((n + grain - 1) / grain, 1, [&](i64 part, int thread) {
      meter_.stop_if_told();
      for (i64 i = part * grain; i < std::min(n, (part + 1) * grain); i++) turn(i, thread);
    });
  }

  unsigned pattern(i64 i, i64 g) const {
    const double *a = first_[i], *b = second_[g];
    unsigned bits = 0;
    for (int j = 0; j < second_.d; j++) bits |= unsigned(std::fabs(a[j] - b[j]) <= window_) << j;
    return bits;
  }

  // Candidates are the rows in the window of one variable after the other, until no row that is left
  // could win or tie. Each row counts in the window of the first variable it agrees in; after the last
  // variable come the rows that agree in nothing.
  double chance_of(i64 i, i64 own_row, const i64* sizes, const Weighing& by) const {
    const int d = second_.d;
    const double own = by.weights[pattern(i, own_row)];
    i64 tied = 0;
    for (int j = 0; j <= d && by.most[j] >= own - SAME; j++) {
      const int row = std::min(j, d - 1);
      const double* ranks = by.ranks + i64(row) * second_.n;
      i64 low = 0, high = second_.n;
      if (j < d) {
        low = std::lower_bound(ranks, ranks + second_.n, first_[i][row] - window_) - ranks;
        high = std::upper_bound(ranks, ranks + second_.n, first_[i][row] + window_) - ranks;
      }
      const unsigned wanted = j < d ? 1u << j : 0u, seen = unsigned((u64(2) << j) - 1);
      for (i64 place = low; place < high; place++) {
        const i64 g = by.by_rank[i64(row) * second_.n + place];
        const unsigned bits = pattern(i, g);
        if ((bits & seen) != wanted) continue;
        if (by.weights[bits] > own + SAME) return 0.0;
        if (by.weights[bits] >= own - SAME) tied += sizes[g];
      }
    }
    return tied > 0 ? 1.0 / double(tied) : 0.0;
  }

  Points first_, second_;
  double window_;
  Pool& pool_;
  Meter meter_;
};

}  // namespace covey
