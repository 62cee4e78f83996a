// The search tree below one leader: which candidates may still lead to a cheap group.
//
// A group of s records with some members chosen needs r more. As SSE = Σ d²/s over pairs, its reduced cost is at
// least that of the chosen ones plus the r least keys of the candidates, where
//
//     key = (squared distances to the chosen ones + ½ · its r − 1 least to other candidates)/s − price.
//
// Each pair among the r is counted from both ends, half each, and never as more than it is.
#pragma once
#include "points.hpp"

namespace covey {

inline double sum_of(const double* values, int count) {
  double total = 0.0;
  for (int q = 0; q < count; q++) total += values[q];
  return total;
}

// The `count` least of the values noted so far, in order.
inline void clear_least(double* least, int count) { std::fill(least, least + count, INF); }
inline void note_least(double* least, int count, double value) {
  if (!(value < least[count - 1])) return;
  int place = count - 1;
  for (; place > 0 && least[place - 1] > value; place--) least[place] = least[place - 1];
  least[place] = value;
}

// A candidate of a level: its number, its squared distances to the chosen ones, and its key.
struct Candidate {
  double key, distances;
  i32 who;
};

class BranchAndBound {
 public:
  // Records in order of falling price; near[i, m] is the sum of the m least squared distances from record i.
  struct Priced {
    Points points;
    const double *prices, *near;
    int near_width;

    double near_sum(i64 i, int m) const { return near[i * near_width + m]; }
  };

  explicit BranchAndBound(const Priced& records) : records_(records) {}

  // Search for groups of `size` led by `leader`, whose squared distances to all records are given.
  void start(i64 leader, int size, const double* distances, std::vector<i32>& who, double limit) {
    size_ = size;
    who_.swap(who);
    const std::size_t n = who_.size();
    levels_.resize(std::max<std::size_t>(levels_.size(), size - 1));
    least_.resize(size);
    n_rows_ = 0;
    row_of_.assign(n, NOBODY);
    lay_out_columns();
    levels_[0].candidates.clear();
    for (std::size_t j = 0; j < n; j++) levels_[0].candidates.push_back({0.0, distances[who_[j]], i32(j)});
    levels_[0].cost = -records_.prices[leader];
    narrow(0, limit);
  }

  // No group with one of the candidates from the current place on costs less.
  double least_cost(int level) const {
    const Level& here = levels_[level];
    const std::size_t r = size_ - 1 - level;
    if (here.place + r > here.candidates.size()) return INF;
    double total = here.cost;
    for (std::size_t q = here.place; q < here.place + r; q++) total += here.candidates[q].key;
    return total;
  }

  // The record at the current place, which moves on.
  i32 take(int level) { return who_[levels_[level].candidates[levels_[level].place++].who]; }

  // Choose what was taken last; those behind it are the candidates of the next level.
  void descend(int level, double limit) {
    const Level& here = levels_[level];
    Level& below = levels_[level + 1];
    const Candidate& chosen = here.candidates[here.place - 1];
    below.cost = here.cost + (chosen.distances / size_ - price(chosen));
    const double* between = row(chosen.who);
    below.candidates.assign(here.candidates.begin() + i64(here.place), here.candidates.end());
    for (Candidate& other : below.candidates) other.distances += between[other.who];
    narrow(level + 1, limit);
  }

  // Keys from here on do not fit into `room` together with the r − 1 least; −∞ if none fits. `least` gets the r
  // least keys.
  template <class KeyOf>
  static double cut_off(std::size_t count, int r, double room, double* least, KeyOf&& key_of) {
    clear_least(least, r);
    for (std::size_t q = 0; q < count; q++) note_least(least, r, key_of(q));
    const double cut = room - sum_of(least, r - 1);
    return least[r - 1] < cut ? cut : -INF;
  }

 private:
  // Where more candidates are left, the distances among them are not looked at again.
  static constexpr std::size_t CLOSE_LOOK = 64;

