"""Every technique gives the same labels in both builds and on any number of threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys

SCRIPT = """
import json, warnings
import numpy as np
warnings.simplefilter("ignore")
from covey.techniques import available
rng = np.random.default_rng(7)
labels = {}
for ties in (False, True):
    X = rng.integers(0, 5, size=(700, 3)).astype(float) if ties else rng.normal(size=(700, 3))
    for info in available():
        extra = {"patience": 3} if "patience" in info.parameters else {}
        if "effort" in info.parameters:
            extra = {"effort": 1600, "polish": False}
        if info.cls.by_one_variable:
            extra = {"variables": [0]}
        fitted = info.cls(k=3, **extra).fit(X)
        labels[f"{info.name} {ties}"] = [b.partition.labels.tolist() for b in fitted.blocks_]
    labels[f"windows {ties}"] = [
        info.cls(k=3, refine="windows").fit(X).labels_.tolist()
        for info in available() if info.name == "iamat"
    ]
    labels[f"diameter {ties}"] = [
        info.cls(k=3, seeds="diameter").fit(X).labels_.tolist()
        for info in available() if info.name == "mdav"
    ]
print(json.dumps(labels))
"""


def labels_of(**environment: str) -> dict[str, list[list[int]]]:
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(result.stdout)


def test_builds_and_threads_do_not_matter():
    one = labels_of(COVEY_CORE="baseline", COVEY_THREADS="1")
    assert one == labels_of(COVEY_THREADS="3")
    assert one == labels_of(COVEY_THREADS="16")
