"""Oommen & Fayyoumi (2007), Table 2, cell by cell: the sweeps over n, d and k.

Times are in seconds, on a Pentium M of 1.73 GHz with 512 MB. Figures 2 to 4 of their 2010 paper
draw the same sweeps (the one over n with k = 3) and print no cells.
"""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """IL in percent and seconds."""

    mdav_il: float
    mdav_seconds: float
    iamat_il: float
    iamat_seconds: float


# n, with d = 10 and k = 4 (the paper counts in thousands)
RECORDS: dict[tuple[str, int], Published] = {
    ("normal", 10_000): Published(13.9376, 12.05, 12.2106, 29.37),
    ("normal", 20_000): Published(11.9354, 48.9, 10.3653, 120.37),
    ("normal", 30_000): Published(10.8849, 111.84, 9.4488, 277.2),
    ("normal", 40_000): Published(10.2238, 200.42, 8.8732, 494.94),
    ("normal", 50_000): Published(9.7234, 315.04, 8.4382, 773.92),
    ("normal", 60_000): Published(9.3513, 457.5, 8.1119, 1115.69),
    ("normal", 70_000): Published(9.0358, 623.89, 7.8243, 1520.94),
    ("normal", 80_000): Published(8.7898, 809.397, 7.6063, 1981.06),
    ("normal", 90_000): Published(8.5584, 1044.77, 7.401, 2505.86),
    ("normal", 100_000): Published(8.3799, 1512.68, 7.2293, 3413.98),
    ("uniform", 10_000): Published(13.9202, 12.24, 12.2069, 29.96),
    ("uniform", 20_000): Published(11.9617, 63.15, 10.4275, 145.09),
    ("uniform", 30_000): Published(10.9228, 143.17, 9.4976, 328.02),
    ("uniform", 40_000): Published(10.2733, 222.74, 8.9063, 526.37),
    ("uniform", 50_000): Published(9.7694, 389.45, 8.4574, 903.39),
    ("uniform", 60_000): Published(9.3707, 644.32, 8.1338, 1386.01),
    ("uniform", 70_000): Published(9.0776, 629.73, 7.8523, 1500.12),
    ("uniform", 80_000): Published(8.8183, 1002.77, 7.6247, 1959.25),
    ("uniform", 90_000): Published(8.5885, 1252.61, 7.414, 2485.42),
    ("uniform", 100_000): Published(8.3933, 1656.9, 7.2456, 3546.72),
}

# d, with n = 10,000 and k = 3
VARIABLES: dict[tuple[str, int], Published] = {
    ("normal", 10): Published(10.5383, 13.53, 9.4821, 30.14),
    ("normal", 20): Published(24.3766, 24.3, 22.3577, 41.26),
    ("normal", 30): Published(32.6044, 35.5, 29.9938, 69.79),
    ("normal", 40): Published(37.5679, 47.0, 34.8732, 64.98),
    ("normal", 50): Published(40.8705, 40.87, 38.2173, 67.87),
    ("normal", 60): Published(43.3104, 70.01, 40.7761, 89.88),
    ("normal", 70): Published(45.3212, 82.78, 42.7483, 104.6),
    ("normal", 80): Published(46.8119, 93.78, 44.3459, 113.17),
    ("uniform", 10): Published(10.5437, 13.75, 9.44, 33.87),
    ("uniform", 20): Published(24.4692, 25.03, 22.2454, 46.4),
    ("uniform", 30): Published(32.5113, 36.67, 29.9711, 60.0),
    ("uniform", 40): Published(37.4627, 47.18, 34.8052, 72.68),
    ("uniform", 50): Published(40.8427, 58.78, 38.247, 85.98),
    ("uniform", 60): Published(43.3912, 69.48, 40.8478, 98.81),
    ("uniform", 70): Published(45.3778, 81.45, 42.8263, 112.48),
    ("uniform", 80): Published(46.8533, 97.1, 44.4367, 132.42),
}

# k, with n = 10,000 and d = 10
GROUP_SIZES: dict[tuple[str, int], Published] = {
    ("normal", 3): Published(10.5383, 13.53, 9.4821, 32.96),
    ("normal", 4): Published(13.9376, 11.93, 12.2106, 28.79),
    ("normal", 5): Published(16.5221, 11.17, 14.4167, 26.67),
    ("normal", 6): Published(18.7797, 10.68, 16.465, 26.86),
    ("normal", 7): Published(20.3782, 10.32, 18.0344, 25.48),
    ("normal", 8): Published(21.6869, 10.12, 19.1562, 26.67),
    ("normal", 9): Published(22.8931, 9.87, 20.4255, 24.92),
    ("normal", 10): Published(23.8439, 9.07, 21.4969, 26.06),
    ("uniform", 3): Published(10.5437, 13.75, 9.44, 33.87),
    ("uniform", 4): Published(13.9202, 12.24, 12.2069, 29.96),
    ("uniform", 5): Published(16.402, 11.45, 14.4091, 29.32),
    ("uniform", 6): Published(18.5484, 10.96, 16.4152, 28.78),
    ("uniform", 7): Published(20.2887, 10.56, 18.0431, 28.28),
    ("uniform", 8): Published(21.5464, 10.31, 19.1668, 26.32),
    ("uniform", 9): Published(22.7587, 10.07, 20.3952, 26.02),
    ("uniform", 10): Published(23.6922, 9.92, 21.452, 25.92),
}
