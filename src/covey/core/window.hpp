// A window: some groups that lie together, whose records change places, or move alone, while that lowers the SSE.
//
// With T(x, g), the sum of the squared distances of record x from the members of group g, every trial costs a few
// operations whatever the number of variables. An exchange of x in a and y in b changes the SSE by
// (T(y, a) − T(x, a) − |x − y|²) / |a| + (T(x, b) − T(y, b) − |x − y|²) / |b|.
#pragma once
#include "floats8.hpp"
#include "group_lists.hpp"
#include "quickselect.hpp"

namespace covey {

class Window {
 public:
  // Records that may move, at most: the table of distances has a row and a column for each. Where groups are so
  // large that there are more, those nearest to another group may.
  static constexpr i64 MOST_FREE = 1024;

  // Improve some groups; returns whether that succeeded. Trials are in single precision, the result is judged in
  // double: groups that did not gain stay as they are.
  bool improve(GroupLists& lists, std::span<const i32> groups, int passes) {
    const double before = load(lists, groups);
    if (scale_ == 0.0 || !descend(lists, passes)) return false;
    for (std::size_t i = 0; i < free_.size(); i++) home_[free_[i].item] = home_of_free_[i];
    regroup(lists, groups, home_);
    double after = 0.0;
    for (i32 g : groups) after += lists.sse(g);
    if (after < before * (1.0 - ROUNDING)) return true;
    regroup(lists, groups, first_home_);
    return false;
  }

 private:
  static constexpr double ROUNDING = 1e-12;
  // Of the mean SSE of a group: what single precision can tell from nothing.
  static constexpr float ROUNDING_OF_TRIAL = 1e-6f;
  static constexpr i64 LANES = 8;

  // Take over the groups; returns their SSE.
  double load(const GroupLists& lists, std::span<const i32> groups) {
    const Points& points = lists.points;
    n_groups_ = i64(groups.size());
    records_.clear();
    home_.clear();
    size_.clear();
    sse_.clear();
    origin_ = lists.centre(groups[0]);
    double total = 0.0, farthest = 0.0;
    for (i64 g = 0; g < n_groups_; g++) {
      for (i32 x : lists[groups[g]]) {
        records_.push_back(x);
        home_.push_back(i32(g));
        for (int j = 0; j < points.d; j++) farthest = std::max(farthest, std::fabs(points[x][j] - origin_[j]));
      }
      size_.push_back(i32(lists[groups[g]].size()));
      total += lists.sse(groups[g]);
    }
    first_home_ = home_;
    scale_ = total > 0.0 ? 1.0 / farthest : 0.0;
    if (scale_ == 0.0 || !std::isfinite(scale_)) return scale_ = 0.0;  // all records are equal
    for (i32 g : groups) sse_.push_back(float(lists.sse(g) * scale_ * scale_));
    choose_free(lists, groups);
    fill_columns(points);
    fill_tables(lists, groups);
    return total;
  }

  void choose_free(const GroupLists& lists, std::span<const i32> groups) {
    free_.resize(records_.size());
    for (i32 i = 0; i < i32(free_.size()); i++) free_[i] = {0.0, i};
    if (i64(free_.size()) > MOST_FREE) {
      for (Keyed& record : free_) record.key = eagerness(lists, groups, record.item);
      bring_smallest(free_.data(), i64(free_.size()), MOST_FREE);
      free_.resize(MOST_FREE);
    }
    n_free_ = i64(free_.size());
    width_ = (n_free_ + LANES - 1) / LANES * LANES;
  }
  // How much nearer its own centre is than the nearest other: less for those that may want to leave.
  double eagerness(const GroupLists& lists, std::span<const i32> groups, i32 i) const {
    const double* x = lists.points[records_[i]];
    double own = 0.0, other = INF;
    for (i64 g = 0; g < n_groups_; g++) {
      const double distance = squared_distance(x, lists.centre(groups[g]), lists.points.d);
      if (g == home_[i])
        own = distance;
      else
        other = std::min(other, distance);
    }
    return other - own;
  }

