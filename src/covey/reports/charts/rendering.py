"""Specs drawn without a browser and without a network: the same spec gives the same bytes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

from covey.errors import missing_extra
from covey.reports.charts.theme import Spec

Handles: TypeAlias = Mapping[str, Sequence[Mapping[str, str]]]

VEGA_LITE = "5.21"
SVG = "http://www.w3.org/2000/svg"

# What a still picture has no use for.
IDLE_ATTRIBUTES = ("class", "role", "pointer-events", "aria-hidden", "aria-roledescription")
PLACES = {"d", "transform", "x2", "y2"}
INHERITED = ("fill", "stroke", "stroke-width", "font-family", "font-size", "text-anchor")
LONG_FRACTION = re.compile(r"(\d+\.\d\d)\d+")


def svg(spec: Spec, handles: Handles | None = None) -> str:
    """Draw a spec as an SVG element to put into a page.

    `handles` makes marks answer to a pointer: by the name of a layer, the attributes that each of
    its marks gets, in the order of its data. A picture with handles is no single image to a screen
    reader, but a group of what they say.

    Vega numbers its clipping paths over the life of the process; here they are named after the
    picture, so that ids are the same in every run and differ between the pictures of a page.
    """
    drawing = _converter().vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    ET.register_namespace("", SVG)
    root = ET.fromstring(drawing)
    marks = {name: _marks_of(root, name) for name in handles or {}}
    _simplify(root)
    _rename_ids(root)
    for name, attributes in (handles or {}).items():
        for mark, given in zip(marks[name], attributes, strict=True):
            mark.attrib.update(given)
    root.set("role", "group" if handles else "img")
    root.set("aria-label", spec["description"])
    return ET.tostring(root, encoding="unicode")


def _marks_of(root: ET.Element, name: str) -> list[ET.Element]:
    """The marks of the layer with a name, in the order of its data."""
    group = next(e for e in root.iter() if f"{name}_marks" in e.get("class", "").split())
    return list(group)


def png(spec: Spec, scale: float = 2.0) -> bytes:
    """Draw a spec as a PNG on its light background."""
    data: bytes = _converter().vegalite_to_png(
        spec, vl_version=VEGA_LITE, scale=scale, allowed_base_urls=[]
    )
    return data


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise missing_extra("A chart", "vl-convert-python", "report") from None
    return vl_convert


def _simplify(parent: ET.Element) -> None:
    """Drop what is invisible, and digits nobody sees: files shrink by more than half."""
    for child in list(parent):
        if _invisible(child):
            parent.remove(child)
        else:
            _simplify(child)
    for name in IDLE_ATTRIBUTES:
        parent.attrib.pop(name, None)
    if parent.get("opacity") == "1":
        del parent.attrib["opacity"]
    for name in PLACES & set(parent.attrib):
        parent.set(name, LONG_FRACTION.sub(r"\1", parent.attrib[name]))
    _say_once(parent)


def _say_once(parent: ET.Element) -> None:
    """What all of a thousand points have in common is said by the group they are in."""
    for name in INHERITED:
        values = {child.get(name) for child in parent}
        if len(parent) > 1 and len(values) == 1 and None not in values:
            parent.set(name, values.pop() or "")
            for child in parent:
                del child.attrib[name]


def _invisible(element: ET.Element) -> bool:
    unpainted = not {"fill", "stroke"} & set(element.attrib)
    return element.get("display") == "none" or (element.get("class") == "background" and unpainted)


def _rename_ids(root: ET.Element) -> None:
    elements = [element for element in root.iter() if "id" in element.attrib]
    old = [element.attrib.pop("id") for element in elements]
    users = [(e, name) for e in root.iter() for name in e.attrib if "url(#" in e.attrib[name]]
    used = [(element, name, element.attrib.pop(name)) for element, name in users]
    mark = sha256(ET.tostring(root)).hexdigest()[:8]
    new = {name: f"c{mark}-{number}" for number, name in enumerate(old)}
    for element, name in zip(elements, old, strict=True):
        element.set("id", new[name])
    for element, name, value in used:
        element.set(name, f"url(#{new[value[5:-1]]})")
