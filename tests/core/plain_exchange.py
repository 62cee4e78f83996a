"""RGMAT and EGMMAT written plainly: every pair that is drawn is tried."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise

import numpy as np

LEAST_GAIN = 1e-12
WORD = 2**64


class Stream:
    """Random numbers of SplitMix64, those of `node` under `seed`."""

    STEP = 0x9E3779B97F4A7C15

    def __init__(self, seed, node):
        self.state = self._mixed(self._mixed(seed + self.STEP) + node * self.STEP)

    def index(self, bound):
        """A whole number from 0 to bound − 1."""
        self.state = (self.state + self.STEP) % WORD
        return int((self._mixed(self.state) >> 11) / 2**53 * bound)

    def draw(self, items, count):
        """Bring `count` of the items, drawn without replacement, to the front."""
        for i in range(count):
            j = i + self.index(len(items) - i)
            items[i], items[j] = items[j], items[i]

    @staticmethod
    def _mixed(word):
        word %= WORD
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
        return word ^ (word >> 31)


def sse_of(rows):
    return float(np.square(rows - rows.mean(axis=0)).sum())


def sse(points, labels):
    return sum(sse_of(points[labels == g]) for g in range(labels.max() + 1))


def repeat(one_pass, patience, max_epochs):
    """Passes until `patience` of them bring nothing."""
    idle = 0
    for _ in range(max_epochs):
        idle = 0 if one_pass() else idle + 1
        if idle == patience:
            return


class Groups:
    """Members of groups, in an order that exchanges keep."""

    def __init__(self, points, labels):
        self.points, self.labels = points, np.array(labels)
        self.members = [list(np.flatnonzero(labels == g)) for g in range(max(labels) + 1)]

    def try_exchange(self, x, y):
        a, b = self.labels[x], self.labels[y]
        if a == b:
            return False
        with_y = [y if member == x else member for member in self.members[a]]
        with_x = [x if member == y else member for member in self.members[b]]
        before = sse_of(self.points[self.members[a]]) + sse_of(self.points[self.members[b]])
        after = sse_of(self.points[with_y]) + sse_of(self.points[with_x])
        if before - after <= LEAST_GAIN:
            return False
        self.members[a], self.members[b] = with_y, with_x
        self.labels[x], self.labels[y] = b, a
        return True


def plain_egmmat(points, order, k, dome_size, rates, patience, max_epochs, seed):
    n, order = len(points), list(order)
    n_domes, n_grouped = max(n // dome_size, 1), n // k * k
    cuts = [dome * dome_size for dome in range(n_domes)] + [n]
    for low, high in pairwise(cuts):
        dome = order[low:high]
        Stream(seed, low).draw(dome, len(dome))
        order[low:high] = dome
    groups = Groups(points[order[:n_grouped]], np.arange(n_grouped) // k)
    stretches = [*pairwise([*cuts[:-1], n_grouped]), (0, n_grouped)]
    for number, (low, high) in enumerate(stretches):
        stream, records = Stream(seed + 1, number), list(range(low, high))
        for rate in rates:
            one_pass = partial(random_pairs_pass, groups, records, rate, stream)
            repeat(one_pass, patience, max_epochs)
    labels = np.full(n, -1)
    labels[order[:n_grouped]] = groups.labels
    return labels


def random_pairs_pass(groups, records, rate, stream):
    improved = False
    count = max(int(rate * len(records)), 1)
    stream.draw(records, count)
    for x in records[:count]:
        improved |= groups.try_exchange(x, records[stream.index(len(records))])
    return improved


def plain_rgmat(points, k, crossover_rate, mutation_rate, patience, max_epochs, seed):
    leaves = []

    def split(records, node):
        if len(records) < 2 * k:
            leaves.append(records)
            return
        count = left_size(len(records), k)
        records = farthest_first(points, records, count)
        left, right = records[:count], records[count:]
        crossover(points, left, right, crossover_rate, patience, max_epochs, Stream(seed, node))
        split(left, 2 * node)
        split(right, 2 * node + 1)

    split(list(range(len(points))), 1)
    labels = np.empty(len(points), dtype=np.int64)
    for number, leaf in enumerate(leaves):
        labels[leaf] = number
    mutate(points, labels, k, mutation_rate, Stream(seed, 0))
    return labels


def left_size(n, k):
    """A multiple of 2 and k up to n/2; of k alone where that would be nothing."""
    return n // 2 // math.lcm(2, k) * math.lcm(2, k) or n // 2 // k * k


def farthest_first(points, records, count):
    """The record farthest from the mean and its nearest come first, in the order of quickselect."""
    mean = points[records].mean(axis=0)
    seed = max(records, key=lambda i: (np.square(points[i] - mean).sum(), -i))
    keys = [(i != seed, np.square(points[i] - points[seed]).sum(), i) for i in records]
    low, high = 0, len(keys) - 1
    while low < high:
        pivot, i, j = keys[(low + high) // 2], low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                i, j = i + 1, j - 1
        if j < count - 1 < i:
            break
        low, high = (low, j) if count - 1 <= j else (i, high)
    return [record for _, _, record in keys]


def crossover(points, left, right, rate, patience, max_epochs, stream):
    pairs = max(int(rate * min(len(left), len(right))), 1)
    sums = [points[side].sum(axis=0) for side in (left, right)]
    weight = 1 / len(left) + 1 / len(right)

    def one_pass():
        improved = False
        stream.draw(left, pairs)
        stream.draw(right, pairs)
        for i in range(pairs):
            delta = points[right[i]] - points[left[i]]
            between = sums[0] / len(left) - sums[1] / len(right)
            if 2 * delta @ between + weight * delta @ delta > LEAST_GAIN:
                sums[:] = sums[0] + delta, sums[1] - delta
                left[i], right[i] = right[i], left[i]
                improved = True
        return improved

    repeat(one_pass, patience, max_epochs)


def mutate(points, labels, k, rate, stream):
    """Records that their group can spare move to the group where they lower the SSE most."""
    records = list(range(len(points)))
    count = int(rate * len(points))
    stream.draw(records, count)
    for x in records[:count]:
        own, sizes = labels[x], np.bincount(labels)
        if sizes[own] == k:
            continue
        best, least = own, sse(points, labels) - LEAST_GAIN
        for g in np.flatnonzero(sizes < 2 * k - 1):
            labels[x] = g
            if g != own and sse(points, labels) < least:
                best, least = g, sse(points, labels)
        labels[x] = best


def plain_leaf_exchanges(points, labels, close, rate, max_epochs, seed):
    groups, stream = Groups(points, labels), Stream(seed + 1, 0)
    records = list(range(len(points)))
    count = int(rate * len(points))
    for _ in range(max_epochs):
        stream.draw(records, count)
        for x in records[:count]:
            near = groups.members[close[groups.labels[x], stream.index(close.shape[1])]]
            groups.try_exchange(x, near[stream.index(len(near))])
    return groups.labels
