"""The model of Fellegi and Sunter (1969): how often variables agree for matches and for others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey import core
from covey.threads import thread_count
from covey.types import FloatVector, IntVector

# Chances of 0 or 1 would never move again, and have no logarithm.
EDGE = 1e-6


class Model(NamedTuple):
    """Chances of agreement for matches and for others, and the share of matches."""

    m: FloatVector
    u: FloatVector
    p: float


def fit_model(counts: FloatVector, n: int, most_rounds: int = 2000) -> Model:
    """EM for the mixture of matches and others over agreement patterns."""
    d = int(np.log2(counts.size))
    present = np.flatnonzero(counts)
    shares = counts[present] / counts.sum()
    patterns = _Patterns(present, d)
    agreeing = patterns.agreeing(shares)
    m, u, p = np.full(d, 0.9), np.clip(agreeing, EDGE, 1 - EDGE), min(1.0 / n, 0.5)
    likelihood = -np.inf
    for _ in range(most_rounds):
        before = likelihood
        likelihood, found = patterns.matching(shares, p, m, u)
        if likelihood - before < 1e-12 * abs(likelihood):
            break
        p = float(np.clip(found.share, EDGE / n, 1 - EDGE))
        m = np.clip(found.agreeing / found.share, EDGE, 1 - EDGE)
        u = np.clip((agreeing - found.agreeing) / (1.0 - found.share), EDGE, 1 - EDGE)
    return Model(m, u, p)


class _Matching(NamedTuple):
    """The share of pairs that match, and of those that match and agree, by variable."""

    share: float
    agreeing: FloatVector


class _Patterns:
    """Agreement patterns, taken apart into a low and a high half: a table of each half is small."""

    def __init__(self, present: IntVector, d: int) -> None:
        self.n_low = d // 2
        self.halves = (present & ((1 << self.n_low) - 1), present >> self.n_low)
        widths = (self.n_low, d - self.n_low)
        self.bits = [((np.arange(1 << w)[:, None] >> np.arange(w)) & 1) * 1.0 for w in widths]
        self.threads = thread_count()

    def agreeing(self, shares: FloatVector) -> FloatVector:
        """The share of the patterns that agree, by variable."""
        low, high = (
            np.bincount(half, shares, minlength=len(bits)).astype(np.float64)
            for bits, half in zip(self.bits, self.halves, strict=True)
        )
        return self._by_variable(low, high)

    def matching(
        self, shares: FloatVector, p: float, m: FloatVector, u: FloatVector
    ) -> tuple[float, _Matching]:
        """The log-likelihood of a model, and which patterns it takes for matches."""
        matches, others = self._chances(m), self._chances(u)
        tables = (p * matches[0], matches[1], (1 - p) * others[0], others[1])
        sums = core.mixture_round(*self.halves, shares, *tables, self.threads)
        low, high = sums[1 : 1 + len(self.bits[0])], sums[1 + len(self.bits[0]) :]
        return float(sums[0]), _Matching(float(low.sum()), self._by_variable(low, high))

    def _chances(self, chance: FloatVector) -> list[FloatVector]:
        """Chances of all low and all high halves when variables agree with `chance`."""
        parts = chance[: self.n_low], chance[self.n_low :]
        return [
            np.exp(bits @ np.log(part) + (1 - bits) @ np.log(1 - part))
            for bits, part in zip(self.bits, parts, strict=True)
        ]

    def _by_variable(self, low: FloatVector, high: FloatVector) -> FloatVector:
        return np.concatenate([low @ self.bits[0], high @ self.bits[1]])
