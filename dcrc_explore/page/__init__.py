"""An exploration as one HTML file that anybody opens from disk, without Python or a network."""

from dcrc_explore.page.document import document
from dcrc_explore.page.recording import Film, Recording
