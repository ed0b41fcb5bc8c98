"""Figures: values and how they are drawn. They are drawn when a picture is asked for."""

from __future__ import annotations

import copy
import json
import os
from typing import TYPE_CHECKING, Any

from . import _core, _picture
from ._carried import Stamps, stamps, with_files
from ._described import Words
from ._errors import Lint, in_keywords, keywords, refuse_denied, warn_lints
from ._notebook import ended
from ._numbers import refuse_fractions
from ._plain import get, put
from ._signatures import spelled_out
from ._sources.planes import default_labels
from ._sources.source import Source, as_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from ._grid import Grid
    from ._options import AllOptions


#: What does here what attributes of figures and axes of matplotlib do.
_INSTEAD = {
    "savefig": "save(path)",
    "plot": "show()",
    "set": "with_(title=..., xlabel=..., ylabel=...)",
    "set_title": "with_(title=...)",
    "set_xlabel": "with_(xlabel=...)",
    "set_ylabel": "with_(ylabel=...)",
    "data2d": "grids[0].to_pandas()",
    "dendrogram_row": "grids[0].rows.labels",
    "dendrogram_col": "grids[0].columns.labels",
    "xaxis": "with_(xlabel=..., xticks=..., x_labels=...)",
    "yaxis": "with_(ylabel=..., yticks=..., y_labels=...)",
}


