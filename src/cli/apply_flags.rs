//! The flags of the command line, applied to a figure: a flag overrides the key of the figure file.

use super::args::Source;
use super::diagnostics::Failure;
use gridscope_core::figure::{
    Annotate, Figure, List, Marks, Masks, Order, Reverse, Strip, StripAxis, Strips,
};
use gridscope_core::notation::{Literal, ParseError};
use gridscope_core::text::with_breaks;
use gridscope_core::view::Part;
use gridscope_draw::error::Error;
use gridscope_draw::resolve::ResolveError;
use gridscope_read::assign;

/// Sets every key whose flag is given.
///
/// # Errors
/// A part of an axis that is not one and a wrong `--set`: they are refused as in a figure file.
pub(super) fn apply_flags(source: &Source, figure: &mut Figure) -> Result<(), Failure> {
    data(source, figure);
    panel_data(source, figure);
    view(source, figure)?;
    axes(source, figure);
    source.order.apply(figure);
    color(source, figure);
    look(source, figure);
    strip(source, figure)?;
    *figure = assign(figure, &source.figure.set)?;
    Ok(())
}

/// Checks that a norm and a centre that are both given go together.
///
/// # Errors
/// A norm that would ignore the centre.
pub(super) fn check_center(source: &Source) -> Result<(), Failure> {
    let a = &source.color;
    let norm = a.norm.as_deref().and_then(|norm| norm.about(a.center));
    match norm.filter(|norm| a.center.is_some() && norm.traits().center.is_none()) {
        Some(norm) => Err(Failure::usage(format!(
            "--center: a {norm} norm has no centre; hint: leave out one of the two, or --norm twoslope"
        ))),
        None => Ok(()),
    }
}

fn set<T: Clone>(target: &mut Option<T>, flag: &Option<T>) {
    if flag.is_some() {
        target.clone_from(flag);
    }
}

/// Sets a text. A shell passes a backslash and an n on as they are: they are a line break.
fn text(target: &mut Option<String>, flag: &Option<String>) {
    set(target, &flag.as_deref().map(with_breaks));
}

/// Takes back what a panel says where a flag is given.
fn clear<T, F>(own: &mut Option<T>, flag: &Option<F>) {
    if flag.is_some() {
        *own = None;
    }
}

fn list(target: &mut Option<List>, flag: &Option<String>) {
    if let Some(text) = flag {
        *target = Some(List::from_flag(text));
    }
}

fn many(target: &mut Option<List>, flag: &[String]) {
    if !flag.is_empty() {
        *target = Some(List(flag.to_vec()));
    }
}

fn data(source: &Source, figure: &mut Figure) {
    let (a, d) = (&source.data, &mut figure.data);
    list(&mut d.x, &a.x);
    list(&mut d.y, &a.y);
    // `column` in the tables [x] and [y] would override the flags.
    if a.x.is_some() {
        figure.x.column = None;
    }
    if a.y.is_some() {
        figure.y.column = None;
    }
    list(&mut d.value, &a.value);
    // Panels are named in one of two ways: the flags' way replaces the file's.
    if a.panel.is_some() {
        (d.panel_row, d.panel_column, d.drop_empty) = (None, None, None);
        (figure.panel_row_order, figure.panel_column_order) = (None, None);
    } else if a.panel_row.is_some() || a.panel_column.is_some() {
        d.panel = None;
        figure.panel_order = None;
    }
    list(&mut d.panel, &a.panel);
    set(&mut d.panel_row, &a.panel_row);
    set(&mut d.panel_column, &a.panel_column);
    set(&mut d.drop_empty, &a.drop_empty.then_some(true));
    set(&mut d.agg, &a.agg);
    set(&mut d.better, &a.better);
    set(&mut d.min_count, &a.min_count);
    set(&mut d.table, &a.table);
    set(&mut d.transpose, &a.transpose.then_some(true));
    many(&mut d.filter, &a.filter);
    set(&mut d.pending, &a.pending);
    if !a.mask.is_empty() {
        d.mask = Some(Masks(a.mask.clone()));
    }
    set(&mut d.key, &a.key);
    many(&mut d.slice, &a.slice);
    set(&mut d.header, &a.header);
    set(&mut d.skip_rows, &a.skip_rows);
    set(&mut d.units_row, &a.units_row.then_some(true));
    set(&mut d.delimiter, &a.delimiter);
    set(&mut d.decimal, &a.decimal);
    set(&mut d.thousands, &a.thousands);
    list(&mut d.missing, &a.missing);
    set(&mut d.nodata, &a.nodata);
    set(&mut d.json_nan, &a.json_nan.then_some(true));
    set(&mut d.raw, &a.raw.as_ref().map(|words| words.join(" ")));
    let values = &source.values;
    let given = [&values.minus, &values.ratio, &values.percent, &values.against];
    if given.iter().any(|base| base.is_some()) {
        for (target, base) in d.baselines_mut().into_iter().zip(given) {
            target.clone_from(base);
        }
    }
    set(&mut d.paired, &values.paired);
    set(&mut d.pair_by, &values.pair_by);
    set(&mut d.normalize, &values.normalize);
    set(&mut d.z_score, &values.z_score);
}

