"""A bound on a tree that grows with what it meets, whose outcome no order changes."""


class Budget:
    """How many nodes a tree may have, and to which depth it is kept as a result.

    Where the nodes down to some depth become too many, the tree is kept to less. How many there
    are down to a depth does not depend on the order they were met in, and so neither does this.
    """

    __slots__ = ("_nodes", "_per_depth", "depth")

    def __init__(self, nodes: int, depth: int) -> None:
        self.depth = depth
        self._nodes = nodes
        self._per_depth = [0] * (depth + 1)

    def take(self, depth: int) -> bool:
        """Whether a node may be made at `depth` (the root's is 0); counts it where it may."""
        if depth > self.depth:
            return False
        self._per_depth[depth] += 1
        while self.depth > 0 and sum(self._per_depth[: self.depth + 1]) > self._nodes:
            self.depth -= 1
        return depth <= self.depth