class Figure:
    """A heatmap: values that were read once, and how they are drawn.

    `gridscope.heatmap` makes figures. A figure does not change: `with_` gives another one, which shares the values.
    In a notebook it shows itself.

    See Also
    --------
    gridscope.heatmap : A figure of a table or an array.
    gridscope.read : A figure of files.

    Examples
    --------
    >>> import gridscope as gs
    >>> fig = gs.heatmap([[1, 2], [3, 4]], cmap="Blues", annot=True)
    >>> fig
    <gridscope.Figure: 2 x 2>
    >>> fig.to_png()[1:4]
    b'PNG'
    """

    __slots__ = ("__weakref__", "_data", "_is_placed", "_keys", "_seen", "_source", "_stamps", "_words")

    _data: _core.Data
    _stamps: Stamps

    def __init__(self, source: Source, words: Words, older: Figure | None = None) -> None:
        asked = words.keys
        with keywords(progress=source.progress):
            keys = source.adapted(default_labels(asked, source.defaults))
            # A wrong value is refused where it is given, before a large file is read.
            _core.check_figure(as_json(keys))
            read = with_files(keys, source.placed) if source.copies else keys
            # Files that are read when it is drawn, as a font, may be others than those of the older figure.
            found = stamps(source, read)
            if older and older._data.serves(as_json(source.reading(read))):
                data = older._data
                found |= older._stamps
            else:
                with ended(source.progress):
                    data = source.read(read)
            if get(keys, "annotations.show") != "off":
                refuse_fractions(get(keys, "annotations.fmt"), data)
        self._source = source
        self._words = words
        # A picture describes its files by the paths that they had; only a font is read when it is drawn.
        self._keys = {**keys, "font": read["font"]} if read.get("font") else keys
        self._data = data
        #: The files that were read, as they were then.
        self._stamps = found
        self._seen: set[tuple[str, str | None, str]] = set()
        self._is_placed = False

    @classmethod
    @spelled_out
    def from_file(cls, path: str | os.PathLike[str], **options: Unpack[AllOptions]) -> Figure:
        """A figure that a figure file describes.

        Parameters
        ----------
        path : path
            A figure file, TOML or JSON; the paths in it are relative to its folder.
        **options
            Keywords as of `heatmap`, over those of the file.

        Returns
        -------
        Figure

        Raises
        ------
        InputError
            A file that cannot be read, or a key or value that does not exist; `place` names it.

        Examples
        --------
        >>> import gridscope as gs
        >>> with open("cells.csv", "w") as file:
        ...     _ = file.write("1,2\\n3,4\\n")
        >>> with open("figure.toml", "w") as file:
        ...     _ = file.write('title = "Cells"\\n[data]\\nfile = "cells.csv"\\n')
        >>> gs.Figure.from_file("figure.toml", cmap="magma")
        <gridscope.Figure: 2 x 2>
        """
        from ._sources.files import FileSource
        from ._sources.source import Request

        with keywords("path"):
            text, files = _core.Data.figure_file(os.path.abspath(os.fspath(path)))
        given: dict[str, Any] = dict(options)
        ax = given.pop("ax", None)
        words = Words(json.loads(text), given)
        return placed(cls(FileSource(files, Request(beside=words.beside)), words), ax)

    @spelled_out
    def with_(self, **options: Unpack[AllOptions]) -> Figure:
        """The figure with other options. Values are read again only where the options choose other ones.

        Parameters
        ----------
        **options
            Keywords as of `heatmap`; None takes back what a keyword said. With `ax` the figure is drawn into axes of matplotlib.

        Returns
        -------
        Figure

        Examples
        --------
        >>> import gridscope as gs
        >>> fig = gs.heatmap([[1, 2], [3, 4]])
        >>> dark = fig.with_(theme="dark", cmap="magma")
        """
        given: dict[str, Any] = dict(options)
        ax = given.pop("ax", None)
        return placed(self._changed(given), ax)

    def _changed(self, options: dict[str, Any]) -> Figure:
        """The figure with other options, drawn nowhere."""
        figure = type(self)(self._source, self._words.changed(options), self)
        if figure._data is self._data:
            # What was said of these values once is not said again.
            figure._seen = set(self._seen)
        return figure

    def _draw(
        self, form: str, *, bare: bool = False, metadata: bool = True, deny: bool = True, called: bool = True
    ) -> _picture.Picture:
        progress = self._source.progress
        with keywords(progress=progress), ended(progress):
            keys = as_json(self._keys)
            drawn, size, lints = self._data.draw(keys, form, bare=bare, metadata=metadata, progress=progress)
        denied = warn_lints([*_lints(self._data.lints()), *_lints(lints)], self._seen, called=called)
        picture = _picture.Picture(drawn, size, denied)
        if deny:
            refuse_denied(denied)
        return picture

    def to_png(self, *, bare: bool = False, metadata: bool = True) -> bytes:
        """The figure as a PNG file.

        Parameters
        ----------
        bare : bool
            Only the cells of the one panel, without text and margins; absent cells are transparent.
        metadata : bool
            Whether the file holds the description of the figure.

        Returns
        -------
        bytes
        """
        return self._draw("png", bare=bare, metadata=metadata).data

    def to_svg(self, *, bare: bool = False, metadata: bool = True) -> str:
        """The figure as the text of an SVG file; parameters as of `to_png`.

        Examples
        --------
        >>> import gridscope as gs
        >>> gs.heatmap([[1, 2], [3, 4]]).to_svg()[:5]
        '<?xml'
        """
        return self._draw("svg", bare=bare, metadata=metadata).data.decode()

    def to_pdf(self, *, bare: bool = False, metadata: bool = True) -> bytes:
        """The figure as a PDF file; parameters as of `to_png`.

        Examples
        --------
        >>> import gridscope as gs
        >>> gs.heatmap([[1, 2], [3, 4]]).to_pdf()[:4]
        b'%PDF'
        """
        return self._draw("pdf", bare=bare, metadata=metadata).data

    def to_numpy(self, *, bare: bool = False) -> NDArray[np.uint8]:
        """The pixels of the figure.

        Returns
        -------
        ndarray of uint8, shape (height, width, 4)
            Red, green, blue and straight alpha; row 0 is at the top.

        Examples
        --------
        >>> import gridscope as gs
        >>> gs.heatmap([[1, 2], [3, 4]], width="4in", height="3in", dpi=100).to_numpy().shape
        (300, 400, 4)
        """
        import numpy as np

        picture = self._draw("rgba", bare=bare)
        width, height = picture.size
        return np.frombuffer(picture.data, dtype=np.uint8).reshape(height, width, 4).copy()

    @spelled_out
    def save(
        self, *paths: Any, format: str | None = None, bare: bool = False, metadata: bool = True, **options: Unpack[AllOptions]
    ) -> None:
        """Saves the figure, in several formats if wanted.

        All pictures are drawn before the first is written. Each appears whole, or the older file stays.

        Parameters
        ----------
        *paths : path or binary file
            Where to; the end of a name is the format: ``.png``, ``.svg`` or ``.pdf``.
        format : {"png", "svg", "pdf"}, optional
            The format of all, where names do not say it.
        bare, metadata
            As of `to_png`.
        **options
            Keywords as of `heatmap` for these pictures, such as ``dpi=300``.

        Raises
        ------
        OutputError
            A file that cannot be written.
        DeniedLintError
            After the files are written, if a warning arose that ``deny`` names.

        Examples
        --------
        >>> import gridscope as gs, tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     gs.heatmap([[1, 2], [3, 4]]).save(f"{folder}/a.png", f"{folder}/a.svg")
        ...     sorted(os.listdir(folder))
        ['a.png', 'a.svg']
        """
        figure = self._changed(dict(options)) if options else self
        targets = _picture.targets(paths, format)
        drawn = {form: figure._draw(form, bare=bare, metadata=metadata, deny=False) for form in {t.form for t in targets}}
        self._seen |= figure._seen
        _picture.write([(target, drawn[target.form].data) for target in targets])
        refuse_denied(next((p.denied for p in drawn.values() if p.denied), []))

    def show(self, *, block: bool | None = None) -> None:
        """Opens the figure in a window, where it can be zoomed and changed.

        The window belongs to another process. Values that are in memory are handed over in a temporary folder, which the
        window removes.

        Parameters
        ----------
        block : bool, optional
            Whether to wait until the window is closed: yes, unless Python is interactive.

        Raises
        ------
        DeviceError
            If there is no display. Only where the call waits.
        """
        from ._window import open_window

        open_window(self, block)

    @property
    def lints(self) -> list[Lint]:
        """The warnings about values and picture, each a `Lint`. Asking for them draws the figure, and warns of nothing.

        Examples
        --------
        >>> import gridscope as gs
        >>> [lint.name for lint in gs.heatmap([[1, None], [3, 4]]).lints]
        ['nan']
        """
        with keywords():
            _, _, lints = self._data.draw(as_json(self._keys), "rgba")
        found = [*_lints(self._data.lints()), *_lints(lints)]
        once = {(lint.name, lint.panel, lint.text): lint for lint in found if lint.kind != "note"}
        return list(once.values())

    def report(self) -> dict[str, Any]:
        """What the figure shows: panels with counts and extremes, scales, reduction, warnings; as ``gridscope render --json``.

        Examples
        --------
        >>> import gridscope as gs
        >>> gs.heatmap([[1, 2], [3, 4]], vmax=3).report()["panels"][0]["above"]
        1
        """
        with keywords():
            made: dict[str, Any] = json.loads(self._source.without_copies(self._data.report(as_json(self._keys))))
        return made

    def info(self) -> dict[str, Any]:
        """What the values are: shape, axes, states, extremes and where they are; as ``gridscope info --json``.

        Examples
        --------
        >>> import gridscope as gs
        >>> gs.heatmap([[1, 2], [3, 4]]).info()["panels"][0]["mean"]
        2.5
        """
        with keywords():
            made: dict[str, Any] = json.loads(self._source.without_copies(self._data.info()))
        return made

    @property
    def grids(self) -> list[Grid]:
        """The values of each panel with labels, after all that changes them: merging, masks, order, differences.

        Examples
        --------
        >>> import gridscope as gs
        >>> gs.heatmap([[1, 2], [3, 4]], transpose=True).grids[0].values
        array([[1, 3],
               [2, 4]])
        """
        from ._grid import grid_of

        with keywords():
            return [grid_of(parts) for parts in self._data.grids()]

    def to_toml(self) -> str:
        """The text of a figure file that describes the figure; for values in memory it has no ``file``.

        Examples
        --------
        >>> import gridscope as gs
        >>> print(gs.heatmap([[1, 2], [3, 4]], title="Cells", cmap="magma").to_toml())
        title = "Cells"
        <BLANKLINE>
        [color]
        cmap = "magma"
        <BLANKLINE>
        """
        from ._sources.files import FileSource

        keys = copy.deepcopy(self._keys)
        if isinstance(self._source, FileSource) and get(keys, "data.file") is None and not keys.get("panel"):
            put(keys, "data.file", list(self._source.paths))
        if self._source.copies:
            keys = with_files(keys, self._source.original)
        with keywords():
            return _core.figure_toml(as_json(keys))

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None, **_: Any
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if self._is_placed:
            # It is seen in its axes.
            return {}, {}
        return _picture.mimebundle(self._draw, get(self._keys, "size.dpi"), include, exclude)

    def __repr__(self) -> str:
        return f"<gridscope.Figure: {shapes(self._data)}>"

    def __reduce__(self) -> Any:
        from ._carried import carried, restored

        with keywords():
            return restored, carried(self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            instead = _INSTEAD.get(name)
            more = f"; {instead} does that" if instead else ""
            raise AttributeError(f"a Figure has no attribute {name!r}{more}")

    def __copy__(self) -> Figure:
        return self

    def __deepcopy__(self, memo: object) -> Figure:
        return self


def shapes(data: _core.Data) -> str:
    """The sides of the grids in words."""
    text = repr(data)
    return text.partition(": ")[2].rstrip(">")


def placed(figure: Figure, ax: Any) -> Figure:
    """The figure, drawn into axes or a figure of matplotlib unless there are none.

    Raises
    ------
    InputError
        What a figure cannot be drawn into.
    """
    if ax is not None:
        from ._axes_picture import place

        place(figure, ax)
        figure._is_placed = True
    return figure


def _lints(given: list[_core.Lint]) -> list[Lint]:
    return [Lint(name, panel, count, in_keywords(text), kind, denied) for name, panel, count, text, kind, denied in given]
