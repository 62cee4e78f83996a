// Arrays from and to Python, and what is asked of them at the border.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "points.hpp"

namespace covey {

namespace nb = nanobind;

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Meters = nb::ndarray<i64, nb::shape<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const i64, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Neighbours = nb::ndarray<const i32, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using NumberRows = nb::ndarray<const i64, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class Item>
using Array = nb::ndarray<nb::numpy, Item, nb::ndim<1>>;
using Labels = Array<i64>;
template <class Item>
using Rows = nb::ndarray<nb::numpy, Item, nb::ndim<2>>;

// Squares of coordinates up to this, and sums of them, stay finite: in doubles, and where a search uses floats.
constexpr double LARGEST = 1e140, LARGEST_IN_FLOATS = 1e12;
constexpr i64 MOST_COUNTED = i64(1) << 31;  // times that a row may count, so that sums of them fit
constexpr double MOST_PER_RECORD = 1e9;     // moves or pools of a round

inline void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

template <class Item>
void require_indices(const Item* values, i64 count, i64 below) {
  for (i64 i = 0; i < count; i++) require(values[i] >= 0 && values[i] < below, "a number is out of range");
}

// No number may be there twice.
inline void require_once(const i64* values, i64 count, i64 below) {
  require_indices(values, count, below);
  std::vector<std::uint8_t> named(below, 0);
  for (i64 i = 0; i < count; i++) require(!named[values[i]]++, "a record is named twice");
}

inline Points as_rows(const Matrix& values) {
  const i64 n = i64(values.shape(0)), d = i64(values.shape(1));
  require(n < (i64(1) << 31) - 64, "at most 2**31 records at once");
  require(d >= 1 && d <= 1'000'000, "points need at least one coordinate");
  return {values.data(), n, int(d)};
}

// Not a number fails every comparison.
inline void require_up_to(const double* values, i64 count, double most) {
  for (i64 i = 0; i < count; i++) require(std::fabs(values[i]) <= most, "values must be finite, and not huge");
}
inline void require_finite(const double* values, i64 count) {
  require_up_to(values, count, std::numeric_limits<double>::max());
}

inline Points as_points(const Matrix& values) {
  const Points points = as_rows(values);
  require_up_to(points.rows, points.n * points.d, LARGEST);
  return points;
}

inline void require_k(i64 k, i64 n_records) {
  require(k >= 2 && k <= n_records, "k must be from 2 to the number of records");
}

template <class Item>
Array<Item> as_array(std::vector<Item>&& values) {
  auto* held = new std::vector<Item>(std::move(values));
  const std::size_t n = held->size();
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<Item>*>(p); });
  return Array<Item>(held->data(), {n}, owner);
}

template <class Item>
Rows<Item> as_matrix(std::vector<Item>&& values, i64 width) {
  const std::size_t n = values.size() / std::size_t(width);
  auto* held = new std::vector<Item>(std::move(values));
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<Item>*>(p); });
  return Rows<Item>(held->data(), {n, std::size_t(width)}, owner);
}

}  // namespace covey
