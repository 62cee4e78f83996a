// Who is nearest to a point, farthest from it or within a radius, among the records without a group.
//
// Floats only sort out who cannot be meant, with room for rounding; everybody else is compared in
// doubles. A plain scan is the search of a tree without nodes: the same code, the same answers.
#pragma once
#include "best.hpp"
#include "box_tree.hpp"

namespace covey {

// What is passed over in a search.
struct Except {
  const i32* ids;
  int count;

  bool has(i32 record) const { return std::find(ids, ids + count, record) != ids + count; }
};

class LiveTree : public BoxTree {
 public:
  // Coordinates of points that are asked about may be up to `reach`, if that is more than those of the
  // records themselves.
  LiveTree(Points points, Pool& pool, double reach = 0.0)
      : BoxTree(points, pool, reach), rounding_(std::sqrt(double(points.d)) * EPSILON),
        ratio_((points.d + 8) * EPSILON) {}

  // Keep the records nearest to (or farthest from) a point. `at` is room for the point as floats.
  template <bool Far>
  void collect(const double* point, Except but, Best& best, std::vector<float>& at) const {
    to_floats(point, at);
    float limit = float_limit<Far>(best.worst());
    if (!is_tree()) {
      search_leaf<Far>(0, point, at.data(), but, best, limit);
      return;
    }
    float norm = 0.0f;
    for (int j = 0; Far && j < points_.d; j++) norm += at[j] * at[j];
    descend(
        [&](float bound) { return bound <= limit; },
        [&](i64 group) {
          return Far ? farthest_bounds(group, at.data(), norm) : nearest_bounds(group, at.data());
        },
        limit,
        [&](i64 leaf) {
          limit = search_leaf<Far>(leaf, point, at.data(), but, best, limit);
          return false;
        });
  }

  // Visit the records within a squared radius, with their squared distances, until one says stop.
  template <class Visit>
  void visit_within(const double* point, double radius, std::vector<float>& at, Visit&& visit) const {
    to_floats(point, at);
    const float limit = float_limit<false>(radius);
    const auto look = [&](i64 leaf) {
      bool enough = false;
      filter<false>(leaf, at.data(), limit, [&](i64 place) {
        const double distance = squared_distance(row(place), point, points_.d);
        for (i32 twin = ids_[place]; distance <= radius && twin != NOBODY && !enough; twin = twins_.next(twin))
          enough = visit(twin, distance);
        return enough;
      });
      return enough;
    };
    if (!is_tree())
      look(0);
    else
      descend([&](float bound) { return bound <= limit; },
              [&](i64 group) { return nearest_bounds(group, at.data()); }, limit, look);
  }

  // A record whose squared distance to `record`, times `factor`, does not exceed `inside`.
  i32 any_near(i32 record, double inside, double factor, Except but, std::vector<float>& at) const {
    const double* point = points_[record];
    to_floats(point, at);
    const float limit = float_limit<false>(inside / factor);
    i32 found = NOBODY;
    const auto look = [&](i64 leaf) {
      found = any_in_leaf(leaf, record, inside, factor, but, at.data(), limit);
      return found != NOBODY;
    };
    if (!is_tree())
      look(0);
    else
      descend([&](float bound) { return bound <= limit; },
              [&](i64 group) { return nearest_bounds(group, at.data()); }, limit, look);
    return found;
  }

 private:
  static constexpr double EPSILON = 2.4e-7;  // four roundings of a float
  static constexpr i32 ROOT = -1;
  static constexpr unsigned FETCHED_AHEAD = 4;  // a power of two

  struct Waiting {
    float bound;
    i32 node;
  };

  double rounding_, ratio_;

  void to_floats(const double* point, std::vector<float>& at) const {
    at.resize(points_.d);
    for (int j = 0; j < points_.d; j++) at[j] = as_float(point[j]);
  }

  // Go down to the leaves that may matter, the most promising first, until one says that it is enough. Once
  // there is a limit, a leaf is looked at some leaves later, when it has been brought from memory.
  template <class Matters, class Bounds, class Look>
  void descend(Matters matters, Bounds bounds_of, const float& limit, Look look) const {
    Waiting stack[24 * SIBLINGS];  // a tree of 2³¹ leaves has eleven levels
    Waiting fetched[FETCHED_AHEAD];
    unsigned came = 0, seen = 0;
    int waiting = 0;
    stack[waiting++] = {-FAR_AWAY, ROOT};
    while (waiting > 0 || came > seen) {
      if (waiting == 0 || came - seen == FETCHED_AHEAD) {
        const Waiting leaf = fetched[seen++ % FETCHED_AHEAD];
        if (matters(leaf.bound) && look(leaf.node - first_leaf_)) return;
        continue;
      }
      const Waiting top = stack[--waiting];
      if (!matters(top.bound)) continue;
      if (top.node >= first_leaf_ && top.node != ROOT) {
        if (limit == FAR_AWAY) {
          if (look(top.node - first_leaf_)) return;
        } else {
          fetch(top.node - first_leaf_);
          fetched[came++ % FETCHED_AHEAD] = top;
        }
        continue;
      }
      const i64 group = top.node == ROOT ? 0 : children(top.node);
      waiting = wait(group, bounds_of(group), limit, stack, waiting);
    }
  }

