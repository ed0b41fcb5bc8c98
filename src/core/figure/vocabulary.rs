//! The words of a figure: each key of a figure file, its flag, and what seaborn, matplotlib and others call it.

/// A key of figure files in its words.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The dotted key: `color.cmap`.
    pub key: &'static str,
    /// The flag without dashes, `cmap`; none for keys that only `--set` gives on a command line.
    pub flag: Option<&'static str>,
    /// Words of seaborn, matplotlib, pandas and plotly for the same, where they have another one.
    pub peers: &'static [&'static str],
}

const fn word(key: &'static str, flag: &'static str, peers: &'static [&'static str]) -> Word {
    Word {
        key,
        flag: Some(flag),
        peers,
    }
}

/// The words, in the order of the book. Keys of `[panels.NAME]` are those of other tables.
pub const WORDS: &[Word] = &[
    Word {
        key: "data.file",
        flag: None,
        peers: &["filepath", "filename", "path"],
    },
    word("data.x", "x", &["xcol", "index_x"]),
    word("data.y", "y", &["ycol"]),
    word("data.value", "value", &["z", "values", "vals"]),
    word("data.panel", "panel", &["facet", "hue"]),
    word("data.panel_row", "panel-row", &["row", "facet_row"]),
    word("data.panel_column", "panel-column", &["col", "facet_col"]),
    word("data.drop_empty", "drop-empty", &["dropna", "drop_na"]),
    word(
        "data.agg",
        "agg",
        &["aggfunc", "estimator", "histfunc", "aggregate"],
    ),
    word("data.better", "better", &["direction", "greater_is_better"]),
    word("data.min_count", "min-count", &["mincnt", "min_periods"]),
    word("data.table", "table", &["shape"]),
    word("data.transpose", "transpose", &["T"]),
    word("data.where", "where", &["query", "filter"]),
    word("data.pending", "pending", &[]),
    word("data.mask", "mask", &[]),
    word(
        "data.minus",
        "minus",
        &["subtract", "sub", "difference", "diff", "vs"],
    ),
    word("data.ratio", "ratio", &["divide", "relative_to"]),
    word("data.percent", "percent", &["pct_change", "percent_change"]),
    word("data.against", "against", &["compare", "baseline"]),
    word("data.paired", "paired", &["significance", "ttest_rel"]),
    word("data.pair_by", "pair-by", &["subject", "units"]),
    word("data.normalize", "normalize", &["histnorm", "normalise", "share"]),
    word(
        "data.z_score",
        "z-score",
        &["zscore", "standardize", "standard_scale"],
    ),
    word("data.key", "key", &["dataset", "variable"]),
    word("data.slice", "slice", &["isel"]),
    word("data.header", "header", &[]),
    word("data.skip_rows", "skip-rows", &["skiprows", "skip_lines"]),
    word("data.units_row", "units-row", &["unit_row"]),
    word("data.delimiter", "delimiter", &["sep", "delim"]),
    word("data.decimal", "decimal", &["decimal_separator"]),
    word("data.thousands", "thousands", &["thousands_separator"]),
    word("data.missing", "missing", &["na_values", "nan_values"]),
    word(
        "data.nodata",
        "nodata",
        &["masked_equal", "missing_value", "no_data"],
    ),
    word("data.raw", "raw", &["dtype"]),
    word("data.json_nan", "json-nan", &[]),
    Word {
        key: "x.column",
        flag: None,
        peers: &[],
    },
    word(
        "x.label",
        "xlabel",
        &["x_label", "xtitle", "x_title", "set_xlabel"],
    ),
    word("x.type", "x-type", &["xscale", "set_xscale"]),
    word("x.domain", "x-domain", &["columns_order"]),
    word("x.order", "x-order", &[]),
    word("x.sort", "sort-columns", &["x_sort", "col_sort"]),
    word("x.keep", "keep-columns", &["top_columns"]),
    word("x.split", "split-columns", &["column_split"]),
    word("x.labels", "x-labels", &["set_xticklabels", "xtick_labels"]),
    word("x.ticks", "xticks", &["xticklabels", "set_xticks"]),
    word(
        "x.rotate",
        "x-rotate",
        &["rotation", "xrotation", "rot", "labelrotation", "tickangle"],
    ),
    word("x.spacing", "x-spacing", &[]),
    word("x.values", "x-values", &["extent", "x_coords"]),
    word(
        "x.fmt",
        "xfmt",
        &["set_major_formatter", "xtickformat", "x_format"],
    ),
    Word {
        key: "y.column",
        flag: None,
        peers: &[],
    },
    word(
        "y.label",
        "ylabel",
        &["y_label", "ytitle", "y_title", "set_ylabel"],
    ),
    word("y.type", "y-type", &["yscale", "set_yscale"]),
    word("y.domain", "y-domain", &["rows_order"]),
    word("y.order", "y-order", &[]),
    word(
        "y.sort",
        "sort-rows",
        &["sort_values", "sort", "y_sort", "row_sort"],
    ),
    word("y.keep", "keep", &["head", "nlargest", "top"]),
    word("y.split", "split", &["row_split"]),
    word("y.labels", "y-labels", &["set_yticklabels", "ytick_labels"]),
    word("y.ticks", "yticks", &["yticklabels", "set_yticks"]),
    word("y.rotate", "y-rotate", &["yrotation"]),
    word("y.spacing", "y-spacing", &[]),
    word("y.values", "y-values", &["y_coords"]),
    word("y.fmt", "yfmt", &["ytickformat", "y_format"]),
    word("view.rows", "rows", &["nrows"]),
    word("view.cols", "cols", &["usecols"]),
    word("view.around", "around", &[]),
    word("view.radius", "radius", &[]),
    word("view.x", "view-x", &["xlim", "set_xlim", "range_x"]),
    word("view.y", "view-y", &["ylim", "set_ylim", "range_y"]),
    word(
        "cluster.axes",
        "cluster",
        &["clustermap", "row_cluster", "col_cluster"],
    ),
    word("cluster.linkage", "linkage", &["method", "clustering_method"]),
    word("cluster.metric", "metric", &["clustering_distance"]),
    word("cluster.leaf_order", "leaf-order", &["optimal_ordering"]),
    word(
        "cluster.dendrogram",
        "dendrogram",
        &["dendrogram_ratio", "show_dend", "tree_kws"],
    ),
    word(
        "color.cmap",
        "cmap",
        &[
            "colormap",
            "colourmap",
            "color_map",
            "palette",
            "colorscale",
            "color_continuous_scale",
        ],
    ),
    word("color.vmin", "vmin", &["zmin", "cmin"]),
    word("color.vmax", "vmax", &["zmax", "cmax", "clim", "range_color"]),
    word(
        "color.center",
        "center",
        &["centre", "zmid", "midpoint", "vcenter"],
    ),
    word("color.robust", "robust", &[]),
    word("color.hide_below", "hide-below", &["threshold"]),
    word("color.hide_above", "hide-above", &[]),
    word("color.norm", "norm", &["lognorm", "log_scale", "logz"]),
    word("color.scale", "scale", &["share_color", "sharez"]),
    word("color.under", "under", &["set_under"]),
    word("color.over", "over", &["set_over"]),
    word("color.nan", "nan", &["set_bad", "bad", "nan_color", "na_color"]),
    word("color.absent", "absent", &[]),
    word("color.masked", "masked", &["mask_color"]),
    word("color.pending", "pending-color", &[]),
    word(
        "color.label",
        "cbar-label",
        &[
            "cbar_kws",
            "cbar_title",
            "colorbar_label",
            "colorbar_title",
            "clabel",
        ],
    ),
    word(
        "color.bar",
        "cbar",
        &["colorbar", "cbar_ax", "cbar_pos", "cbar_location"],
    ),
    word("color.fmt", "cbar-fmt", &["cbar_format", "tickformat"]),
    word(
        "annotations.show",
        "annot",
        &["annotate", "text_auto", "show_values"],
    ),
    word(
        "annotations.fmt",
        "fmt",
        &["annot_fmt", "valfmt", "texttemplate", "float_format"],
    ),
    word("annotations.font_size", "annot-size", &["annot_kws", "textfont"]),
    word("annotations.mark", "mark", &["highlight", "highlight_max"]),
    word(
        "reduce.by",
        "reduce",
        &["reduction", "interpolation", "resample", "downsample"],
    ),
    word("reduce.rings", "rings", &[]),
    word("size.width", "width", &["figsize", "fig_width", "figure_figsize"]),
    word("size.height", "height", &["fig_height"]),
    word("size.dpi", "dpi", &["ppi"]),
    word(
        "size.font_size",
        "font-size",
        &["fontsize", "font_scale", "labelsize"],
    ),
    word("strip.axis", "strip", &["col_colors"]),
    word("strip.column", "strip", &["row_colors"]),
    word("strip.cmap", "strip-cmap", &[]),
    Word {
        key: "strip.side",
        flag: None,
        peers: &[],
    },
    Word {
        key: "strip.type",
        flag: None,
        peers: &[],
    },
    word("title", "title", &["suptitle", "set_title"]),
    word("note", "note", &["caption", "figtext", "footnote"]),
    word("notes", "notes", &[]),
    word(
        "columns",
        "columns",
        &["col_wrap", "ncols", "wrap", "facet_col_wrap"],
    ),
    word(
        "panel_title",
        "panel-title",
        &["set_titles", "title_template", "subplot_titles"],
    ),
    word("panel_order", "panel-order", &["category_orders"]),
    word("only_panel", "only-panel", &["show_panel"]),
    word("panel_row_order", "panel-row-order", &["row_order"]),
    word("panel_column_order", "panel-column-order", &["col_order"]),
    word("tick_labels", "tick-labels", &["label_outer"]),
    word("share_x", "share-x", &["sharex", "shared_xaxes"]),
    word("share_y", "share-y", &["sharey", "shared_yaxes"]),
    word("origin", "origin", &[]),
    word(
        "reverse",
        "reverse",
        &["invert_xaxis", "invert_yaxis", "autorange"],
    ),
    word(
        "margin",
        "margin",
        &["margins", "marginal_x", "marginal_y", "marginal_kws"],
    ),
    word("square", "square", &["aspect", "set_aspect"]),
    word(
        "linewidths",
        "linewidths",
        &["linewidth", "lw", "line_width", "xgap", "ygap"],
    ),
    word("contours", "contours", &["contour", "levels", "isolines"]),
    word(
        "linecolor",
        "linecolor",
        &["linecolors", "edgecolor", "edgecolors"],
    ),
    word("theme", "theme", &["style", "set_theme", "template"]),
    word("font", "font", &["fontfamily", "font_family"]),
    word("system_fonts", "system-fonts", &[]),
    word("lints.deny", "deny", &[]),
    word("lints.allow", "allow", &[]),
];

