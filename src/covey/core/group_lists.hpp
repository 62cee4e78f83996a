// The records of each group, with room for 2k − 1, and its centre.
#pragma once
#include <span>

#include "points.hpp"

namespace covey {

class GroupLists {
 public:
  // Labels are from 0 to n_groups − 1, and groups have k to 2k − 1 records.
  GroupLists(Points points, const i64* labels, i64 n_groups, i64 k)
      : points(points),
        k(k),
        most(2 * k - 1),
        members_(n_groups * most),
        sizes_(n_groups),
        centres_(n_groups * points.d) {
    for (i64 x = 0; x < points.n; x++) members_[labels[x] * most + sizes_[labels[x]]++] = i32(x);
    for (i64 g = 0; g < n_groups; g++) set_centre(g);
  }

  const Points points;
  const i64 k, most;

  i64 count() const { return i64(sizes_.size()); }
  std::span<const i32> operator[](i64 g) const { return {&members_[g * most], std::size_t(sizes_[g])}; }
  Points centres() const { return {centres_.data(), count(), points.d}; }
  const double* centre(i64 g) const { return &centres_[g * points.d]; }

  void clear(i64 g) { sizes_[g] = 0; }
  void add(i64 g, i32 record) { members_[g * most + sizes_[g]++] = record; }
  void set_centre(i64 g) {
    double* centre = &centres_[g * points.d];
    std::fill(centre, centre + points.d, 0.0);
    for (i32 x : (*this)[g])
      for (int j = 0; j < points.d; j++) centre[j] += points[x][j];
    for (int j = 0; j < points.d; j++) centre[j] /= double(sizes_[g]);
  }
  double sse(i64 g) const {
    double total = 0.0;
    for (i32 x : (*this)[g]) total += squared_distance(points[x], centre(g), points.d);
    return total;
  }

  std::vector<i64> labels() const {
    std::vector<i64> labels(points.n);
    for (i64 g = 0; g < count(); g++)
      for (i32 x : (*this)[g]) labels[x] = g;
    return labels;
  }

 private:
  std::vector<i32> members_, sizes_;
  std::vector<double> centres_;
};

}  // namespace covey
