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

  // What pairs weigh, by pattern, and what agreement or not in each variable adds to that; the most telling
  // variable is the first, and the released rows are sorted by it. Row j of `columns` has the ranks in
  // variable j, row j of `by_rank` lists the released rows by rank in it, row j of `ranks` those ranks.
  struct Weighing {
    const double* weights;
    const double* agree;
    const double* disagree;
    const double* columns;
    const i64* by_rank;
    const double* ranks;
  };

  // For each record the chance that the released record of the highest weight is its own, row `own[i]`.
  void link(const i64* own, const i64* sizes, Weighing by, double* links) const {
    each(first_.n, [&](i64 i, int) { links[i] = chance_of(i, own[i], sizes, by); });
  }

 private:
  static constexpr double SAME = 1e-9;  // weights this close to each other are a tie
  static constexpr i64 BLOCK = 64;      // rows that are looked at together

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
    // The most that a row can weigh above the record's own; a missing value agrees with nobody.
    double room = 2.0 * SAME - own;
    for (int j = 0; j < d; j++) room += std::isnan(first_[i][j]) ? by.disagree[j] : by.agree[j];
    i64 tied = 0;
    for (int j = 0; j <= d && room >= 0.0; j++) {
      const i64 found = j < d ? tied_in_window(i, j, room, own, sizes, by) : tied_without(i, own, sizes, by);
      if (found < 0) return 0.0;
      tied += found;
      if (j < d) room -= lost(i, j, by);
    }
    return tied > 0 ? 1.0 / double(tied) : 0.0;
  }

  // What a row loses by not agreeing in a variable in which it could.
  double lost(i64 i, int j, const Weighing& by) const {
    return std::isnan(first_[i][j]) ? 0.0 : by.agree[j] - by.disagree[j];
  }

  // How many records tie among those that agree in variable j and in none before it; −1 if one wins.
  i64 tied_in_window(i64 i, int j, double room, double own, const i64* sizes, const Weighing& by) const {
    if (std::isnan(first_[i][j])) return 0;
    const double* ranks = by.ranks + j * second_.n;
    const double* end = std::partition_point(ranks, ranks + second_.n, [](double x) { return !std::isnan(x); });
    const i64 low = std::lower_bound(ranks, end, first_[i][j] - window_) - ranks;
    const i64 high = std::upper_bound(ranks + low, end, first_[i][j] + window_) - ranks;
    i64 tied = 0;
    const auto won_by = [&](i64 g) {
      const unsigned bits = pattern_within(i, g, j, room, by);
      if (bits != 0 && by.weights[bits] > own + SAME) return true;
      if (bits != 0 && by.weights[bits] >= own - SAME) tied += sizes[g];
      return false;
    };
    if (j > 0) {
      for (i64 place = low; place < high; place++)
        if (won_by(by.by_rank[j * second_.n + place])) return -1;
      return tied;
    }
    for (i64 begin = low; begin < high; begin += BLOCK) {
      i64 possible[BLOCK];
      const i64 count = std::min(BLOCK, high - begin);
      if (!keep_possible(i, begin, count, room, by, possible)) continue;
      for (i64 c = 0; c < count; c++)
        if (possible[c] && won_by(begin + c)) return -1;
    }
    return tied;
  }

  // Which rows of a block agree wherever a row that wins or ties must; whether there are any.
  bool keep_possible(i64 i, i64 begin, i64 count, double room, const Weighing& by, i64* possible) const {
    std::fill(possible, possible + count, 1);
    for (int l = 1; l < second_.d; l++) {
      if (lost(i, l, by) <= room) continue;
      const double *column = by.columns + l * second_.n + begin, x = first_[i][l];
      i64 any = 0;
      for (i64 c = 0; c < count; c++) any |= possible[c] &= i64(std::fabs(column[c] - x) <= window_);
      if (!any) return false;
    }
    return true;
  }

  // The same for the rows that agree in nothing.
  i64 tied_without(i64 i, double own, const i64* sizes, const Weighing& by) const {
    if (by.weights[0] > own + SAME) return -1;
    i64 tied = 0;
    for (i64 g = 0; g < second_.n; g++)
      if (pattern(i, g) == 0) tied += sizes[g];
    return tied;
  }

  // The pattern of a pair that agrees in variable j; 0 if it agrees before, or loses more than `room`.
  unsigned pattern_within(i64 i, i64 g, int j, double room, const Weighing& by) const {
    const double *a = first_[i], *b = second_[g];
    for (int l = 0; l < j; l++)
      if (std::fabs(a[l] - b[l]) <= window_) return 0;
    unsigned bits = 1u << j;
    for (int l = j + 1; l < second_.d; l++) {
      if (std::fabs(a[l] - b[l]) <= window_)
        bits |= 1u << l;
      else if ((room -= lost(i, l, by)) < 0.0)
        return 0;
    }
    return bits;
  }

  Points first_, second_;
  double window_;
  Pool& pool_;
  Meter meter_;
};

}  // namespace covey