/// The keys whose flags split their text at commas.
const LISTS: [&str; 20] = [
    "data.x",
    "data.y",
    "data.value",
    "data.panel",
    "data.missing",
    "x.column",
    "x.domain",
    "x.order",
    "x.split",
    "y.column",
    "y.domain",
    "y.order",
    "y.split",
    "panel_order",
    "panel_row_order",
    "panel_column_order",
    "reverse",
    "margin",
    "lints.deny",
    "lints.allow",
];

/// A word as it is compared: case and dashes do not matter.
fn plain(word: &str) -> String {
    word.to_lowercase().replace('-', "_")
}

impl Word {
    /// The word that others, or a flag, call `word`, or whose whole key it is.
    pub fn named(word: &str) -> Option<&'static Word> {
        let wanted = plain(word);
        let names = |w: &Word| {
            let flag = w.flag.is_some_and(|flag| plain(flag) == wanted);
            flag || w.key == wanted || w.peers.iter().any(|p| plain(p) == wanted)
        };
        WORDS.iter().find(|w| names(w))
    }

    /// The words whose key ends with `leaf`: `label` of both axes and of the colours.
    pub fn with_leaf(leaf: &str) -> impl Iterator<Item = &'static Word> {
        let leaf = plain(leaf);
        WORDS.iter().filter(move |w| w.leaf() == leaf)
    }

    /// The key in its table.
    pub fn leaf(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// Where the key is: `'cmap' in [color]`.
    pub fn place(&self) -> String {
        match self.key.split_once('.') {
            Some((table, leaf)) => format!("'{leaf}' in [{table}]"),
            None => format!("'{}' at the top", self.key),
        }
    }

    /// Whether a text of this key is a list with commas.
    pub fn is_list(&self) -> bool {
        LISTS.contains(&self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_word_means_one_key() {
        let mut met = HashSet::new();
        for w in WORDS {
            assert!(met.insert(plain(w.key)) || !w.key.contains('.'), "{}", w.key);
            for peer in w.peers {
                assert!(met.insert(plain(peer)), "{peer} is twice in the list");
                assert_eq!(Word::named(peer).map(|found| found.key), Some(w.key));
                assert!(
                    WORDS
                        .iter()
                        .all(|other| other.flag.map(plain) != Some(plain(peer))),
                    "{peer} is a flag"
                );
            }
        }
        assert!(LISTS.iter().all(|key| WORDS.iter().any(|w| w.key == *key)));
        assert_eq!(
            Word::named("Cbar-KWS").map(Word::place).as_deref(),
            Some("'label' in [color]")
        );
        assert_eq!(
            Word::named("columns").map(Word::place).as_deref(),
            Some("'columns' at the top")
        );
        assert_eq!(Word::with_leaf("label").count(), 3);
    }
}
