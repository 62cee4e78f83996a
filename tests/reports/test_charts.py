"""Charts: valid specs that draw, in the house's colours, the same every time."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from covey.errors import InvalidParameter, MissingExtra
from covey.reports import charts
from covey.reports.charts.categories import MOST_LEVELS
from covey.reports.charts.groups_map import far_away, handles_of, near
from covey.reports.charts.label_places import Box, label_places
from covey.reports.charts.risk_utility import CANDIDATES, SHAPES
from covey.reports.charts.theme import COLOURS, OKABE_ITO, RECOLOURED, Spec

from .sample_parts import make_alternatives, make_correlations, make_groups_map

HOSTILE = "<script>alert('x')</script>&\"'] datum.x {{ 7*7 }} url(#clip0)"


def candidates() -> list[dict[str, object]]:
    return make_alternatives()["candidates"]


def every_chart(name: str = "income") -> dict[str, Spec]:
    groups = make_groups_map(20)
    matrix = np.zeros((3, 3)).tolist()
    edges = [0.0, 10.0, 20.0, 30.0]
    tried = [{**candidate, "technique": name} for candidate in candidates()[:5]]
    return {
        "map": charts.groups_map(
            *(groups[part] for part in ("x", "y", "labels", "group_x", "group_y")), name, name
        ),
        "both": charts.distribution(name, [3, 5, 2], [2, 6, 2], edges, name),
        "released": charts.distribution(name, None, [2, 6, 2], edges),
        "categories": charts.categories(name, [name, "other"], [40, 60], [30, 70]),
        "released categories": charts.categories(name, [name, "other"], None, [30, 70]),
        "correlations": charts.correlation_difference([name, "other", name], matrix),
        "sizes": charts.group_sizes({5: 12, 6: 2, 9: 1}, 5),
        "front": charts.risk_utility(tried, name, name, max_risk=15),
    }


KINDS = list(every_chart())


def colours_of(drawing: str) -> set[str]:
    painted = (e.get(kind) for e in ET.fromstring(drawing).iter() for kind in ("fill", "stroke"))
    return {colour for colour in painted if colour not in (None, "none", "transparent")}


def texts_of(drawing: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(drawing).iter() if element.text]


@pytest.mark.parametrize("kind", KINDS)
def test_draws_in_the_colours_of_the_theme(kind):
    drawing = charts.svg(every_chart()[kind])
    assert colours_of(drawing) <= COLOURS
    assert len(colours_of(drawing)) >= 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_spec_is_plain_json_and_has_words_for_screen_readers(kind):
    spec = every_chart()[kind]
    assert json.loads(json.dumps(spec)) == spec
    root = ET.fromstring(charts.svg(spec))
    assert root.get("role") == "img"
    assert root.get("aria-label") == spec["description"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_spec_gives_the_same_bytes(kind):
    spec = every_chart()[kind]
    assert charts.svg(spec) == charts.svg(spec)
    assert charts.png(spec, 1.0) == charts.png(spec, 1.0)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sizes"])
def test_names_are_text_and_never_markup(kind):
    drawing = charts.svg(every_chart(HOSTILE)[kind])
    assert "<script" not in drawing
    assert any(text.startswith("<script>al") for text in texts_of(drawing))
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(drawing).iter()}
    assert tags <= {"svg", "g", "path", "rect", "line", "text", "tspan", "defs", "clipPath"}


def test_png_is_a_png():
    assert charts.png(every_chart()["sizes"]).startswith(b"\x89PNG")


def test_ids_differ_between_pictures_and_are_all_defined():
    clipped = [dict(every_chart()["front"]) for _ in range(2)]
    clipped[1]["width"] = 300
    for spec in clipped:
        spec["layer"] = [
            layer | {"mark": {**layer["mark"], "clip": True}} for layer in spec["layer"]
        ]
    drawn = [charts.svg(spec) for spec in clipped]
    ids = [set(re.findall(r' id="([^"]+)"', drawing)) for drawing in drawn]
    assert ids[0]
    assert not ids[0] & ids[1]
    for drawing, own in zip(drawn, ids, strict=True):
        assert set(re.findall(r'="url\(#([^)]+)\)"', drawing)) <= own


def test_no_network():
    spec = every_chart()["sizes"] | {"data": {"url": "http://127.0.0.1:9/data.json"}, "layer": []}
    spec = {**spec, "mark": "point"}
    del spec["layer"]
    with pytest.raises(ValueError, match="not allowed"):
        charts.svg(spec)


def test_every_colour_that_carries_text_or_lines_turns_in_the_dark():
    assert set(RECOLOURED) >= COLOURS - set(OKABE_ITO)


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtra, match=r"covey\[report\]"):
        charts.svg(every_chart()["sizes"])


def test_counts_and_edges_must_fit():
    with pytest.raises(InvalidParameter, match="3 counts need 4 bin edges; got 3"):
        charts.distribution("age", None, [1, 2, 3], [0, 1, 2])
    with pytest.raises(InvalidParameter, match="2 levels"):
        charts.categories("sex", ["a", "b"], None, [100.0])


def test_the_external_distribution_holds_no_original():
    both, released = every_chart()["both"], every_chart()["released"]
    assert json.dumps(both).count("[") > json.dumps(released).count("[")
    assert len(released["layer"]) == 1
    assert "original" not in json.dumps(released)


def test_many_levels_are_put_together():
    shares = [40.0] + [60 / 29] * 29
    spec = charts.categories("occupation", [f"code {i}" for i in range(30)], shares, shares)
    rows = spec["layer"][0]["data"]["values"]
    assert len(rows) == MOST_LEVELS
    assert rows[-1]["level"] == "21 others"
    assert sum(row["released"] for row in rows) == pytest.approx(100)


def test_correlations_show_each_pair_once_and_leave_unknown_ones_blank():
    data = make_correlations()
    drawing = charts.svg(charts.correlation_difference(data["names"], data["matrix"]))
    cells = [text for text in texts_of(drawing) if re.fullmatch(r"[+−]\d\.\d\d|0\.00", text)]
    assert len(cells) == 8 * 7 // 2 - 1


def test_a_correlation_has_the_colour_of_its_class():
    matrix = [[0, 0, 0], [-0.2, 0, 0], [0.2, 0.02, 0]]
    cells = charts.correlation_difference(["a", "b", "c"], matrix)["data"]["values"]
    assert [cell["class"] for cell in cells] == [
        "−0.20 to −0.10",
        "+0.20 and more",
        "+0.02 to +0.05",
    ]


def test_many_correlations_have_no_figures():
    matrix = np.full((15, 15), 0.3).tolist()
    spec = charts.correlation_difference([f"v{i}" for i in range(15)], matrix)
    assert len(spec["layer"]) == 1
    assert "+0.30" not in charts.svg(spec)


def test_each_technique_has_its_own_colour_and_shape():
    names = [f"technique {i}" for i in range(20)]
    tried = [{**candidates()[0], "technique": name} for name in names]
    spec = charts.risk_utility(tried, "loss", "risk")
    encoding = next(la["encoding"] for la in spec["layer"] if "shape" in la.get("encoding", {}))
    looks = zip(
        encoding["color"]["scale"]["range"], encoding["shape"]["scale"]["range"], strict=True
    )
    assert len(set(looks)) == len(names) <= len(OKABE_ITO) * len(SHAPES)


def test_every_candidate_that_has_room_shows_its_k():
    drawing = charts.svg(charts.risk_utility(candidates()[:4], "loss", "risk", 15))
    assert {"3", "5", "8", "12"} <= set(texts_of(drawing))
    assert "limit 15" in texts_of(drawing)


def test_a_map_of_no_loss_and_no_risk_still_draws():
    nothing = [{**candidates()[0], "loss": 0.0, "risk": 0.0}]
    assert charts.svg(charts.risk_utility(nothing, "loss", "risk"))


def test_labels_hide_neither_points_nor_each_other():
    rng = np.random.default_rng(1)
    points = [(float(x), float(y)) for x, y in rng.uniform(0, 200, size=(40, 2))]
    places = label_places(points, ["12"] * 40, [5.0] * 40, (200, 200))
    taken = [Box(x - 5, y - 5, x + 5, y + 5) for x, y in points]
    boxes = [
        Box(x + p.dx - 6, y + p.dy - 5, x + p.dx + 6, y + p.dy + 5)
        for (x, y), p in zip(points, places, strict=True)
        if p is not None
    ]
    assert len(boxes) > 20
    for i, box in enumerate(boxes):
        assert not any(box.meets(other) for other in taken + boxes[:i])


def test_a_crowd_has_no_room_for_all_labels():
    places = label_places([(50.0, 50.0)] * 30, ["5"] * 30, [5.0] * 30, (100, 100))
    assert places[0] is not None
    assert None in places


def test_marks_get_their_handles_in_the_order_of_the_data():
    """Each point keeps what it stands for, and the picture without handles stays as it is."""
    spec = every_chart()["front"]
    handles = [{"data-spot": str(at), "data-tip": HOSTILE, "class": "run"} for at in range(5)]
    root = ET.fromstring(charts.svg(spec, {CANDIDATES: handles}))
    marks = [element for element in root.iter() if "data-spot" in element.attrib]
    assert [mark.get("data-spot") for mark in marks] == ["0", "1", "2", "3", "4"]
    assert {mark.get("data-tip") for mark in marks} == {HOSTILE}
    places = [float(re.findall(r"[\d.]+", mark.get("transform"))[0]) for mark in marks]
    losses = [candidate["loss"] for candidate in candidates()[:5]]
    assert np.argsort(places).tolist() == np.argsort(losses).tolist()
    assert root.get("role") == "group"
    assert "data-spot" not in charts.svg(spec)


def test_a_group_is_marked_on_its_records_ties_and_point():
    groups = make_groups_map(20)
    handles = handles_of(groups["labels"], lambda size: f"{size} records")
    drawing = charts.svg(every_chart()["map"], handles)
    marks = [e for e in ET.fromstring(drawing).iter() if e.get("data-group") == "7"]
    size = list(groups["labels"]).count(7)
    assert len(marks) == 2 * size + 1
    assert [mark.get("data-tip") for mark in marks if mark.get("data-tip")] == [f"{size} records"]


def test_few_records_far_away_are_left_outside():
    x = [float(at) for at in range(400)]
    assert near(x) == (0.0, 399.0)
    assert near([*x, 1e6]) == (0.0, 399.0)
    assert far_away([*x, 1e6], [*x, 0.0]) == 1
    assert far_away(x, x) == 0
