"""sdcMicro, the most used software of the field, through Rscript."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

PACKAGE = 'if (requireNamespace("sdcMicro", quietly=TRUE)) cat(format(packageVersion("sdcMicro")))'

MDAV = """
arguments <- commandArgs(TRUE)
suppressPackageStartupMessages(library(sdcMicro))
values <- read.csv(arguments[1])
time <- system.time(
  found <- microaggregation(values, method = "mdav", aggr = as.integer(arguments[3]))
)
write.table(format(found$mx, digits = 17), arguments[2], sep = ",", row.names = FALSE,
            col.names = FALSE, quote = FALSE)
cat(time[["elapsed"]])
"""


class Released(NamedTuple):
    """What R released, and the time it took without starting and without files."""

    values: np.ndarray
    seconds: float


@cache
def version() -> str | None:
    """The version of sdcMicro, or None when R does not have it or is not there."""
    if shutil.which("Rscript") is None:
        return None
    found = subprocess.run(["Rscript", "-e", PACKAGE], capture_output=True, text=True)
    return found.stdout.strip() or None


def reason() -> str:
    """Why sdcMicro cannot be measured."""
    if shutil.which("Rscript") is None:
        return "there is no Rscript on this machine"
    return 'R is there, but without the package; install.packages("sdcMicro")'


def sdc_micro_mdav(Z: np.ndarray, k: int) -> Released:
    with tempfile.TemporaryDirectory() as folder:
        script, source, target = (Path(folder) / name for name in ("mdav.R", "in.csv", "out.csv"))
        script.write_text(MDAV)
        header = ",".join(f"v{j}" for j in range(Z.shape[1]))
        np.savetxt(source, Z, fmt="%.17g", delimiter=",", header=header, comments="")
        run = subprocess.run(
            ["Rscript", script, source, target, str(k)], capture_output=True, text=True, check=True
        )
        return Released(np.loadtxt(target, delimiter=",", ndmin=2), float(run.stdout))
