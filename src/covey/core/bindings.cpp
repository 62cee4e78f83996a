// What Python may call; the calls check the sizes and kinds of the arrays they are given.
#include <nanobind/nanobind.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "held_search.hpp"
#include "measure_calls.hpp"
#include "space_calls.hpp"
#include "technique_calls.hpp"

using namespace covey;

namespace {

// Whether this machine, and its system, run what was compiled for AVX2 (x86-64-v3).
bool runs_avx2() {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  const bool fma = c >> 12 & 1, saves_registers = c >> 27 & 1;
  if (!fma || !saves_registers || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  const bool bmi1 = b >> 3 & 1, avx2 = b >> 5 & 1, bmi2 = b >> 8 & 1;
  unsigned kept, more;
  asm("xgetbv" : "=a"(kept), "=d"(more) : "c"(0));
  return bmi1 && avx2 && bmi2 && (kept & 6) == 6;
#else
  return false;
#endif
}

}  // namespace

NB_MODULE(COVEY_MODULE, m) {
  using namespace nb::literals;
  nb::exception<Stopped>(m, "Stopped");
  m.def("runs_avx2", &runs_avx2);
  m.def("mdav", &mdav, "points"_a, "k"_a, "two_a_round"_a, "moving_center"_a, "scan_below"_a, "threads"_a,
        "meter"_a.noconvert());
  m.def("iamat", &iamat, "points"_a, "k"_a, "largest"_a, "gamma"_a, "moving_center"_a, "scan_below"_a, "threads"_a,
        "meter"_a.noconvert());
  m.def("mdav_by_diameter", &mdav_by_diameter, "points"_a, "k"_a, "scan_below"_a, "threads"_a, "meter"_a.noconvert());
  m.def("domes", &domes, "points"_a, "dome_size"_a, "scan_below"_a, "threads"_a, "meter"_a.noconvert());
  m.def("egmmat", &egmmat, "points"_a, "order"_a, "k"_a, "dome_size"_a, nb::kw_only(), "crossover_rate"_a,
        "mutation_rate"_a, "patience"_a, "max_epochs"_a, "seed"_a, "threads"_a, "meter"_a.noconvert());
  m.def("rgmat", &rgmat, "points"_a, "k"_a, nb::kw_only(), "crossover_rate"_a, "mutation_rate"_a, "patience"_a,
        "max_epochs"_a, "seed"_a, "threads"_a, "meter"_a.noconvert());
  m.def("exchange_leaves", &exchange_leaves, "points"_a, "labels"_a, "close"_a, "k"_a, nb::kw_only(), "rate"_a,
        "patience"_a, "max_epochs"_a, "seed"_a, "meter"_a.noconvert());
  m.def("windows", &windows, "points"_a, "labels"_a, "k"_a, nb::kw_only(), "groups"_a, "sweeps"_a, "passes"_a,
        "seed"_a, "threads"_a, "meter"_a.noconvert());
  m.def("optimal_labels", &optimal_labels, "values"_a, "k"_a);
  m.def("link_to_released", &link_to_released, "originals"_a, "rows"_a, "sizes"_a, "own"_a, "scan_below"_a,
        "threads"_a, "meter"_a.noconvert());
  m.def("link_to_originals", &link_to_originals, "originals"_a, "rows"_a, "members"_a, "starts"_a, "nearest"_a,
        "share_ties"_a, "scan_below"_a, "threads"_a, "meter"_a.noconvert());
  m.def("count_patterns", &count_patterns, "first"_a, "second"_a, "sizes"_a, "window"_a, "records"_a, "threads"_a,
        "meter"_a.noconvert());
  m.def("mixture_round", &mixture_round, "low"_a, "high"_a, "shares"_a, "matches_low"_a, "matches_high"_a,
        "others_low"_a, "others_high"_a, "threads"_a);
  m.def("link_by_weight", &link_by_weight, "first"_a, "second"_a, "sizes"_a, "own"_a, "window"_a, "weights"_a,
        "agree"_a, "disagree"_a, "columns"_a, "by_rank"_a, "ranks"_a, "threads"_a, "meter"_a.noconvert());
  m.def("count_disclosed", &count_disclosed, "original"_a, "released"_a, "orders"_a, "reaches"_a, "by_record"_a,
        "threads"_a);
  m.def("group_means", &group_means, "values"_a, "labels"_a, "n_groups"_a, "threads"_a);
  m.def("group_diversity", &group_diversity, "labels"_a, "codes"_a, "n_groups"_a, "threads"_a);
  m.def("median_order", &median_order, "points"_a, "leaf"_a, "threads"_a, "meter"_a.noconvert());
  m.def("approximate_neighbours", &approximate_neighbours, "points"_a, "count"_a, nb::kw_only(), "trees"_a, "leaf"_a,
        "rounds"_a, "friends"_a, "seed"_a, "threads"_a, "meter"_a.noconvert());
  m.def("cut_tree_leaves", &cut_tree_leaves, "points"_a, "sides"_a, "cuts"_a, "lower"_a, "upper"_a, "threads"_a);
  m.def("price_groups", &price_groups, "points"_a, "prices"_a, "near"_a, "sizes"_a, nb::kw_only(), "limit"_a,
        "patience"_a, "kept"_a, "threads"_a, "meter"_a.noconvert());
  nb::class_<HeldSearch>(m, "Search")
      .def(nb::init<Matrix, Neighbours, i64, Vector, i64, Numbers>(), "points"_a, "neighbours"_a, "n_near"_a,
           "scales"_a, "k"_a, "labels"_a)
      .def("run", &HeldSearch::run, nb::kw_only(), "sweeps"_a, "pools"_a, "hot"_a, "cold"_a, "merge_at"_a, "seed"_a,
           "number"_a, "n_regions"_a, "n_streams"_a, "threads"_a, "meter"_a.noconvert())
      .def("best_sse", &HeldSearch::best_sse)
      .def("labels", &HeldSearch::labels)
      .def("tried", &HeldSearch::tried)
      .def("keep_best", &HeldSearch::keep_best);
  m.def("shared_seconds", [] { return double(SharedTime::total()) * 1e-9; });
  m.def("vmdav", &vmdav, "points"_a, "k"_a, "gamma"_a, "scan_below"_a, "threads"_a, "meter"_a.noconvert());
}
