"""Features of items, found by name: of photos, pixels, texts and sounds, by a network in a file, or by a function."""

from dcrc_explore.embeddings.registry import default_features, list_features, make_item_features

__all__ = ["list_features"]
