// MDAV around the two unassigned records that are farthest apart, as first published.
#pragma once
#include "unassigned.hpp"

namespace covey {

class MdavByDiameter {
 public:
  MdavByDiameter(Unassigned& left, int k) : left_(left), k_(k), keys_(k), found_(k) {}

  void run() {
    rank_by_radius();
    while (left_.size() >= 2 * k_) {
      const auto [first, second] = farthest_pair();
      take_group(first);
      take_group(left_.is_alive(second) ? second : farthest_from(first));
      std::erase_if(order_, [&](i32 record) { return !left_.is_alive(record); });
    }
    if (left_.size() >= k_) left_.close_with_rest();
  }

 private:
  static constexpr double SLACK = 1.0 + 1e-9;

  struct Pair {
    i32 first, second;
  };

  void rank_by_radius() {
    const Points& points = left_.points();
    std::vector<double> middle;
    left_.center(middle);
    radii_.resize(points.n);
    order_.resize(points.n);
    for (i64 r = 0; r < points.n; r++) {
      radii_[r] = std::sqrt(left_.distance(i32(r), middle.data()));
      order_[r] = i32(r);
    }
    std::stable_sort(order_.begin(), order_.end(), [&](i32 a, i32 b) { return radii_[a] > radii_[b]; });
  }

  // |x − y| ≤ radius(x) + radius(y), so pairs of small radii cannot win. The slack covers rounding: a
  // pair that ties must still be compared.
  bool cannot_win(i32 x, i32 y, double best) const {
    const double reach = (radii_[x] + radii_[y]) * SLACK;
    return reach * reach < best;
  }
  Pair farthest_pair() const {
    double best = -1.0;
    Pair pair{NOBODY, NOBODY};
    for (std::size_t a = 1; a < order_.size(); a++) {
      const i32 x = order_[a];
      if (cannot_win(x, order_[0], best)) break;
      for (std::size_t b = 0; b < a; b++) {
        const i32 y = order_[b];
        if (cannot_win(x, y, best)) break;
        const double distance = left_.distance(x, left_.points()[y]);
        const Pair here{std::min(x, y), std::max(x, y)};
        const bool lower = here.first < pair.first || (here.first == pair.first && here.second < pair.second);
        if (distance > best || (distance == best && lower)) {
          best = distance;
          pair = here;
        }
      }
    }
    return pair;
  }

  void take_group(i32 seed) {
    left_.take(seed);
    left_.sync();
    Best best(found_.data(), keys_.data(), k_ - 1);
    left_.tree.collect<false>(left_.points()[seed], {nullptr, 0}, best, at_);
    best.close();
    for (int i = 0; i < k_ - 1; i++) left_.take(found_[i]);
    left_.close_group();
  }
  i32 farthest_from(i32 record) {
    left_.sync();
    Best best(found_.data(), keys_.data(), 1);
    left_.tree.collect<true>(left_.points()[record], {nullptr, 0}, best, at_);
    return found_[0];
  }

  Unassigned& left_;
  int k_;
  std::vector<double> radii_, keys_;
  std::vector<i32> order_, found_;
  std::vector<float> at_;
};

}  // namespace covey
