"""How near to the best a partition is: lower bounds on the loss, and certificates."""

from covey.bounds.bound import LowerBound
from covey.bounds.bounding import lower_bound
from covey.bounds.certificate import Certificate, certify

__all__ = ["Certificate", "LowerBound", "certify", "lower_bound"]
