// EGMMAT: random groups inside domes of close records, improved by exchanges inside each dome, then over all.
#pragma once
#include "exchange.hpp"
#include "pool.hpp"

namespace covey {

struct EgmmatRules {
  i64 k, dome_size;  // a multiple of k
  double rates[2];   // of the first and the second series of passes
  Limits limits;
  u64 seed;
};

class Egmmat {
 public:
  // `order` has the records dome by dome; the last dome has what is left.
  Egmmat(Points points, const i64* order, EgmmatRules rules, Pool& pool, Meter meter)
      : points_(points), rules_(rules), pool_(pool), meter_(meter), order_(order, order + points.n),
        n_grouped_(points.n / rules.k * rules.k), n_domes_(std::max<i64>(points.n / rules.dome_size, 1)) {}

  // Labels; −1 for the n mod k records that are left over.
  std::vector<i64> run() {
    for (i64 dome = 0; dome < n_domes_; dome++) shuffle(dome);
    // Domes hold multiples of k, so consecutive k records share a dome: random groups. Records that are close
    // lie close in memory.
    std::vector<double> rows(n_grouped_ * points_.d);
    std::vector<i64> labels(n_grouped_);
    for (i64 i = 0; i < n_grouped_; i++) {
      std::copy_n(points_[order_[i]], points_.d, &rows[i * points_.d]);
      labels[i] = i / rules_.k;
    }
    Groups groups({rows.data(), n_grouped_, points_.d}, labels.data(), rules_.k);
    Exchange exchange(groups, rules_.k);
    pool_.each(n_domes_, 1, [&](i64 dome, int) {
      const i64 low = first_of(dome), high = std::min(first_of(dome + 1), n_grouped_);
      exchange_inside(exchange, low, high, dome);
      meter_.add_done(high - low);
    });
    exchange_inside(exchange, 0, n_grouped_, n_domes_);
    std::vector<i64> found(points_.n, -1);
    for (i64 i = 0; i < n_grouped_; i++) found[order_[i]] = groups.group_of(i32(i));
    return found;
  }

 private:
  i64 first_of(i64 dome) const { return dome < n_domes_ ? dome * rules_.dome_size : points_.n; }

  void shuffle(i64 dome) {
    const i64 low = first_of(dome), size = first_of(dome + 1) - low;
    Splitmix(rules_.seed, low).draw({order_.data() + low, std::size_t(size)}, size);
  }

  // Exchange among the records `low` to `high`, whose groups have no others, in a series for each rate. Every
  // dome has its own stream, so domes can be worked in any order.
  void exchange_inside(Exchange& exchange, i64 low, i64 high, i64 dome) const {
    std::vector<i32> records(high - low);
    std::iota(records.begin(), records.end(), i32(low));
    Splitmix chance(rules_.seed + 1, dome);
    for (double rate : rules_.rates)
      for (Series series(rules_.limits, meter_); series.goes_on();)
        series.note_pass(exchange.random_pairs_pass(records, rate, chance));
  }

  Points points_;
  EgmmatRules rules_;
  Pool& pool_;
  Meter meter_;
  std::vector<i32> order_;
  i64 n_grouped_, n_domes_;
};

}  // namespace covey
