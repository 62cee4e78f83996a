"""What each measure means, in a sentence for people who do not know it."""

from __future__ import annotations

MEANINGS = {
    "il": "Share of the variance that disappeared inside the groups.",
    "g_il": (
        "Mean relative change of values, means, variances and covariances, and of correlations "
        "(Oommen & Fayyoumi 2010). It divides by values that may be near zero and can be huge."
    ),
    "il_domingo_torra": "The five statistics of G_IL again (Domingo-Ferrer & Torra 2001).",
    "il1s": "How far values moved on average, in standard deviations.",
    "eigenvalues": "How much a principal component analysis would see change.",
    "per_variable": "Mean share of the variance that the single variables lost.",
    "categories": (
        "Share of records whose category changed, mean over the nominal quasi-identifiers; strata "
        "do not count, for no group crosses them."
    ),
    "g_dr": "Mean of record linkage and interval disclosure (Oommen & Fayyoumi 2010).",
    "dr_domingo_torra": (
        "A quarter each of distance and probabilistic linkage, and half of interval disclosure by "
        "values (Domingo-Ferrer & Torra 2001)."
    ),
    "interval": (
        "Records whose original values all lie within a narrow interval around the released ones."
    ),
    "interval_values": (
        "Single original values that lie within a narrow interval around the released ones."
    ),
    "record_linkage": (
        "Released records whose own original is among the two nearest, for an intruder who holds "
        "original values."
    ),
    "distance_linkage": "Originals that are nearest to their own released record, ties shared.",
    "probabilistic_linkage": "Originals linked rightly by agreement of values, ties shared.",
    "outlier_linkage": "Distance linkage of the most extreme 5 % of the records.",
    "dominance": "Group means to which one record contributes nearly everything.",
    "l_diversity": "Records in groups that share a single value of a confidential variable.",
}
