// Crossover: exchanges at random between the two sides of a split, whenever the SSE falls.
//
// With δ = y − x, v the difference of the two means and w = 1/|left| + 1/|right|, exchanging x and y gains
// 2δ·v + w|δ|². Once the sides are apart nearly every pair fails, and can be seen to by one number a record:
// its place along an older v. The sizes of δ and of what v has moved since bound the rest.
#pragma once
#include "passes.hpp"
#include "splitmix.hpp"

namespace covey {

// One for each thread: it keeps its room from split to split.
class Crossover {
 public:
  // `places`, one for each record, is written to where the sides of a split say.
  Crossover(Points points, double* places)
      : points_(points), places_(places), sum_left_(points.d), sum_right_(points.d), between_(points.d),
        old_between_(points.d), low_(points.d), high_(points.d) {}

  // Epochs of random pairs, `rate` of the smaller side, one from each side.
  void run(std::span<i32> left, std::span<i32> right, double rate, Limits limits, Splitmix& chance,
           const Meter& meter) {
    const i64 pairs = std::max<i64>(i64(rate * double(std::min(left.size(), right.size()))), 1);
    begin(left, right);
    for (Series series(limits, meter); series.goes_on();) {
      chance.draw(left, pairs);
      chance.draw(right, pairs);
      const bool improved = epoch(left, right, pairs);
      if (improved && drift() > FARTHEST_DRIFT * weight_ * diameter_) take_places();
      series.note_pass(improved);
    }
  }

 private:
  static constexpr double SLACK = 1e-9;  // covers rounding in places and bounds
  // Places are taken anew when v has moved by so many times w times the diameter (measured).
  static constexpr double FARTHEST_DRIFT = 8.0;

  void begin(std::span<const i32> left, std::span<const i32> right) {
    // In the order of memory, places are taken several times faster.
    records_.assign(left.begin(), left.end());
    records_.insert(records_.end(), right.begin(), right.end());
    std::sort(records_.begin(), records_.end());
    left_size_ = double(left.size());
    right_size_ = double(right.size());
    weight_ = 1.0 / left_size_ + 1.0 / right_size_;
    add_up(left, sum_left_);
    add_up(right, sum_right_);
    for (int j = 0; j < points_.d; j++) between_[j] = sum_left_[j] / left_size_ - sum_right_[j] / right_size_;
    measure_diameter();
    take_places();
  }

  void add_up(std::span<const i32> records, std::vector<double>& sums) const {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (i32 record : records)
      for (int j = 0; j < points_.d; j++) sums[j] += points_[record][j];
  }

  // No two of the records are farther apart.
  void measure_diameter() {
    std::fill(low_.begin(), low_.end(), INF);
    std::fill(high_.begin(), high_.end(), -INF);
    for (i32 record : records_)
      for (int j = 0; j < points_.d; j++) {
        low_[j] = std::min(low_[j], points_[record][j]);
        high_[j] = std::max(high_[j], points_[record][j]);
      }
    diameter_ = std::sqrt(squared_distance(high_.data(), low_.data(), points_.d));
  }

  // Place records along the difference of the means, from any one of them as the origin.
  void take_places() {
    const double* origin = points_[records_[0]];
    for (i32 record : records_) {
      const double* row = points_[record];
      double place = 0.0;
      for (int j = 0; j < points_.d; j++) place += (row[j] - origin[j]) * between_[j];
      places_[record] = place;
    }
    old_between_ = between_;
    renew_bound();
  }

  // Exchange the first `pairs` of the two sides where that gains.
  bool epoch(std::span<i32> left, std::span<i32> right, i64 pairs) {
    bool improved = false;
    for (i64 i = 0; i < pairs; i++) {
      const i32 x = left[i], y = right[i];
      if (places_[x] - places_[y] > apart_ || gain(x, y) <= LEAST_GAIN) continue;
      shift(x, y);
      std::swap(left[i], right[i]);
      improved = true;
    }
    return improved;
  }

  double gain(i32 x, i32 y) const {
    const double *p = points_[x], *q = points_[y];
    double dot = 0.0, square = 0.0;
    for (int j = 0; j < points_.d; j++) {
      const double delta = q[j] - p[j];
      dot += delta * between_[j];
      square += delta * delta;
    }
    return 2.0 * dot + square * weight_;
  }

  // Follow x to the right and y to the left.
  void shift(i32 x, i32 y) {
    for (int j = 0; j < points_.d; j++) {
      const double delta = points_[y][j] - points_[x][j];
      sum_left_[j] += delta;
      sum_right_[j] -= delta;
      between_[j] = sum_left_[j] / left_size_ - sum_right_[j] / right_size_;
    }
    renew_bound();
  }

  // 2δ·v + w|δ|² ≤ 2(places + |δ|·drift) + w|δ|² for a δ no longer than the diameter.
  void renew_bound() {
    double size = 0.0;
    for (int j = 0; j < points_.d; j++) size += old_between_[j] * old_between_[j];
    const double bound = diameter_ * drift() + weight_ * diameter_ * diameter_ / 2.0;
    apart_ = bound * (1.0 + SLACK) + SLACK * diameter_ * std::sqrt(size);
  }

  double drift() const { return std::sqrt(squared_distance(between_.data(), old_between_.data(), points_.d)); }

  Points points_;
  double* places_;
  std::vector<i32> records_;  // of both sides, in order
  std::vector<double> sum_left_, sum_right_;
  std::vector<double> between_, old_between_;  // v, and what it was when places were taken
  std::vector<double> low_, high_;
  double left_size_ = 0.0, right_size_ = 0.0, weight_ = 0.0, diameter_ = 0.0;
  double apart_ = 0.0;  // an exchange of two records fails for certain when their places are farther apart
};

}  // namespace covey
