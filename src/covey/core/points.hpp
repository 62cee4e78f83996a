// Records as rows of numbers, and the one way in which all routes compare them.
#pragma once
#if defined(__linux__)
#include <sys/mman.h>
#endif

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

// Numbers on a cache line, so that whole vectors can be loaded. Many of them lie in huge pages where the
// system has them: searches that jump about find the pages sooner.
template <class Number>
class Aligned {
 public:
  // Room for `count` numbers, whose values are not kept.
  void resize(std::size_t count) {
    if (count <= room_) return;
    const std::size_t line = count * sizeof(Number) < 2 * HUGE_PAGE ? 64 : HUGE_PAGE;
    const std::size_t bytes = (count * sizeof(Number) + line - 1) / line * line;
    numbers_.reset();
    numbers_.reset(static_cast<Number*>(std::aligned_alloc(line, bytes)));
    if (!numbers_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (line == HUGE_PAGE) madvise(numbers_.get(), bytes, MADV_HUGEPAGE);
#endif
    room_ = count;
  }
  void assign_zeros(std::size_t count) {
    resize(count);
    if (count > 0) std::memset(static_cast<void*>(numbers_.get()), 0, count * sizeof(Number));
  }
  Number* get() const { return numbers_.get(); }

 private:
  static constexpr std::size_t HUGE_PAGE = std::size_t(1) << 21;

  struct Free {
    void operator()(Number* p) const { std::free(p); }
  };
  std::unique_ptr<Number, Free> numbers_;
  std::size_t room_ = 0;
};

}  // namespace covey
