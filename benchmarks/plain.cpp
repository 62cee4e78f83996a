// MDAV and IAMAT as one writes them down: a label for everybody, a pass over all records for every question.
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using i64 = std::int64_t;

struct Scan {
  const double* points;
  i64 n, d;
  i64* labels;  // −1 where a record is left

  const double* row(i64 i) const { return points + i * d; }
  double distance(i64 i, const double* point) const {
    double total = 0.0;
    for (i64 j = 0; j < d; j++) {
      const double difference = row(i)[j] - point[j];
      total += difference * difference;
    }
    return total;
  }
  i64 farthest(const double* point) const {
    i64 best = -1;
    double most = -1.0;
    for (i64 i = 0; i < n; i++) {
      if (labels[i] >= 0) continue;
      const double apart = distance(i, point);
      if (apart > most) {
        most = apart;
        best = i;
      }
    }
    return best;
  }
  // One pass that keeps the nearest so far in order: records come by number, so ties stay.
  std::vector<i64> nearest(const double* point, i64 count) const {
    std::vector<i64> found(count, -1);
    std::vector<double> distances(count, std::numeric_limits<double>::infinity());
    for (i64 i = 0; i < n; i++) {
      if (labels[i] >= 0) continue;
      const double apart = distance(i, point);
      if (!(apart < distances[count - 1])) continue;
      i64 place = count - 1;
      for (; place > 0 && apart < distances[place - 1]; place--) {
        found[place] = found[place - 1];
        distances[place] = distances[place - 1];
      }
      found[place] = i;
      distances[place] = apart;
    }
    return found;
  }
  std::vector<double> sum() const {
    std::vector<double> total(d, 0.0);
    for (i64 i = 0; i < n; i++)
      for (i64 j = 0; j < d; j++) total[j] += row(i)[j];
    return total;
  }
};

std::vector<double> share(const std::vector<double>& total, i64 count) {
  std::vector<double> mean(total);
  for (double& value : mean) value /= double(count);
  return mean;
}

void take_group(Scan& scan, i64 seed, i64 k, std::vector<double>& total, i64 group) {
  const auto take = [&](i64 record) {
    scan.labels[record] = group;
    for (i64 j = 0; j < scan.d; j++) total[j] -= scan.row(record)[j];
  };
  take(seed);
  for (i64 record : scan.nearest(scan.row(seed), k - 1)) take(record);
}

}  // namespace

extern "C" void mdav(const double* points, i64 n, i64 d, i64 k, i64* labels) {
  Scan scan{points, n, d, labels};
  std::vector<double> total = scan.sum();
  i64 left = n, group = 0;
  for (; left >= 2 * k; left -= 2 * k, group += 2) {
    const i64 first = scan.farthest(share(total, left).data());
    i64 second = scan.farthest(scan.row(first));
    take_group(scan, first, k, total, group);
    if (labels[second] >= 0) second = scan.farthest(scan.row(first));
    take_group(scan, second, k, total, group + 1);
  }
  if (left < k) return;
  for (i64 i = 0; i < n; i++)
    if (labels[i] < 0) labels[i] = group;
}

extern "C" void iamat(const double* points, i64 n, i64 d, i64 k, i64* labels) {
  Scan scan{points, n, d, labels};
  const std::vector<double> center = share(scan.sum(), n);
  for (i64 group = 0; group < n / k; group++) {
    i64 record = scan.farthest(center.data());
    std::vector<double> total(d, 0.0);
    for (i64 size = 1; size <= k; size++) {
      labels[record] = group;
      for (i64 j = 0; j < d; j++) total[j] += scan.row(record)[j];
      if (size < k) record = scan.nearest(share(total, size).data(), 1)[0];
    }
  }
}
