"""Describes what a matplotlib figure shows, as JSON beside its PNG. It imports neither the package nor matplotlib.

A figure is described when IPython formats it, before it is drawn, and is not changed by it. The form is `Plot` in
plots.py. A figure that cannot be described is shown without a description.

`plot_series.py` reads what is drawn, and `plot_values.py` prepares the numbers. An axes with content that no kind of
series describes is also drawn by itself (`plot_pictures.py`).
"""

from __future__ import annotations

import functools
import json
import math
import sys
from collections.abc import Callable, Iterable
from typing import Any

from plot_pictures import others, picture
from plot_points import colour_names, seen
from plot_series import Reader, days, frequency, view_of
from plot_values import SAMPLED, clean, floats, np, number, sampled, text_of

MIME = 'application/vnd.cibench.plot+json'
SIZE = 300_000
"""Most characters of a description: three quarters of the harness's limit, because that writes some numbers longer."""
PIXELS = 8_000_000
"""Most pixels of a figure as it is drawn: the harness keeps 10 million, and texts beside the axes may need more."""
POINTS = (SAMPLED, 200, 100, 50, 25)
"""Most points of a series: the first of these with which the description is within SIZE."""
AXES, SERIES, TICKS, TEXTS = 20, 50, 100, 200
"""Most axes of a figure, series of an axes, ticks of an axis and entries of a legend, texts of an axes."""
Written = tuple[str, list[Any], bool]
"""A text, its place ([] if not known), and whether an arrow points to it from the text."""


def attach(shell: Any) -> None:
    """Describe the figures that `shell` shows, also as objects of seaborn; this imports neither library."""
    formatter = shell.display_formatter.formatters['image/png']
    bundles = shell.display_formatter.mimebundle_formatter
    bundles.for_type_by_name('matplotlib.figure', 'Figure', functools.partial(_bundle, formatter))
    bundles.for_type_by_name('seaborn._core.plot', 'Plot', lambda plot: _of_object(plot.plot))
    bundles.for_type_by_name('seaborn._core.plot', 'Plotter', lambda plotter: _of_object(lambda: plotter))


def _bundle(formatter: Any, figure: Any) -> dict[str, str]:
    """What a figure shows, beside its PNG, which `formatter` makes afterwards."""
    try:
        pictures = _picture(formatter, figure)
    except Exception:  # noqa: BLE001  (code can make figures that fail in any way)
        pictures = {}
    return pictures | _description(figure)


