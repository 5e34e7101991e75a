"""The plane that pictures are drawn in: where points lie, and the model on a grid of it."""

from dcrc_explore.plane.surface import ASPECT, Extent, Surface, grid_axes, grid_points, part_of, plane_extent
from dcrc_explore.plane.view import View

__all__ = ["Surface", "plane_extent"]
