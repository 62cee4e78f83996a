// How many values of a confidential variable the groups have, and how evenly they are spread.
#pragma once
#include "points.hpp"
#include "pool.hpp"

namespace covey {

struct GroupDiversity {
  std::vector<i64> distinct;
  std::vector<double> entropy;
};

// Of every group, none empty, the number of different codes and their entropy in nats.
inline GroupDiversity diversity_of(const i64* labels, const i64* codes, i64 n, i64 n_groups, Pool& pool) {
  std::vector<i64> starts(n_groups + 1, 0), members(n);
  for (i64 x = 0; x < n; x++) starts[labels[x] + 1]++;
  for (i64 g = 0; g < n_groups; g++) starts[g + 1] += starts[g];
  std::vector<i64> next(starts.begin(), starts.end() - 1);
  for (i64 x = 0; x < n; x++) members[next[labels[x]]++] = codes[x];
  GroupDiversity found{std::vector<i64>(n_groups, 0), std::vector<double>(n_groups, 0.0)};
  pool.each(n_groups, 1024, [&](i64 g, int) {
    i64 *begin = members.data() + starts[g], *end = members.data() + starts[g + 1];
    std::sort(begin, end);
    for (i64* same = begin; same != end;) {
      const i64* other = std::upper_bound(same, end, *same);
      const double share = double(other - same) / double(end - begin);
      found.distinct[g]++;
      found.entropy[g] -= share * std::log(share);
      same += other - same;
    }
  });
  return found;
}

}  // namespace covey