def _of_object(made: Callable[[], Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a plot of seaborn's objects shows, and the size of its PNG; `made` draws it, perhaps on axes of the code.

    A figure of pyplot's is described when pyplot shows it.
    """
    try:
        if sys.modules['seaborn._core.plot'].Plot.config.display['format'] != 'png':
            return {}, {}
        plotter = made()
        picture, size = plotter._repr_png_()
    except Exception:  # noqa: BLE001  (IPython tries it again, and says what is wrong)
        return {}, {}
    pyplot, number = sys.modules.get('matplotlib.pyplot'), getattr(plotter._figure, 'number', None)
    described = {} if pyplot and pyplot.fignum_exists(number) else _description(plotter._figure)
    return {'image/png': picture} | described, {'image/png': size}


def _picture(formatter: Any, figure: Any) -> dict[str, str]:
    """The PNG of a figure that the code shows in other formats alone; others get one of bounded size by `formatter`.

    A method that is registered for a class goes before what is returned here.
    """
    try:
        printer = formatter.lookup(figure)
    except KeyError:
        from IPython.core.pylabtools import print_figure

        picture = _bounded(print_figure)(figure, base64=True)
        return {'image/png': picture} if picture else {}
    if not hasattr(printer, 'bounded'):
        formatter.for_type(type(figure), _bounded(printer))
    return {}


def _bounded(printer: Any) -> Any:
    """A method that draws a figure in at most about PIXELS."""

    def draw(figure: Any, **options: Any) -> Any:
        dense = 2 if 'retina' in getattr(getattr(printer, 'func', None), '__name__', '') else 1
        pixels = figure.get_figwidth() * figure.get_figheight() * (dense * figure.dpi) ** 2
        if pixels > PIXELS:
            options['dpi'] = dense * figure.dpi * (PIXELS / pixels) ** 0.5
        return printer(figure, **options)

    draw.bounded = True  # type: ignore[attr-defined]
    return draw


def _description(figure: Any) -> dict[str, str]:
    """The description of a figure by its MIME type; empty if there is none within SIZE."""
    try:
        plot = describe(figure)
        texts = (json.dumps(with_points(plot, points), separators=(',', ':'), allow_nan=False) for points in POINTS)
        return next(({MIME: text} for text in texts if len(text) <= SIZE), {})
    except Exception:  # noqa: BLE001  (code can make artists that fail in any way)
        return {}


def describe(figure: Any) -> dict[str, Any]:
    """The description of a figure; its series have all their points."""
    shown = [axes for axes in figure.axes[:AXES] if axes.get_visible() and axes.get_label() != '<colorbar>']
    bars = sum(axes.get_visible() and axes.get_label() == '<colorbar>' for axes in figure.axes)
    described = [_axes(axes, figure) for axes in shown]
    return {'title': text_of(figure._suptitle), 'axes': described, 'colour_bars': bars}


def with_points(plot: dict[str, Any], points: int) -> dict[str, Any]:
    """The description with at most `points` points per series."""
    axes = [{**one, 'series': [sampled(series, points) for series in one['series']]} for one in plot['axes']]
    return {**plot, 'axes': axes}


def _axes(axes: Any, figure: Any) -> dict[str, Any]:
    titles = [clean(axes.get_title(loc=place)) for place in ('left', 'center', 'right')]
    parts = _parts(axes, figure)
    legend = axes.get_legend()
    legends = [legend] if legend is not None else [one for part in (figure, *parts) for one in part.legends]
    series = Reader(axes, colour_names(legends)).series()
    unknown = others(axes)
    texts = written(axes)[:TEXTS]
    return {
        'kind': clean(axes.name),
        'title': ' '.join(filter(None, titles)) or ' '.join(filter(None, [text_of(part._suptitle) for part in parts])),
        'x': _axis(axes.xaxis),
        'y': _axis(axes.yaxis),
        'z': _axis(axes.zaxis) if hasattr(axes, 'zaxis') else None,
        'legend': list(filter(None, (text_of(entry) for one in legends for entry in one.get_texts())))[:TICKS],
        'texts': [text for text, _, _ in texts],
        'text_places': [place for _, place, _ in texts],
        'arrows': [at for at, (_, _, arrow) in enumerate(texts) if arrow],
        'series': series[:SERIES],
        'place': [number(end) for end in _place(axes, figure).extents],
        'turn': _turn(axes),
        'others': len(unknown),
        'picture': picture(axes) if unknown else '',
    }


def _parts(axes: Any, figure: Any) -> list[Any]:
    """The subfigures that contain an axes, the outermost first."""
    found: list[Any] = []
    part = axes.figure
    while part is not None and part is not figure:
        found.insert(0, part)
        part = getattr(part, '_parent', None)
    return found


def _place(axes: Any, figure: Any) -> Any:
    """The position of an axes in the figure; its own position is relative to its subfigure."""
    place = axes.get_position(original=True)
    return place if axes.figure is figure else place.transformed(axes.figure.transSubfigure - figure.transFigure)


def _axis(axis: Any) -> dict[str, Any]:
    places = [pair for pair in _ticks(axis) if pair[1]][:TICKS]
    return {
        'label': clean(axis.get_label_text()),
        'scale': _scale(axis),
        'view': [number(end) for end in view_of(axis)],
        'unit': _unit(axis),
        'categorical': _categories(axis) is not None,
        'ticks': [number(place) for place, _ in places],
        'tick_labels': [label for _, label in places],
    }


def _scale(axis: Any) -> str:
    """The name of a scale; one by functions, as seaborn's objects have them, has that of the scale that it equals."""
    name = clean(axis.get_scale())
    if name == 'function':
        places = np.linspace(*axis.get_view_interval(), 5)
        with np.errstate(all='ignore'):
            scales = {'linear': places, 'log': np.log(places)}
            try:
                made = np.asarray(axis.get_transform().transform(places), float)
            except Exception:  # noqa: BLE001  (the code's own function)
                return name
            shown, *known = ((at - at[0]) / (at[-1] - at[0]) for at in (made, *scales.values()))
        name = next((one for one, there in zip(scales, known, strict=True) if np.allclose(shown, there)), name)
    return name


def _turn(axes: Any) -> list[float]:
    """The direction of polar angles or of a pie's wedges, and where they begin, in degrees; empty for other axes."""
    wedges = [patch for patch in axes.patches if hasattr(patch, 'theta1')]
    if wedges:
        clockwise = any(abs(wedge.theta2 - wedges[0].theta1) < 1e-3 for wedge in wedges[1:2])
        return [-1.0 if clockwise else 1.0, round(wedges[0].theta2 if clockwise else wedges[0].theta1, 3) % 360]
    if not hasattr(axes, 'get_theta_direction'):
        return []
    return [float(axes.get_theta_direction()), round(math.degrees(axes.get_theta_offset()) % 360, 3)]


def _unit(axis: Any) -> str:
    """`date` if the numbers of an axis are days since 1970, else empty."""
    converter = getattr(axis, 'get_converter', lambda: getattr(axis, 'converter', None))()
    period = axis.axis_name == 'x' and frequency(axis.axes) is not None
    return 'date' if period or any('Date' in kind.__name__ for kind in type(converter).__mro__) else ''


def _categories(axis: Any) -> Any:
    """Category -> its place; None without categories."""
    return getattr(axis.units, '_mapping', None)


def _ticks(axis: Any) -> list[tuple[float, str]]:
    """Finite places and labels of ticks whose labels were given; labels that follow from the numbers say nothing."""
    formatter, locator = axis.get_major_formatter(), axis.get_major_locator()
    given = getattr(getattr(formatter, 'func', None), 'args', ())
    pairs: Iterable[tuple[Any, Any]] = ()
    if given and isinstance(given[0], dict):
        pairs = given[0].items()
    elif getattr(getattr(formatter, 'func', None), '__module__', '').startswith('pandas.'):
        pairs = [(place, formatter.func(place, number)) for number, place in enumerate(locator())]
    elif hasattr(formatter, 'seq') and hasattr(locator, 'locs'):
        pairs = zip(locator.locs, formatter.seq, strict=False)
    elif _categories(axis):
        pairs = ((place, label) for label, place in _categories(axis).items())
    return sorted((float(place), clean(label)) for place, label in pairs if math.isfinite(place))


def written(axes: Any) -> list[Written]:
    """The texts of an axes and the cells of its tables."""
    found = [
        (text_of(text), _text_place(axes, text), getattr(text, 'arrow_patch', None) is not None)
        for text in axes.texts
        if seen(text)
    ]
    found += [(text_of(cell.get_text()), [], False) for table in axes.tables for cell in table.get_celld().values()]
    return [one for one in found if one[0]]


def _text_place(axes: Any, text: Any) -> list[Any]:
    """The place that a text is about, in the units of the axes; [] if the code does not give it by the data."""
    at: Any = getattr(text, 'xycoords', 'data')
    if axes.name == '3d' or (at != 'data' and not callable(at) and not hasattr(at, 'get_bbox')):
        return []
    if at != 'data':  # a share of a bar, or of what a function gives, as `bar_label` has it
        box = at(None) if callable(at) else at.get_window_extent()
        x, y = axes.transData.inverted().transform(box.min + np.multiply(text.xy, box.size))
    elif hasattr(text, 'xy'):
        x, y = axes.convert_xunits(text.xy[0]), axes.convert_yunits(text.xy[1])
    elif text.get_transform().contains_branch(axes.transData):
        x, y = text.get_unitless_position()
    else:
        return []
    periods = frequency(axes)
    place = [number(end) for end in floats([x, y] if periods is None else [*days(floats([x]), periods), y])]
    return [] if None in place else place