  // A row for each variable, in units of the window.
  void fill_columns(const Points& points) {
    columns_.assign_zeros(points.d * width_);
    for (i64 i = 0; i < n_free_; i++) {
      const double* x = points[records_[free_[i].item]];
      for (int j = 0; j < points.d; j++) columns_.get()[j * width_ + i] = float((x[j] - origin_[j]) * scale_);
    }
  }

  void fill_tables(const GroupLists& lists, std::span<const i32> groups) {
    const int d = lists.points.d;
    place_.resize(d);
    distances_.assign_zeros(n_free_ * width_);
    for (i64 i = 0; i < n_free_; i++) {
      for (int j = 0; j < d; j++) place_[j] = columns_.get()[j * width_ + i];
      add_squares(place_.data(), d, distances_.get() + i * width_);
    }
    sums_.assign_zeros(n_groups_ * width_);
    for (i64 g = 0; g < n_groups_; g++) {
      for (int j = 0; j < d; j++) place_[j] = float((lists.centre(groups[g])[j] - origin_[j]) * scale_);
      float* sums = sums_.get() + g * width_;
      add_squares(place_.data(), d, sums);
      for (i64 i = 0; i < width_; i++) sums[i] = float(size_[g]) * sums[i] + sse_[g];
    }
    own_.assign_zeros(width_);
    share_.assign_zeros(width_);
    toward_.assign(n_groups_ + 1, std::numeric_limits<float>::infinity());
    home_of_free_.assign(width_, i32(n_groups_));  // the lanes behind the last record are nowhere
    for (i64 i = 0; i < n_free_; i++) home_of_free_[i] = home_[free_[i].item];
    for (i64 i = 0; i < n_free_; i++) note_home(i);
    for (i64 i = n_free_; i < width_; i++) share_.get()[i] = 1.0f;
  }
  // Add the squared distances of all free records from a place.
  void add_squares(const float* place, int d, float* squares) const {
    for (int j = 0; j < d; j++) {
      const float *column = columns_.get() + j * width_, at = place[j];
      for (i64 i = 0; i < width_; i++) {
        const float difference = column[i] - at;
        squares[i] += difference * difference;
      }
    }
  }

  float sum(i64 i, i64 g) const { return sums_.get()[g * width_ + i]; }
  float distance(i64 i, i64 j) const { return distances_.get()[i * width_ + j]; }
  void note_home(i64 i) {
    own_.get()[i] = sum(i, home_of_free_[i]);
    share_.get()[i] = 1.0f / float(size_[home_of_free_[i]]);
  }

  // Let each record make its best move in turn, until none gains or all had `passes` turns.
  bool descend(const GroupLists& lists, int passes) {
    float total = 0.0f;
    for (float sse : sse_) total += sse;
    least_gain_ = ROUNDING_OF_TRIAL * total / float(n_groups_);
    bool moved = false;
    i64 idle = 0;
    for (int pass = 0; pass < passes; pass++)
      for (i64 i = 0; i < n_free_; i++) {
        if (make_best_move(i, lists.k, lists.most)) {
          moved = true;
          idle = 0;
        } else if (++idle == n_free_) {
          return moved;
        }
      }
    return moved;
  }

  bool make_best_move(i64 i, i64 k, i64 most) {
    const i32 a = home_of_free_[i];
    for (i64 g = 0; g < n_groups_; g++) toward_[g] = sum(i, g);
    toward_[a] = std::numeric_limits<float>::infinity();
    auto [least, partner] = best_exchange(i, a);
    i32 target = NOBODY;
    if (size_[a] > k) {
      const float gain = (sum(i, a) - sse_[a]) / float(size_[a] - 1);
      for (i32 b = 0; b < n_groups_; b++) {
        if (b == a || size_[b] >= most) continue;
        const float cost = (sum(i, b) - sse_[b]) / float(size_[b] + 1) - gain;
        if (cost < least) least = cost, target = b;
      }
    }
    if (target != NOBODY)
      relocate(i, target);
    else if (partner != NOBODY)
      exchange(i, partner);
    return target != NOBODY || partner != NOBODY;
  }