  void fetch(i64 leaf) const {
    for (int j = 0; j < points_.d; j++) __builtin_prefetch(block(leaf) + j * WIDTH);
  }

  // Put siblings on the stack, the most promising on top; among equals that of lower numbers.
  int wait(i64 group, floats8 bounds, float limit, Waiting* stack, int waiting) const {
    const int bottom = waiting;
    for (unsigned good = at_most(bounds, limit); good; good &= good - 1) {
      const int c = __builtin_ctz(good);
      const i32 node = i32(group * SIBLINGS + c);
      if (counts_[node] == 0) continue;
      int place = waiting++;
      for (; place > bottom && stack[place - 1].bound <= bounds[c]; place--) stack[place] = stack[place - 1];
      stack[place] = {bounds[c], node};
    }
    return waiting;
  }

  // Squared distances that no record of each sibling falls below, but for rounding.
  floats8 nearest_bounds(i64 group, const float* at) const {
    const floats8* low = reinterpret_cast<const floats8*>(box(group));
    const floats8* high = low + points_.d;
    floats8 bounds{};
    for (int j = 0; j < points_.d; j++) {
      const floats8 x = all_of(at[j]);
      const floats8 outside = greater(greater(low[j] - x, x - high[j]), floats8{});
      bounds += outside * outside;
    }
    return bounds;
  }

  // Negated squared distances that no record of each sibling exceeds, but for rounding: by the
  // farthest corner, or by |x|² + |y|² − 2xy with the largest norm and the least product.
  floats8 farthest_bounds(i64 group, const float* at, float norm) const {
    const floats8* low = reinterpret_cast<const floats8*>(box(group));
    const floats8* high = low + points_.d;
    floats8 corner{}, product{};
    for (int j = 0; j < points_.d; j++) {
      const floats8 x = all_of(at[j]);
      const floats8 away = greater(x - low[j], high[j] - x);
      corner += away * away;
      product += x * (at[j] > 0.0f ? low : high)[j];
    }
    const floats8 norms = low[2 * points_.d] + all_of(norm);
    const floats8 by_norm = norms - all_of(2.0f) * product + all_of(float(4 * ratio_)) * norms;
    return -lesser(corner, by_norm);
  }

  // A key (a squared distance, negated when far) in floats, with room for rounding.
  template <bool Far>
  float float_limit(double key) const {
    if (!std::isfinite(key)) return FAR_AWAY;
    if (Far) {
      const double r = std::sqrt(-key) * unit_ - rounding_;
      return r <= 0.0 ? 0.0f : float(-r * r * (1.0 - ratio_));
    }
    const double r = std::sqrt(key) * unit_ + rounding_;
    return float(r * r * (1.0 + ratio_));
  }

  // Squared distances of the sixteen places of a block in floats, dead ones too.
  void block_distances(i64 b, const float* at, floats8 distances[2]) const {
    const floats8* rows = reinterpret_cast<const floats8*>(block(b));
    floats8 first{}, second{};
    for (int j = 0; j < points_.d; j++) {
      const floats8 x = all_of(at[j]);
      const floats8 p = rows[2 * j] - x, q = rows[2 * j + 1] - x;
      first += p * p;
      second += q * q;
    }
    distances[0] = first;
    distances[1] = second;
  }

  // Visit the live places of a leaf that floats do not sort out.
  template <bool Far, class Visit>
  void filter(i64 leaf, const float* at, const float& limit, Visit&& visit) const {
    const i64 first = leaf * capacity_, end = first + counts_[first_leaf_ + leaf];
    floats8 distances[2];
    for (i64 begin = first; begin < end; begin += WIDTH) {
      block_distances(begin / WIDTH, at, distances);
      if (Far) distances[0] = -distances[0], distances[1] = -distances[1];
      unsigned good = at_most(distances[0], limit) | at_most(distances[1], limit) << SIBLINGS;
      if (end - begin < WIDTH) good &= (1u << (end - begin)) - 1;
      for (; good; good &= good - 1)
        if (visit(begin + __builtin_ctz(good))) return;
    }
  }

  // Keep the records of a leaf that belong to the best; the new limit.
  template <bool Far>
  float search_leaf(i64 leaf, const double* point, const float* at, Except but, Best& best, float limit) const {
    filter<Far>(leaf, at, limit, [&](i64 place) {
      const i32 record = ids_[place];
      const double distance = squared_distance(row(place), point, points_.d);
      const double key = Far ? -distance : distance;
      if (!best.beats_worst(key, record)) return false;
      for (i32 twin = record; twin != NOBODY && best.beats_worst(key, twin); twin = twins_.next(twin))
        if (!but.has(twin)) best.keep(twin, key);
      limit = float_limit<Far>(best.worst());
      return false;
    });
    return limit;
  }

  i32 any_in_leaf(i64 leaf, i32 record, double inside, double factor, Except but, const float* at,
                  float limit) const {
    i32 found = NOBODY;
    filter<false>(leaf, at, limit, [&](i64 place) {
      const double distance = squared_distance(row(place), points_[record], points_.d);
      if (factor * distance > inside) return false;
      for (i32 twin = ids_[place]; twin != NOBODY && found == NOBODY; twin = twins_.next(twin))
        if (twin != record && !but.has(twin)) found = twin;
      return found != NOBODY;
    });
    return found;
  }
};

}  // namespace covey
