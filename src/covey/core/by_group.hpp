// The records of groups of any size, and what is taken over each.
#pragma once
#include <span>

#include "points.hpp"
#include "pool.hpp"

namespace covey {

// The records of one group after the other, lower numbers first.
class ByGroup {
 public:
  ByGroup(const i64* labels, i64 n_records, i64 n_groups) : starts_(n_groups + 1, 0), members_(n_records) {
    for (i64 x = 0; x < n_records; x++) starts_[labels[x] + 1]++;
    for (i64 g = 0; g < n_groups; g++) starts_[g + 1] += starts_[g];
    std::vector<i64> next(starts_.begin(), starts_.end() - 1);
    for (i64 x = 0; x < n_records; x++) members_[next[labels[x]]++] = i32(x);
  }

  i64 count() const { return i64(starts_.size()) - 1; }
  std::span<const i32> operator[](i64 g) const {
    return {members_.data() + starts_[g], std::size_t(starts_[g + 1] - starts_[g])};
  }

 private:
  std::vector<i64> starts_;
  std::vector<i32> members_;
};

// Means are taken of offsets from a member, so that a group of equal values keeps that value to the last bit
// and values far from zero cost no precision. Nobody is the mean of an empty group: zeros.
inline std::vector<double> means_of(const Points& points, const ByGroup& groups, Pool& pool) {
  std::vector<double> means(groups.count() * points.d, 0.0);
  pool.each(groups.count(), 256, [&](i64 g, int) {
    if (groups[g].empty()) return;
    double* mean = means.data() + g * points.d;
    const double* anchor = points[groups[g].front()];
    for (i32 x : groups[g])
      for (int j = 0; j < points.d; j++) mean[j] += points[x][j] - anchor[j];
    for (int j = 0; j < points.d; j++) mean[j] = anchor[j] + mean[j] / double(groups[g].size());
  });
  return means;
}

struct GroupDiversity {
  std::vector<i64> distinct;
  std::vector<double> entropy;
};

// Of every group the number of different codes and their entropy in nats.
inline GroupDiversity diversity_of(const i64* codes, const ByGroup& groups, Pool& pool) {
  GroupDiversity found{std::vector<i64>(groups.count(), 0), std::vector<double>(groups.count(), 0.0)};
  pool.each(groups.count(), 1024, [&](i64 g, int) {
    std::vector<i64> own;
    for (i32 x : groups[g]) own.push_back(codes[x]);
    std::sort(own.begin(), own.end());
    for (auto same = own.begin(); same != own.end();) {
      const auto other = std::upper_bound(same, own.end(), *same);
      const double share = double(other - same) / double(own.size());
      found.distinct[g]++;
      found.entropy[g] -= share * std::log(share);
      same = other;
    }
  });
  return found;
}

}  // namespace covey
