// The optimal partition of sorted numbers into groups of at least k.
//
// Shortest path over cut points (Hansen and Mukherjee): best[i] is the least SSE of the first i values,
// best[i] = min over j of best[j] + sse(j, i), where an optimal group has k to 2k − 1 values. Both
// routes give the same minimum. Neither takes differences of global prefix sums, so a large common
// offset costs no precision.
#pragma once
#include "points.hpp"

namespace covey {

class UnivariatePath {
 public:
  UnivariatePath(const double* values, i64 n, i64 k)
      : values_(values), n_(n), k_(k), best_(n + 1, INF), previous_(n + 1, -1) {
    best_[0] = 0.0;
  }

  // Label of each value.
  std::vector<i64> labels() {
    if (k_ < MONOTONE_FROM)
      try_all_sizes();
    else
      divide_and_conquer();
    return read_labels();
  }

 private:
  // Below this k the plain programme is faster than the one with monotone minima (measured).
  static constexpr i64 MONOTONE_FROM = 10;

  struct Moments {
    double mean, squares;
  };
  struct Stretch {
    i64 low, high, first, last;
  };

  // O(n·k).
  void try_all_sizes() {
    for (i64 end = k_; end <= n_; end++) {
      double total = 0.0, squares = 0.0;
      for (i64 start = end - 1; start > std::max<i64>(end - 2 * k_, -1); start--) {
        const double offset = values_[end - 1] - values_[start];
        total += offset;
        squares += offset * offset;
        const double size = double(end - start);
        if (end - start < k_) continue;
        const double cost = best_[start] + std::max(squares - total * total / size, 0.0);
        if (cost < best_[end]) {
          best_[end] = cost;
          previous_[end] = start;
        }
      }
    }
  }

  // The best start never moves left as the end moves right. Ends are taken k at a time, from a cut on:
  // all starts they can have lie before the cut, so their minima are known, and every group is a part
  // before the cut joined with one after it. O(n·log k).
  void divide_and_conquer() {
    std::vector<Moments> before(2 * k_), after(k_);
    std::vector<Stretch> waiting;
    for (i64 cut = k_; cut <= n_; cut += k_) {
      const i64 stop = std::min(cut + k_, n_ + 1);
      accumulate(cut, -1, std::min(2 * k_ - 1, cut), before);
      accumulate(cut, 1, stop - 1 - cut, after);
      waiting.assign(1, {cut, stop, 0, n_});
      while (!waiting.empty()) {
        const Stretch at = waiting.back();
        waiting.pop_back();
        if (at.low >= at.high) continue;
        const i64 end = (at.low + at.high) / 2;
        const i64 chosen = best_start(before, after, cut, end, at.first, at.last);
        previous_[end] = chosen;
        // Where no start reaches an end (k < end < 2k has only start 0) the bounds stay.
        waiting.push_back({at.low, end, at.first, chosen >= 0 ? chosen : at.last});
        waiting.push_back({end + 1, at.high, std::max(at.first, chosen), at.last});
      }
    }
  }

  // Mean and SSE of 1, 2, …, `most` values next to the cut, before (−1) or after it (1). Means are
  // offsets from the value before the cut, so that none of them is large.
  void accumulate(i64 cut, int step, i64 most, std::vector<Moments>& moments) const {
    double mean = 0.0, squares = 0.0;
    i64 place = step < 0 ? cut - 1 : cut;
    moments[0] = {0.0, 0.0};
    for (i64 size = 1; size <= most; size++, place += step) {
      const double offset = values_[place] - values_[cut - 1], change = offset - mean;
      mean += change / double(size);
      squares += change * (offset - mean);
      moments[size] = {mean, squares};
    }
  }

  // Start, between `first` and `last`, of the best last group of the first `end` values.
  i64 best_start(const std::vector<Moments>& before, const std::vector<Moments>& after, i64 cut, i64 end, i64 first,
                 i64 last) {
    i64 chosen = -1;
    const i64 right = end - cut;
    for (i64 start = std::max({first, end - 2 * k_ + 1, i64(0)}); start <= std::min(last, end - k_); start++) {
      const i64 left = cut - start;
      const double gap = before[left].mean - after[right].mean;
      const double cost = best_[start] + before[left].squares + after[right].squares +
                          gap * gap * (double(left * right) / double(left + right));
      if (cost < best_[end]) {
        best_[end] = cost;
        chosen = start;
      }
    }
    return chosen;
  }

  std::vector<i64> read_labels() const {
    std::vector<i64> labels(n_);
    i64 n_groups = 0;
    for (i64 end = n_; end > 0; end = previous_[end]) n_groups++;
    i64 group = n_groups;
    for (i64 end = n_; end > 0; end = previous_[end])
      std::fill(labels.begin() + previous_[end], labels.begin() + end, --group);
    return labels;
  }

  const double* values_;
  i64 n_, k_;
  std::vector<double> best_;
  std::vector<i64> previous_;
};

}  // namespace covey