  struct Level {
    std::vector<Candidate> candidates;
    std::size_t place = 0;
    double cost = 0.0;  // reduced cost of those chosen above
  };

  const Priced& records_;
  int size_ = 0;
  std::vector<i32> who_;
  std::vector<Level> levels_;
  std::vector<double> least_, columns_, rows_;
  std::vector<i32> row_of_;
  i32 n_rows_ = 0;

  double price(const Candidate& candidate) const { return records_.prices[who_[candidate.who]]; }

  void lay_out_columns() {
    const std::size_t n = who_.size(), d = std::size_t(records_.points.d);
    columns_.resize(n * d);
    for (std::size_t j = 0; j < n; j++)
      for (std::size_t v = 0; v < d; v++) columns_[v * n + j] = records_.points[who_[j]][v];
  }

  // Squared distances from one candidate to all: computed when first asked for, as most never are. Valid until
  // the next are asked for.
  const double* row(i32 from) {
    const std::size_t n = who_.size();
    if (row_of_[from] != NOBODY) return rows_.data() + row_of_[from] * n;
    row_of_[from] = n_rows_++;
    if (rows_.size() < n_rows_ * n) rows_.resize(2 * n_rows_ * n);
    double* squares = rows_.data() + row_of_[from] * n;
    std::fill(squares, squares + n, 0.0);
    for (int v = 0; v < records_.points.d; v++) {
      const double* column = columns_.data() + v * n;
      const double at = column[from];
      for (std::size_t j = 0; j < n; j++) squares[j] += (column[j] - at) * (column[j] - at);
    }
    return squares;
  }

  // Leave only candidates that may lead below `limit`, the best first.
  void narrow(int level, double limit) {
    Level& here = levels_[level];
    std::vector<Candidate>& candidates = here.candidates;
    const int r = size_ - 1 - level;
    for (Candidate& candidate : candidates) set_key(candidate, records_.near_sum(who_[candidate.who], r - 1));
    std::size_t before = candidates.size() + 1;
    drop(here, r, limit);
    // Fewer candidates are farther from each other, which may rule out more of them.
    while (r > 1 && std::size_t(r) <= candidates.size() && candidates.size() < std::min(before, CLOSE_LOOK + 1)) {
      before = candidates.size();
      for (Candidate& candidate : candidates) set_key(candidate, least_between(candidates, candidate, r - 1));
      drop(here, r, limit);
    }
    sort(candidates);
    here.place = 0;
  }

  // By key, equals in the order they have. Mostly there are few, and the general sort asks for memory.
  static void sort(std::vector<Candidate>& candidates) {
    if (candidates.size() > CLOSE_LOOK) {
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
      return;
    }
    for (std::size_t q = 1; q < candidates.size(); q++) {
      const Candidate moved = candidates[q];
      std::size_t place = q;
      for (; place > 0 && candidates[place - 1].key > moved.key; place--) candidates[place] = candidates[place - 1];
      candidates[place] = moved;
    }
  }

  void set_key(Candidate& candidate, double near) const {
    candidate.key = (candidate.distances + 0.5 * near) / size_ - price(candidate);
  }

  // Sum of the `count` least squared distances from one candidate to the others of its level.
  double least_between(const std::vector<Candidate>& candidates, const Candidate& from, int count) {
    const double* between = row(from.who);
    clear_least(least_.data(), count);
    for (const Candidate& other : candidates)
      if (&other != &from) note_least(least_.data(), count, between[other.who]);
    return sum_of(least_.data(), count);
  }

  // Leave the candidates that stay below `limit` together with the r − 1 best.
  void drop(Level& here, int r, double limit) {
    std::vector<Candidate>& candidates = here.candidates;
    const double cut = cut_off(candidates.size(), r, limit - here.cost, least_.data(),
                               [&](std::size_t q) { return candidates[q].key; });
    std::erase_if(candidates, [cut](const Candidate& candidate) { return !(candidate.key < cut); });
  }
};

}  // namespace covey
