// What a loop and the thread that watches it share: how far it is, and whether to stop.
#pragma once
#include <atomic>
#include <exception>

#include "points.hpp"

namespace covey {

// Thrown where a loop was told to stop; its result does not exist.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

class Meter {
 public:
  // Two numbers: what is done, and whether to stop. May be null, for loops that nobody watches.
  explicit Meter(i64* places) : places_(places) {}

  void count_done(i64 done) const {
    if (!places_) return;
    std::atomic_ref<i64>(places_[0]).store(done, std::memory_order_relaxed);
    stop_if_told();
  }
  // For loops side by side.
  void add_done(i64 count) const {
    if (places_) std::atomic_ref<i64>(places_[0]).fetch_add(count, std::memory_order_relaxed);
  }
  bool is_told_to_stop() const {
    return places_ && std::atomic_ref<i64>(places_[1]).load(std::memory_order_relaxed) != 0;
  }
  void stop_if_told() const {
    if (is_told_to_stop()) throw Stopped{};
  }

 private:
  i64* places_;
};

}  // namespace covey
