// What Python may call. Arrays come in and go out; sizes and kinds are checked here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "iamat.hpp"
#include "mdav.hpp"
#include "vmdav.hpp"

namespace nb = nanobind;
using namespace covey;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Meters = nb::ndarray<i64, nb::shape<2>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<nb::numpy, i64, nb::ndim<1>>;

Points as_points(const Matrix& values) {
  const i64 n = i64(values.shape(0)), d = i64(values.shape(1));
  if (n >= (i64(1) << 31) - 64) throw std::invalid_argument("at most 2**31 records at once");
  if (d < 1 || d > 1'000'000) throw std::invalid_argument("points need at least one coordinate");
  for (i64 i = 0; i < n * d; i++)
    if (!std::isfinite(values.data()[i])) throw std::invalid_argument("points must be finite");
  return {values.data(), n, int(d)};
}

void require_k(i64 k, const Points& points) {
  if (k < 2 || k > points.n) throw std::invalid_argument("k must be from 2 to the number of records");
}

Labels as_array(std::vector<i64>&& values) {
  auto* held = new std::vector<i64>(std::move(values));
  const std::size_t n = held->size();
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<i64>*>(p); });
  return Labels(held->data(), {n}, owner);
}

// Group all records: `work` fills the labels, −1 for a rest that no group was formed of.
template <class Work>
Labels grouped(const Matrix& values, i64 k, i64 scan_below, int threads, Meters& meter, Work&& work) {
  const Points points = as_points(values);
  require_k(k, points);
  std::vector<i64> labels(points.n);
  {
    nb::gil_scoped_release others_may_run;
    Threads held(threads);
    Unassigned left(points, scan_below, held.pool(), labels.data(), Meter(meter.data()));
    work(left);
  }
  return as_array(std::move(labels));
}

Labels mdav(Matrix points, i64 k, bool two_a_round, bool moving_center, i64 scan_below, int threads, Meters meter) {
  return grouped(points, k, scan_below, threads, meter,
                 [&](Unassigned& left) { Mdav(left, int(k), two_a_round, moving_center).run(); });
}

Labels iamat(Matrix points, i64 k, i64 largest, double gamma, bool moving_center, i64 scan_below, int threads,
             Meters meter) {
  const GrowthRules rules{int(k), int(largest), gamma};
  return grouped(points, k, scan_below, threads, meter,
                 [&](Unassigned& left) { GrownGroups<IamatGrowth>(left, rules, moving_center).run(); });
}

Labels vmdav(Matrix points, i64 k, double gamma, i64 scan_below, int threads, Meters meter) {
  const GrowthRules rules{int(k), int(2 * k - 1), gamma};
  return grouped(points, k, scan_below, threads, meter,
                 [&](Unassigned& left) { GrownGroups<VmdavGrowth>(left, rules, false).run(); });
}

}  // namespace

NB_MODULE(COVEY_MODULE, m) {
  using namespace nb::literals;
  nb::exception<Stopped>(m, "Stopped");
  m.def("mdav", &mdav, "points"_a, "k"_a, "two_a_round"_a, "moving_center"_a, "scan_below"_a, "threads"_a, "meter"_a);
  m.def("iamat", &iamat, "points"_a, "k"_a, "largest"_a, "gamma"_a, "moving_center"_a, "scan_below"_a, "threads"_a,
        "meter"_a);
  m.def("vmdav", &vmdav, "points"_a, "k"_a, "gamma"_a, "scan_below"_a, "threads"_a, "meter"_a);
}
