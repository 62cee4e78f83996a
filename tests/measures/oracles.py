"""The definitions in plain NumPy, n × n and all: what the fast versions must agree with."""

from __future__ import annotations

import numpy as np

TIE = 1e-9


def variation(a: float, b: float) -> float:
    if a == 0:
        return 0.0 if b == 0 else 1.0
    return abs(a - b) / abs(a)


def exactly_constant(Z: np.ndarray) -> np.ndarray:
    """Group means of equal values may differ in the last bit; mean and variance must not."""
    return np.where(np.ptp(Z, axis=0) == 0, np.round(Z[:1] * 1024) / 1024, Z)


def correlations(Z: np.ndarray) -> np.ndarray:
    """Zero with a constant."""
    d = Z.shape[1]
    found = np.zeros((d, d))
    for i in range(d):
        for j in range(d):
            if np.ptp(Z[:, i]) > 0 and np.ptp(Z[:, j]) > 0:
                found[i, j] = np.corrcoef(Z[:, i], Z[:, j])[0, 1]
    return found


def g_il_parts(X: np.ndarray, Y: np.ndarray) -> list[float]:
    d = X.shape[1]
    X, Y = exactly_constant(X), exactly_constant(Y)

    def mean(Z: np.ndarray, j: int) -> float:
        value = float(Z[:, j].mean())
        return value if abs(value) > 1e-12 * np.abs(Z[:, j]).max() else 0.0

    r, s = correlations(X), correlations(Y)
    covariances = [np.atleast_2d(np.cov(Z.T, ddof=0)) for Z in (X, Y)]
    cells = [variation(a, b) for a, b in zip(X.ravel(), Y.ravel(), strict=True)]
    upper = [(i, j) for i in range(d) for j in range(i, d)]
    strict = [(i, j) for i, j in upper if i < j]
    return [
        float(np.mean(cells)),
        float(np.mean([variation(mean(X, j), mean(Y, j)) for j in range(d)])),
        float(np.mean([variation(X[:, j].var(), Y[:, j].var()) for j in range(d)])),
        float(np.mean([variation(covariances[0][p], covariances[1][p]) for p in upper])),
        float(np.mean([abs(r[p] - s[p]) for p in strict])) if strict else 0.0,
    ]


def interval_counts(X: np.ndarray, Y: np.ndarray, percents: range) -> dict[int, int]:
    """Record by record, position by position."""
    n, d = X.shape
    counts = {}
    for p in percents:
        w = int(p * n / 100)
        disclosed = 0
        for i in range(n):
            inside = True
            for j in range(d):
                order = sorted(range(n), key=lambda r: (Y[r, j], r))
                place = order.index(i)
                low, high = Y[order[max(place - w, 0)], j], Y[order[min(place + w, n - 1)], j]
                inside = inside and low <= X[i, j] <= high
            disclosed += inside
        counts[p] = disclosed
    return counts


def points(X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """z-scores by the original; a missing value is the mean, and 1 away in its own direction."""
    mean, deviation = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    constant = np.nanmax(X, axis=0) == np.nanmin(X, axis=0)
    deviation = np.where(constant, np.inf, deviation)
    both = []
    for Z in (X, Y):
        scores = (Z - mean) / deviation
        both.append(np.hstack([np.nan_to_num(scores), np.isnan(Z).astype(float)]))
    return both[0], both[1]


def squared_distances(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.square(first[:, None] - second[None]).sum(axis=2)


def record_links(X: np.ndarray, Y: np.ndarray, nearest: int, shared: bool) -> np.ndarray:
    originals, released = points(X, Y)
    D = squared_distances(released, originals)
    own = np.diag(D)[:, None]
    closer = (own * (1 - TIE) > D).sum(axis=1)
    tied = (own * (1 + TIE) >= D).sum(axis=1) - closer
    if not shared:
        return (closer < nearest).astype(float)
    return np.clip((nearest - closer) / tied, 0.0, 1.0)


def distance_links(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    originals, released = points(X, Y)
    D = squared_distances(originals, released)
    own = np.diag(D)[:, None]
    tied = (own * (1 + TIE) >= D).sum(axis=1)
    return np.where((own * (1 - TIE) > D).any(axis=1), 0.0, 1.0 / tied)


def ranks(column: np.ndarray, values: np.ndarray) -> np.ndarray:
    known = np.sort(column[~np.isnan(column)])
    low = np.array([(known < v).sum() for v in values])
    high = np.array([(known <= v).sum() for v in values])
    return np.where(np.isnan(values), np.nan, (low + high - 1) / 2)


def probabilistic_links(
    X: np.ndarray, Y: np.ndarray, tolerance: float, m: np.ndarray, u: np.ndarray
) -> np.ndarray:
    """Links for given chances of agreement, over all n² pairs."""
    n, d = X.shape
    weight = np.zeros((n, n))
    for j in range(d):
        if m[j] < u[j]:
            continue
        difference = np.abs(ranks(X[:, j], X[:, j])[:, None] - ranks(X[:, j], Y[:, j])[None])
        agrees = difference <= tolerance * n
        weight += np.where(agrees, np.log(m[j] / u[j]), np.log((1 - m[j]) / (1 - u[j])))
    best = weight.max(axis=1)
    tied = (weight >= best[:, None] - TIE).sum(axis=1)
    return np.where(np.diag(weight) >= best - TIE, 1.0 / tied, 0.0)
