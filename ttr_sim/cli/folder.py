"""The option type of a run folder that the user names, here or at a place that fsspec knows."""

from pathlib import Path
from typing import Any

import click


class FolderType(click.Path):
    """A path; the empty text, which would be the working folder, is refused."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        if isinstance(value, str) and not value.strip():
            self.fail("a folder must be named, the text is empty; . is the working folder", param, ctx)
        if isinstance(value, str) and "://" in value:
            from ttr_sim.results.storage import place

            return place(value)
        return super().convert(value, param, ctx)


FOLDER = FolderType()