/// Takes back what a panel under `[[panel]]` says of its data where a flag is given.
fn panel_data(source: &Source, figure: &mut Figure) {
    let mut flags = Figure::default();
    data(source, &mut flags);
    figure.override_panels(&flags.data);
}

fn view(source: &Source, figure: &mut Figure) -> Result<(), Failure> {
    let part = |flag: &str, text: &Option<String>| -> Result<Option<Literal<Part>>, Failure> {
        let wrong = |e| Error::Figure(ResolveError::Key(flag.to_owned(), e));
        let read = text.as_ref().map(|t| t.parse()).transpose();
        Ok(read.map_err(|e: ParseError| wrong(e.to_string()))?)
    };
    let (v, t) = (&source.view, &mut figure.view);
    set(&mut t.rows, &v.rows);
    set(&mut t.cols, &v.cols);
    set(&mut t.around, &v.around);
    set(&mut t.radius, &v.radius);
    set(&mut t.x, &part("--view-x", &v.view_x)?);
    set(&mut t.y, &part("--view-y", &v.view_y)?);
    for p in figure.panels.values_mut() {
        clear(&mut p.view_x, &v.view_x);
        clear(&mut p.view_y, &v.view_y);
    }
    Ok(())
}

fn axes(source: &Source, figure: &mut Figure) {
    let a = &source.axes;
    let order = |flag: &Option<String>| {
        flag.as_ref().map(|t| {
            t.parse()
                .map_or_else(|_| Order::Keys(List::from_flag(t)), Order::Word)
        })
    };
    let (x, y) = (&mut figure.x, &mut figure.y);
    list(&mut x.domain, &a.x_domain);
    list(&mut y.domain, &a.y_domain);
    set(&mut x.order, &order(&a.x_order));
    set(&mut y.order, &order(&a.y_order));
    set(&mut x.kind, &a.x_type);
    set(&mut y.kind, &a.y_type);
    set(&mut x.values, &a.x_values);
    set(&mut y.values, &a.y_values);
    set(&mut x.spacing, &a.x_spacing);
    set(&mut y.spacing, &a.y_spacing);
    set(&mut x.ticks, &a.xticks);
    set(&mut y.ticks, &a.yticks);
    set(&mut x.fmt, &a.xfmt);
    set(&mut y.fmt, &a.yfmt);
    set(&mut x.rotate, &a.x_rotate);
    set(&mut y.rotate, &a.y_rotate);
    let broken = |(old, new): &(String, String)| (old.clone(), with_breaks(new));
    x.labels.extend(a.x_labels.iter().map(broken));
    y.labels.extend(a.y_labels.iter().map(broken));
    text(&mut x.label, &source.figure.xlabel);
    text(&mut y.label, &source.figure.ylabel);
}

fn strip(source: &Source, figure: &mut Figure) -> Result<(), Failure> {
    let a = &source.figure;
    let given: Vec<Strip> = a
        .strip
        .iter()
        .map(|text| {
            let (axis, column) = match text.split_once(':') {
                Some(("x", column)) => (StripAxis::X, column),
                Some(("y", column)) => (StripAxis::Y, column),
                _ => (StripAxis::Y, text.as_str()),
            };
            Strip {
                axis,
                column: column.to_owned(),
                ..Strip::default()
            }
        })
        .collect();
    match (
        given.as_slice(),
        figure.strip.as_mut().map(|own| own.0.as_mut_slice()),
    ) {
        ([], _) => {}
        // One strip over one keeps its colours.
        ([one], Some([own])) => {
            own.axis = one.axis;
            own.column.clone_from(&one.column);
            own.side = None;
        }
        _ => figure.strip = Some(Strips(given)),
    }
    let strips = figure.strip.as_mut().map_or(&mut [][..], |strips| &mut strips.0);
    if a.strip_cmap.len() > strips.len() {
        let wrong = Failure::usage("--strip-cmap colours a strip, and there is none");
        return Err(wrong.with_hint("--strip COL"));
    }
    // One map is for all.
    let only = a.strip_cmap.first().filter(|_| a.strip_cmap.len() == 1);
    for (i, strip) in strips.iter_mut().enumerate() {
        if let Some(map) = a.strip_cmap.get(i).or(only) {
            strip.cmap = Some(map.clone());
        }
    }
    Ok(())
}

