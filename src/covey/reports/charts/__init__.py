"""Charts as Vega-Lite specs: plain dicts from plain arrays, drawn by whoever shows them."""

from covey.reports.charts.categories import categories
from covey.reports.charts.correlation_difference import correlation_difference
from covey.reports.charts.distribution import distribution
from covey.reports.charts.group_sizes import group_sizes
from covey.reports.charts.groups_map import groups_map
from covey.reports.charts.rendering import png, svg
from covey.reports.charts.risk_utility import risk_utility

__all__ = [
    "categories",
    "correlation_difference",
    "distribution",
    "group_sizes",
    "groups_map",
    "png",
    "risk_utility",
    "svg",
]
