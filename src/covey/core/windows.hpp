// Groups improved in small windows of the space, which lie elsewhere in every sweep.
#pragma once
#include "median_split.hpp"
#include "splitmix.hpp"
#include "window.hpp"

namespace covey {

struct WindowRules {
  i64 groups;  // in a window, at most about
  i64 sweeps;
  int passes;
  u64 seed;
};

class Windows {
 public:
  Windows(GroupLists& lists, WindowRules rules, Pool& pool, Meter meter)
      : lists_(lists), rules_(rules), pool_(pool), meter_(meter), windows_(pool.size()) {}

  // In each sweep the centres of the groups are turned by a random rotation and halved at medians.
  void run() {
    for (i64 sweep = 0; sweep < rules_.sweeps && lists_.count() > 1; sweep++) {
      meter_.stop_if_told();
      Splitmix chance(rules_.seed, u64(sweep));
      const std::vector<double> turned = turned_centres(chance);
      const Points places{turned.data(), lists_.count(), n_directions()};
      const Halves cut = median_split(places, rules_.groups, pool_, meter_, FIRST_CUT + FIRST_CUTS * chance.unit());
      const bool moved = improve(cut);
      meter_.count_done(i64(double(lists_.points.n) * double(sweep + 1) / double(rules_.sweeps)));
      if (!moved && cut.starts.size() == 2) return;  // one window of all groups: the next would be the same
    }
  }

 private:
  // More directions than there are cuts from the whole to a window would not be used.
  static constexpr int MOST_DIRECTIONS = 24;
  // Where the first cut falls: a share of the groups between these, so that the seams of all cuts below it move
  // even where a rotation changes little, as with one variable.
  static constexpr double FIRST_CUT = 0.4, FIRST_CUTS = 0.2;

  int n_directions() const { return std::min(lists_.points.d, MOST_DIRECTIONS); }

  bool improve(const Halves& cut) {
    std::vector<std::uint8_t> moved(pool_.size(), 0);
    pool_.each(i64(cut.starts.size()) - 1, 4, [&](i64 window, int thread) {
      meter_.stop_if_told();
      const i64 start = cut.starts[window], count = cut.starts[window + 1] - start;
      if (count < 2) return;
      const std::span<const i32> groups(cut.order.data() + start, std::size_t(count));
      moved[thread] |= windows_[thread].improve(lists_, groups, rules_.passes);
    });
    return std::find(moved.begin(), moved.end(), 1) != moved.end();
  }

  std::vector<double> turned_centres(Splitmix& chance) const {
    const int d = lists_.points.d, width = n_directions();
    const std::vector<double> axes = random_axes(d, width, chance);
    std::vector<double> turned(lists_.count() * width, 0.0);
    pool_.each(lists_.count(), 256, [&](i64 g, int) {
      for (int r = 0; r < width; r++)
        for (int j = 0; j < d; j++) turned[g * width + r] += lists_.centre(g)[j] * axes[i64(r) * d + j];
    });
    return turned;
  }

  // The first rows of a random rotation: random directions, each made perpendicular to those before it.
  static std::vector<double> random_axes(int d, int count, Splitmix& chance) {
    std::vector<double> axes(i64(count) * d);
    for (int r = 0; r < count; r++) {
      double* axis = &axes[i64(r) * d];
      for (int j = 0; j < d; j++) axis[j] = nearly_normal(chance);
      for (int before = 0; before < r; before++) {
        const double *other = &axes[i64(before) * d], shadow = product(axis, other, d);
        for (int j = 0; j < d; j++) axis[j] -= shadow * other[j];
      }
      const double length = std::sqrt(product(axis, axis, d));
      for (int j = 0; j < d; j++) axis[j] = length > 0.0 ? axis[j] / length : 0.0;
    }
    return axes;
  }
  // Twelve uniform numbers add up to nearly a normal one, with the same digits on every machine.
  static double nearly_normal(Splitmix& chance) {
    double total = -6.0;
    for (int i = 0; i < 12; i++) total += chance.unit();
    return total;
  }
  static double product(const double* a, const double* b, int d) {
    double total = 0.0;
    for (int j = 0; j < d; j++) total += a[j] * b[j];
    return total;
  }

  GroupLists& lists_;
  const WindowRules rules_;
  Pool& pool_;
  const Meter meter_;
  std::vector<Window> windows_;  // one a thread
};

}  // namespace covey
