// The best few of many records: the least key and, among equals, the lowest record.
#pragma once
#include <utility>

#include "points.hpp"

namespace covey {

// Records and keys in arrays of the caller; keys of farthest searches are negated distances. Few
// are kept as a sorted list, many as a heap with the worst on top; `close` leaves the best first.
class Best {
 public:
  Best(i32* ids, double* keys, int room) : ids(ids), keys(keys), room(room), heap_(room >= HEAP_FROM) {}

  i32* ids;
  double* keys;
  int room;
  int count = 0;

  bool full() const { return count == room; }
  double worst() const { return full() ? keys[last()] : INF; }
  bool beats_worst(double key, i32 record) const {
    return !full() || before(key, record, keys[last()], ids[last()]);
  }
  void keep(i32 record, double key) {
    if (!beats_worst(key, record)) return;
    if (!heap_)
      insert(record, key);
    else if (full())
      sink(record, key, room);
    else
      rise(record, key);
  }
  void close() {
    if (heap_)
      for (int size = count - 1; size > 0; size--) {
        const i32 record = ids[size];
        const double key = keys[size];
        put(size, ids[0], keys[0]);
        sink(record, key, size);
      }
    for (int place = count; place < room; place++) ids[place] = NOBODY;
  }

 private:
  static constexpr int HEAP_FROM = 48;  // measured
  bool heap_;

  int last() const { return heap_ ? 0 : room - 1; }
  void put(int place, i32 record, double key) {
    ids[place] = record;
    keys[place] = key;
  }
  bool comes_before(int place, i32 record, double key) const {
    return before(keys[place], ids[place], key, record);
  }
  void insert(i32 record, double key) {
    int place = full() ? room - 1 : count++;
    for (; place > 0 && !comes_before(place - 1, record, key); place--)
      put(place, ids[place - 1], keys[place - 1]);
    put(place, record, key);
  }
  void rise(i32 record, double key) {
    int place = count++;
    for (int above; place > 0 && comes_before(above = (place - 1) / 2, record, key); place = above)
      put(place, ids[above], keys[above]);
    put(place, record, key);
  }
  // Let a record sink from the top of the first `size` places.
  void sink(i32 record, double key, int size) {
    int place = 0;
    for (int child; (child = 2 * place + 1) < size; place = child) {
      if (child + 1 < size && comes_before(child, ids[child + 1], keys[child + 1])) child++;
      if (comes_before(child, record, key)) break;
      put(place, ids[child], keys[child]);
    }
    put(place, record, key);
  }
};

}  // namespace covey
