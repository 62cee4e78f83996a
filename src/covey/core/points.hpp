// Records as rows of numbers, and the one way in which all routes compare them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <vector>

namespace covey {

using i32 = std::int32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr i32 NOBODY = -1;

struct Points {
  const double* rows;
  i64 n;
  int d;

  const double* operator[](i64 record) const { return rows + record * d; }
  double largest() const {
    double most = 0.0;
    for (i64 i = 0; i < n * d; i++) most = std::max(most, std::fabs(rows[i]));
    return most;
  }
};

// The one expression by which all routes compute a distance, so that ties stay ties.
inline double squared_distance(const double* a, const double* b, int d) {
  double total = 0.0;
  for (int j = 0; j < d; j++) {
    const double difference = a[j] - b[j];
    total += difference * difference;
  }
  return total;
}

// Nearer, or as near with the lower number.
inline bool before(double distance, i32 record, double other_distance, i32 other) {
  return distance < other_distance || (distance == other_distance && record < other);
}

// Zeroed floats on a cache line, so that whole vectors can be loaded.
class AlignedFloats {
 public:
  void assign_zeros(std::size_t count) {
    const std::size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
    if (count > room_) {
      floats_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
      if (!floats_) throw std::bad_alloc();
      room_ = count;
    }
    if (count > 0) std::memset(floats_.get(), 0, count * sizeof(float));
  }
  float* get() const { return floats_.get(); }

 private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  std::unique_ptr<float, Free> floats_;
  std::size_t room_ = 0;
};

}  // namespace covey