fn color(source: &Source, figure: &mut Figure) {
    let (a, c) = (&source.color, &mut figure.color);
    set(&mut c.cmap, &a.cmap);
    set(&mut c.vmin, &a.vmin);
    set(&mut c.vmax, &a.vmax);
    set(&mut c.center, &a.center);
    set(&mut c.hide_below, &a.hide_below);
    set(&mut c.hide_above, &a.hide_above);
    set(&mut c.robust, &a.robust.then_some(true));
    set(&mut c.norm, &a.norm);
    set(&mut c.scale, &a.scale);
    set(&mut c.under, &a.under);
    set(&mut c.over, &a.over);
    set(&mut c.nan, &a.nan);
    set(&mut c.absent, &a.absent);
    set(&mut c.masked, &a.masked);
    set(&mut c.pending, &a.pending_color);
    text(&mut c.label, &source.figure.cbar_label);
    set(&mut c.bar, &source.figure.cbar);
    set(&mut c.fmt, &source.figure.cbar_fmt);
    // A flag holds for every panel, so it overrides the keys of the panels' own tables.
    for p in figure.panels.values_mut() {
        clear(&mut p.cmap, &a.cmap);
        clear(&mut p.norm, &a.norm);
        clear(&mut p.scale, &a.scale);
        clear(&mut p.under, &a.under);
        clear(&mut p.over, &a.over);
        clear(&mut p.label, &source.figure.cbar_label);
        clear(&mut p.fmt, &source.figure.fmt);
        clear(&mut p.vmin, &a.vmin);
        clear(&mut p.vmax, &a.vmax);
        clear(&mut p.center, &a.center);
        clear(&mut p.hide_below, &a.hide_below);
        clear(&mut p.hide_above, &a.hide_above);
        clear(&mut p.robust, &a.robust.then_some(()));
        clear(&mut p.mark, &source.figure.mark.first());
    }
}

fn look(source: &Source, figure: &mut Figure) {
    let a = &source.figure;
    set(&mut figure.size.width, &a.width);
    set(&mut figure.size.height, &a.height);
    set(&mut figure.size.font_size, &a.font_size);
    set(&mut figure.linewidths, &a.linewidths);
    set(&mut figure.size.dpi, &a.dpi);
    set(&mut figure.columns, &a.columns);
    text(&mut figure.title, &a.title);
    text(&mut figure.panel_title, &a.panel_title);
    list(&mut figure.panel_order, &a.panel_order);
    set(&mut figure.only_panel, &a.only_panel);
    list(&mut figure.panel_row_order, &a.panel_row_order);
    list(&mut figure.panel_column_order, &a.panel_column_order);
    set(&mut figure.share_x, &a.share_x);
    set(&mut figure.share_y, &a.share_y);
    let template = |own: &Literal<Annotate>| with_breaks(own.text()).parse().unwrap_or_else(|_| own.clone());
    set(&mut figure.annotations.show, &a.annot.as_ref().map(template));
    set(&mut figure.annotations.fmt, &a.fmt);
    set(&mut figure.annotations.font_size, &a.annot_size);
    if !a.mark.is_empty() {
        figure.annotations.mark = Some(Marks(a.mark.clone()));
    }
    set(&mut figure.contours, &a.contours);
    set(&mut figure.linecolor, &a.linecolor);
    set(&mut figure.origin, &a.origin);
    if !a.reverse.is_empty() {
        figure.reverse = Some(Reverse(a.reverse.clone()));
    }
    if !a.margin.is_empty() {
        figure.margin = Some(a.margin.iter().flat_map(|list| list.0.iter().copied()).collect());
    }
    set(&mut figure.square, &a.square);
    set(&mut figure.notes, &a.notes);
    text(&mut figure.note, &a.note);
    set(&mut figure.tick_labels, &a.tick_labels);
    set(&mut figure.theme, &a.theme);
    set(&mut figure.font, &a.font);
    set(&mut figure.system_fonts, &a.system_fonts.then_some(true));
    set(&mut figure.reduce.by, &a.reduce);
    set(&mut figure.reduce.rings, &a.rings);
}

#[cfg(test)]
mod tests;
