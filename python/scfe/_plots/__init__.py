"""Pictures of answers, by matplotlib: one file for each kind of picture, `look` has what they share.

Every function returns the figure. In a notebook a figure that is the last line of a cell is shown; elsewhere
`figure.savefig("picture.png")` writes it. Colours follow matplotlib's style in force, light or dark.
"""

from __future__ import annotations

from .batch import plot_batch
from .changes import plot_changes
from .groups import plot_groups
from .image import plot_image
from .path import plot_path

__all__ = ["plot_batch", "plot_changes", "plot_groups", "plot_image", "plot_path"]
