"""Which variables drive the grouping."""

from covey.selection.dependence_tree import DependenceTree, Edge, Tree

__all__ = ["DependenceTree", "Edge", "Tree"]
