// The smallest of many, without sorting them.
#pragma once
#include <utility>

#include "points.hpp"

namespace covey {

struct Keyed {
  double key;
  i32 item;

  bool operator<(const Keyed& other) const { return before(key, item, other.key, other.item); }
};

// Reorder so that the `count` smallest come first, by Hoare's quickselect. Equal keys are ordered by item, so
// the chosen set does not depend on the order given; its order does, and is the same with every compiler.
inline void bring_smallest(Keyed* items, i64 n, i64 count) {
  i64 low = 0, high = n - 1;
  while (low < high) {
    const Keyed pivot = items[(low + high) / 2];
    i64 i = low, j = high;
    while (i <= j) {
      while (items[i] < pivot) i++;
      while (pivot < items[j]) j--;
      if (i <= j) std::swap(items[i++], items[j--]);
    }
    if (count - 1 <= j)
      high = j;
    else if (count - 1 >= i)
      low = i;
    else
      return;
  }
}

}  // namespace covey
