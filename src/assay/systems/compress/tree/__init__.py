"""Constituent trees, and what is deleted, reduced or rewritten in them: for decision-tree, tree-transducer and t3."""
