// Series of passes over the records, each of random exchanges, until they bring nothing more.
#pragma once
#include "meter.hpp"

namespace covey {

// A gain must exceed rounding, or two records could change places for ever.
constexpr double LEAST_GAIN = 1e-12;

// A series ends when `patience` passes in a row have brought nothing, or after `max_epochs`.
struct Limits {
  i64 patience, max_epochs;
};

class Series {
 public:
  Series(Limits limits, const Meter& meter) : limits_(limits), meter_(meter) {}

  bool goes_on() const {
    meter_.stop_if_told();
    return idle_ < limits_.patience && passes_ < limits_.max_epochs;
  }
  void note_pass(bool improved) {
    passes_++;
    idle_ = improved ? 0 : idle_ + 1;
  }

 private:
  Limits limits_;
  const Meter& meter_;
  i64 idle_ = 0, passes_ = 0;
};

}  // namespace covey
