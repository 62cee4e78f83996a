// How far intervals around released values must reach before they hold the originals.
#pragma once
#include "points.hpp"
#include "pool.hpp"

namespace covey {

class Intervals {
 public:
  // Rows of both files, and the records by their released value, column by column with missing ones last.
  Intervals(Points original, Points released, const i64* orders, Pool& pool)
      : original_(original), released_(released), pool_(pool), sorted_(original.n * original.d),
        places_(original.n * original.d), known_(original.d, 0) {
    pool_.each(original_.d, 1, [&](i64 column, int) { sort(column, orders + column * original_.n); });
  }

  // For each of the rising reaches, in places of the sorted column, the records of which it is the first
  // to hold all known values; or, if values count one by one, the values of which it is the first.
  std::vector<i64> count(const std::vector<i64>& reaches, bool by_record) const {
    const i64 n_parts = (original_.n + PART - 1) / PART, width = i64(reaches.size()) + 1;
    std::vector<i64> parts(n_parts * width, 0), counts(reaches.size(), 0);
    pool_.each(n_parts, 1, [&](i64 part, int) {
      i64* held = parts.data() + part * width;
      for (i64 x = part * PART; x < std::min(original_.n, (part + 1) * PART); x++)
        by_record ? count_record(x, reaches, held) : count_values(x, reaches, held);
    });
    for (i64 part = 0; part < n_parts; part++)
      for (std::size_t r = 0; r < counts.size(); r++) counts[r] += parts[part * width + r];
    return counts;
  }

 private:
  static constexpr i64 PART = 4096;
  // The mean of equal values may be a last digit off; the ends are widened by as much.
  static constexpr double DIGIT = 1e-12;

  void sort(i64 column, const i64* order) {
    double* sorted = sorted_.data() + column * original_.n;
    i64 *places = places_.data() + column * original_.n, known = 0;
    for (i64 place = 0; place < original_.n; place++) {
      sorted[place] = released_[order[place]][column];
      places[order[place]] = place;
      known += !std::isnan(sorted[place]);
    }
    known_[column] = known;
  }

  void count_record(i64 x, const std::vector<i64>& reaches, i64* held) const {
    std::size_t first = 0;
    bool any = false;
    for (int j = 0; j < original_.d; j++) {
      if (std::isnan(original_[x][j])) continue;
      any = true;
      first = first_holding(x, j, reaches, first);
    }
    if (any) held[first]++;
  }

  void count_values(i64 x, const std::vector<i64>& reaches, i64* held) const {
    for (int j = 0; j < original_.d; j++)
      if (!std::isnan(original_[x][j])) held[first_holding(x, j, reaches, 0)]++;
  }

  // The first reach, from `from` on, whose interval holds the original value; all of them if none does.
  std::size_t first_holding(i64 x, int j, const std::vector<i64>& reaches, std::size_t from) const {
    if (std::isnan(released_[x][j])) return reaches.size();
    while (from < reaches.size() && !holds(x, j, reaches[from])) from++;
    return from;
  }

  bool holds(i64 x, int j, i64 reach) const {
    const double* sorted = sorted_.data() + i64(j) * original_.n;
    const i64 place = places_[i64(j) * original_.n + x];
    const double low = sorted[std::max<i64>(place - reach, 0)];
    const double high = sorted[std::min(place + reach, known_[j] - 1)];
    const double value = original_[x][j];
    return value >= low - DIGIT * std::fabs(low) && value <= high + DIGIT * std::fabs(high);
  }

  Points original_, released_;
  Pool& pool_;
  std::vector<double> sorted_;
  std::vector<i64> places_, known_;
};

}  // namespace covey
