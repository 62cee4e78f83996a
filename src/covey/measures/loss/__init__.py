"""What a release loses, one measure a file."""

from covey.measures.loss.categories import CategoryLosses, category_losses
from covey.measures.loss.eigenvalues import EigenvalueLoss, eigenvalues
from covey.measures.loss.g_il import GeneralLoss, g_il
from covey.measures.loss.il import InformationLoss, il
from covey.measures.loss.il1s import ScaledLoss, il1s
from covey.measures.loss.il_domingo_torra import DomingoTorraLoss, il_domingo_torra
from covey.measures.loss.per_variable import VariableLosses, per_variable

__all__ = [
    "CategoryLosses",
    "DomingoTorraLoss",
    "EigenvalueLoss",
    "GeneralLoss",
    "InformationLoss",
    "ScaledLoss",
    "VariableLosses",
    "category_losses",
    "eigenvalues",
    "g_il",
    "il",
    "il1s",
    "il_domingo_torra",
    "per_variable",
]