  struct Partner {
    float cost;
    i32 record;
  };
  // With whom record i of group a changes places best, the first of equals; nobody if that gains too little.
  Partner best_exchange(i64 i, i32 a) const {
    typedef i32 ints8 __attribute__((vector_size(32)));
    const float *to_a = sums_.get() + a * width_, *apart = distances_.get() + i * width_;
    const floats8 from_a = all_of(sum(i, a)), share_a = all_of(1.0f / float(size_[a]));
    floats8 least = all_of(-least_gain_);
    ints8 at = ints8{} - 1;
    for (i64 j = 0; j < width_; j += LANES) {
      floats8 to_b;
      for (int c = 0; c < LANES; c++) to_b[c] = toward_[home_of_free_[j + c]];
      const floats8 distance = lanes(apart + j);
      const floats8 cost = (lanes(to_a + j) - from_a - distance) * share_a +
                           (to_b - lanes(own_.get() + j) - distance) * lanes(share_.get() + j);
      const auto less = cost < least;
      least = less ? cost : least;
      at = less ? ints8{} + i32(j) : at;
    }
    Partner best{-least_gain_, NOBODY};
    for (int c = 0; c < LANES; c++) {
      const i32 record = at[c] + c;
      if (at[c] >= 0 && (least[c] < best.cost || (least[c] == best.cost && record < best.record)))
        best = {least[c], record};
    }
    return best;
  }
  static floats8 lanes(const float* from) { return *reinterpret_cast<const floats8*>(from); }

  void relocate(i64 i, i32 b) {
    const i32 a = home_of_free_[i];
    sse_[a] -= (sum(i, a) - sse_[a]) / float(size_[a] - 1);
    sse_[b] += (sum(i, b) - sse_[b]) / float(size_[b] + 1);
    size_[a]--;
    size_[b]++;
    home_of_free_[i] = b;
    const float* apart = distances_.get() + i * width_;
    float *to_a = sums_.get() + a * width_, *to_b = sums_.get() + b * width_;
    for (i64 x = 0; x < width_; x++) {
      to_a[x] -= apart[x];
      to_b[x] += apart[x];
    }
    note_members(a, b);
  }

  void exchange(i64 i, i64 j) {
    const i32 a = home_of_free_[i], b = home_of_free_[j];
    sse_[a] += (sum(j, a) - sum(i, a) - distance(i, j)) / float(size_[a]);
    sse_[b] += (sum(i, b) - sum(j, b) - distance(i, j)) / float(size_[b]);
    std::swap(home_of_free_[i], home_of_free_[j]);
    const float *from_i = distances_.get() + i * width_, *from_j = distances_.get() + j * width_;
    float *to_a = sums_.get() + a * width_, *to_b = sums_.get() + b * width_;
    for (i64 x = 0; x < width_; x++) {
      const float change = from_j[x] - from_i[x];
      to_a[x] += change;
      to_b[x] -= change;
    }
    note_members(a, b);
  }
  void note_members(i32 a, i32 b) {
    for (i64 i = 0; i < n_free_; i++)
      if (home_of_free_[i] == a || home_of_free_[i] == b) note_home(i);
  }

  void regroup(GroupLists& lists, std::span<const i32> groups, const std::vector<i32>& home) const {
    for (i32 g : groups) lists.clear(g);
    for (std::size_t i = 0; i < records_.size(); i++) lists.add(groups[home[i]], records_[i]);
    for (i32 g : groups) lists.set_centre(g);
  }

  i64 n_groups_, n_free_, width_;
  const double* origin_;
  double scale_;
  float least_gain_;
  std::vector<i32> records_, home_, first_home_;  // all records, their groups now and before
  std::vector<Keyed> free_;                       // of these, the ones that may move
  std::vector<i32> home_of_free_, size_;
  std::vector<float> sse_, place_, toward_;
  Aligned<float> columns_, distances_, sums_;  // coordinates; |x − y|²; T(x, g), a row for each group
  Aligned<float> own_, share_;                 // of each free record: T with its own group, 1 / its size
};

}  // namespace covey
