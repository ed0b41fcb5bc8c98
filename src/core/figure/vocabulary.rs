//! The words of a figure: each key of a figure file, its flag, and the names that seaborn, matplotlib and others have for it.

use Form::{Lines, List, Repeated};

/// A key of figure files in its words.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The dotted key: `color.cmap`.
    pub key: &'static str,
    /// The flag without dashes, `cmap`; none for keys that only `--set` gives on a command line.
    pub flag: Option<&'static str>,
    /// Words of seaborn, matplotlib, pandas and plotly for the same, where they have another one.
    pub peers: &'static [&'static str],
    /// Short form of the flag: one letter.
    pub short: Option<char>,
    /// Second name of the flag.
    pub alias: Option<&'static str>,
    /// Placeholder of the flag's value in `--help`; empty for a flag without one, which sets its key to `true`.
    pub value_name: &'static str,
    /// Text of the flag in `--help`; empty where another declaration has it.
    pub help: &'static str,
    /// How the flag's text becomes the value of the key.
    pub form: Form,
    /// Whether the flag's value may begin with a dash.
    pub dash: bool,
}

/// How the text of a flag becomes the value of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    One,
    /// As it is, but a backslash and an n, which a shell passes on, are a line break.
    Lines,
    /// Split at commas.
    List,
    /// As an item of a list; each use of the flag adds one.
    Repeated,
}

const fn word(key: &'static str, peers: &'static [&'static str]) -> Word {
    Word {
        key,
        flag: None,
        peers,
        short: None,
        alias: None,
        value_name: "",
        help: "",
        form: Form::One,
        dash: false,
    }
}

impl Word {
    const fn flag(self, flag: &'static str, value_name: &'static str, help: &'static str) -> Self {
        Self { flag: Some(flag), value_name, help, ..self }
    }

    const fn short(self, letter: char) -> Self {
        Self { short: Some(letter), ..self }
    }

    const fn alias(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    const fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    const fn dash(self) -> Self {
        Self { dash: true, ..self }
    }
}

/// The words under the headings of `--help`, in its order. Keys of `[panels.NAME]` are those of other tables.
#[rustfmt::skip]
pub const WORDS: &[(&str, &[Word])] = &[
    ("Data", &[
        word("data.file", &["filepath", "filename", "path"]),
        word("data.db", &["database", "con", "connection"])
            .flag("db", "ADDRESS", "Database in place of a file: duckdb:FILE, sqlite:FILE, postgresql://HOST/NAME, profile://NAME, DRIVER:ADDRESS"),
        word("data.sql", &[]).flag("sql", "QUERY", "Query for the rows of a database"),
        word("data.from", &["table_name"]).flag("from", "TABLE", "Table or view of a database"),
        word("data.x", &["xcol", "index_x"])
            .flag("x", "COL[,COL]", "Columns for the horizontal axis; several nest; of an array axis:N").short('x').form(List).dash(),
        word("data.y", &["ycol"])
            .flag("y", "COL[,COL]", "Columns for the vertical axis; several nest; with --table wide the labels of the rows; of an array axis:N").short('y').form(List).dash(),
        word("data.value", &["z", "values", "vals"])
            .flag("value", "COL[,COL]", "Column of the values; several, or a pattern such as 'acc*', make a panel each, or the \
                columns of --table wide").short('z').form(List).dash(),
        word("data.panel", &["facet", "hue"])
            .flag("panel", "COL[,COL]|axis:N", "Column whose values make the panels, or axis:N of an array; several columns \
                make a panel of each combination").form(List).dash(),
        word("data.panel_row", &["row", "facet_row"])
            .flag("panel-row", "COL", "Column whose values are rows of panels, named at the right margin").dash(),
        word("data.panel_column", &["col", "facet_col"])
            .flag("panel-column", "COL", "Column whose values are columns of panels, named at the top").dash(),
        word("data.drop_empty", &["dropna", "drop_na"])
            .flag("drop-empty", "", "Leave out panels of --panel-row and --panel-column that no row of the table is in"),
        word("data.agg", &["aggfunc", "estimator", "histfunc", "aggregate"])
            .flag("agg", "AGG", "How to merge rows of one cell: mean, median, min, max, sum, count, std, var, sem, first, last, \
                best, worst, q25 (a quantile), ci95 (half a t interval)"),
        word("data.better", &["direction", "greater_is_better"])
            .flag("better", "WORD", "Which values are better, for best and worst: higher, lower"),
        word("data.min_count", &["mincnt", "min_periods"])
            .flag("min-count", "N", "Hatch cells of fewer rows with a value than this, over their colour"),
        word("data.table", &["shape"]).flag("table", "KIND", "Shape of the table: tidy, wide, matrix"),
        word("data.transpose", &["T"]).flag("transpose", "", "Swap rows and columns"),
        word("data.where", &["query", "filter"])
            .flag("where", "COL OP VALUE", "Use only rows that meet a condition (= != < <= > >= in); if repeated, all must hold").form(Repeated).dash(),
        word("data.pending", &[]).flag("pending", "COND", "Mark cells as pending whose rows meet a condition").dash(),
        word("data.mask", &[])
            .flag("mask", "upper|lower|COND|FILE", "Hide the upper or lower triangle (upper:1 keeps the diagonal), cells that meet a condition such as 'p > \
                0.05', or those where FILE has a 1; repeat for several").form(Repeated),
        word("data.key", &["dataset", "variable"])
            .flag("key", "NAME[,NAME]", "Name of an array, or its path in a store; several with commas, or 'head_*', make a \
                panel each"),
        word("data.slice", &["isel"]).flag("slice", "AXIS=INDEX|mean|min|max", "Take one index along an axis of an array, or the mean, least or greatest of all").form(Repeated),
        word("data.header", &[]).flag("header", "WORD|N", "Whether the first line is a header: auto, yes or none; or how many lines are, whose columns nest"),
        word("data.comment", &[]).flag("comment", "TEXT|none", "Beginning of lines that are no part of a table [default: #]").dash(),
        word("data.skip_rows", &["skiprows", "skip_lines"]).flag("skip-rows", "N", "Lines before the header to pass over"),
        word("data.units_row", &["unit_row"]).flag("units-row", "", "The row under the header has units: it is passed over"),
        word("data.delimiter", &["sep", "delim"]).flag("delimiter", "CHAR|blanks", "Character between fields; blanks: any number of blanks and tabs"),
        word("data.decimal", &["decimal_separator"])
            .flag("decimal", "SIGN", "Sign before the fraction of numbers: . or , [default: what fits the whole column]"),
        word("data.thousands", &["thousands_separator"])
            .flag("thousands", "SIGN", "Sign that parts thousands: , . ' _ or space [default: what fits the whole column]"),
        word("data.missing", &["na_values", "nan_values"])
            .flag("missing", "TEXT,TEXT", "Texts that mean a missing value").form(List).dash(),
        word("data.blank_key", &[]).flag("blank-key", "TEXT|drop", "Key of rows whose key is empty; drop leaves them out").dash(),
        word("data.day_first", &["dayfirst"]).flag("day-first", "", "Dates such as 3/4/2024 have the day first"),
        word("data.month_first", &["monthfirst"]).flag("month-first", "", "Dates such as 3/4/2024 have the month first"),
        word("data.raw_values", &["mask_and_scale"])
            .flag("raw-values", "", "Show the numbers of arrays as they are stored, without scale, offset and fill value"),
        word("data.sheet", &["sheet_name"]).flag("sheet", "NAME", "Sheet of a workbook, or a pattern of several [default: the first]"),
        word("data.table_number", &[]).flag("table-number", "N|all", "Which table of a text or sheet with several; all of them are a panel each"),
        word("data.correlate", &["corr"])
            .flag("correlate", "METHOD", "Draw how far the columns of numbers vary together: pearson, spearman, kendall"),
        word("data.nodata", &["masked_equal", "missing_value", "no_data"])
            .flag("nodata", "V", "Number that means a masked cell").dash(),
        word("data.raw", &["dtype"])
            .flag("raw", "TYPE", "The files are bare numbers of this type, columns x rows: --raw f32le 4096x4096"),
        word("data.json_nan", &[]).flag("json-nan", "", "Accept NaN and Infinity in JSON, as Python writes them"),
    ]),
    ("Values", &[
        word("data.minus", &["subtract", "sub", "difference", "diff", "vs"])
            .flag("minus", "BASE", "Show each value minus that of BASE: a file, a panel, or the row, column or panel \
                COLUMN=VALUE"),
        word("data.ratio", &["divide", "relative_to"])
            .flag("ratio", "BASE", "Show each value over that of BASE, on a log scale around 1"),
        word("data.percent", &["pct_change", "percent_change"])
            .flag("percent", "BASE", "Show by how many per cent each value differs from that of BASE"),
        word("data.against", &["compare", "baseline"])
            .flag("against", "BASE", "Show BASE, the values, and their difference, in three panels; check compares with BASE \
                instead, by --better"),
        word("data.drop_baseline", &[]).flag("drop-baseline", "", "Leave out the row or column that is the baseline"),
        word("data.paired", &["significance", "ttest_rel"])
            .flag("paired", "wilcoxon|t", "Mark differences that are more than the noise of paired replicates with stars: by \
                Wilcoxon's signed-rank test, or --paired=t"),
        word("data.pair_by", &["subject", "units"]).flag("pair-by", "COL", "Column that pairs the replicates, such as seed"),
        word("data.normalize", &["histnorm", "normalise", "share"])
            .flag("normalize", "row|column|panel|all", "Show each value as a share of a sum: of its row, column, panel, or of \
                all panels; minmax:row and so on from the least (0) to the greatest (1)"),
        word("data.rank", &["rankdata"])
            .flag("rank", "row|column|panel|all", "Show each value as its rank, 1 the best, among those of its row, column, \
                panel, or of all panels"),
        word("data.z_score", &["zscore", "standardize", "standard_scale"])
            .flag("z-score", "row|column", "Show each value as its distance from the mean of its row or column, in standard \
                deviations"),
    ]),
    ("Axes", &[
        word("x.column", &[]).form(List),
        word("y.column", &[]).form(List),
        word("x.domain", &["columns_order"])
            .flag("x-domain", "A:B|LIST", "Columns to show even if empty: A:B or a list").form(List).dash(),
        word("y.domain", &["rows_order"]).flag("y-domain", "A:B|LIST", "Rows to show even if empty, as --x-domain").form(List).dash(),
        word("x.order", &[])
            .flag("x-order", "ORDER", "Order of the columns: data, natural, alpha, value, or a list, which the other keys \
                follow").form(List).dash(),
        word("y.order", &[]).flag("y-order", "ORDER", "Order of the rows, as --x-order").form(List).dash(),
        word("x.type", &["xscale", "set_xscale"])
            .flag("x-type", "TYPE", "Type of the horizontal axis: category, number, log, time"),
        word("y.type", &["yscale", "set_yscale"]).flag("y-type", "TYPE", "Type of the vertical axis, as --x-type"),
        word("x.values", &["extent", "x_coords"])
            .flag("x-values", "A:B[:log]|FILE|KEY", "Coordinates of the columns of a matrix: 0:1, 1:1000:log, a file of numbers \
                or dates, or an array of the same .npz").dash(),
        word("y.values", &["y_coords"])
            .flag("y-values", "A:B[:log]|FILE|KEY", "Coordinates of the rows of a matrix, as --x-values").dash(),
        word("x.spacing", &[]).flag("x-spacing", "even|true", "Widths of cells: even, or true to the coordinates"),
        word("y.spacing", &[]).flag("y-spacing", "even|true", "Heights of cells, as --x-spacing"),
        word("x.ticks", &["xticklabels", "set_xticks"])
            .flag("xticks", "auto|all|none|N|every:N|A,B,C", "Tick labels of the horizontal axis: auto, all, none, about how \
                many (10), every:5, or of these keys (2020,2025; a list of one key ends with a comma)").dash(),
        word("y.ticks", &["yticklabels", "set_yticks"])
            .flag("yticks", "auto|all|none|N|every:N|A,B,C", "Tick labels of the vertical axis, as --xticks").dash(),
        word("x.rotate", &["rotation", "xrotation", "rot", "labelrotation", "tickangle"])
            .flag("x-rotate", "DEGREES", "Degrees by which tick labels of the horizontal axis are turned: 0, 45 or 90"),
        word("y.rotate", &["yrotation"])
            .flag("y-rotate", "DEGREES", "Degrees by which tick labels of the vertical axis are turned, as --x-rotate"),
        word("x.labels", &["set_xticklabels", "xtick_labels"])
            .flag("x-labels", "OLD=NEW|A,B,C|FILE", "Label of a column in place of its key, repeated for \
                several; or a label for each column, as a list or in the lines of FILE").form(Repeated).dash(),
        word("y.labels", &["set_yticklabels", "ytick_labels"])
            .flag("y-labels", "OLD=NEW|A,B,C|FILE", "Label of a row in place of its key, or one for each row, as --x-labels").form(Repeated).dash(),
        word("x.fmt", &["set_major_formatter", "xtickformat", "x_format"])
            .flag("xfmt", "FORMAT", "Format of the labels of the horizontal axis: as in Python (.2f, .3g, d, .0%), of times as \
                %Y-%m, %b %d, %H:%M"),
        word("y.fmt", &["ytickformat", "y_format"])
            .flag("yfmt", "FORMAT", "Format of the labels of the vertical axis, as --xfmt"),
    ]),
    ("Order", &[
        word("y.sort", &["sort_values", "sort", "y_sort", "row_sort"])
            .flag("sort-rows", "AGG|LABEL[:desc]", "Sort the rows by mean, median, min, max, sum, std or count of their cells, \
                by their label, or by the column of this label; :desc for the greatest first").dash(),
        word("x.sort", &["x_sort", "col_sort"])
            .flag("sort-columns", "AGG|LABEL[:desc]", "Sort the columns, as --sort-rows").dash(),
        word("y.keep", &["head", "nlargest", "top"]).flag("keep", "N", "Show the first N rows, after sorting").alias("keep-rows"),
        word("x.keep", &["top_columns"]).flag("keep-columns", "N", "Show the first N columns, after sorting"),
        word("y.split", &["row_split"])
            .flag("split", "COL[,COL]", "Group the rows by the values of COL, with gaps between the groups").alias("split-rows").form(List),
        word("x.split", &["column_split"])
            .flag("split-columns", "COL[,COL]", "Group the columns by the values of COL, as --split").form(List),
        word("cluster.axes", &["clustermap", "row_cluster", "col_cluster"])
            .flag("cluster", "rows|columns|both", "Put rows, columns or both in the order of a hierarchical clustering, with \
                its tree beside the body"),
        word("cluster.linkage", &["method", "clustering_method"])
            .flag("linkage", "WORD", "Distance of two clusters: average, complete, ward, single, weighted [default: average]"),
        word("cluster.metric", &["clustering_distance"])
            .flag("metric", "WORD", "Distance of two rows: euclidean, correlation, cosine, cityblock [default: euclidean]"),
        word("cluster.leaf_order", &["optimal_ordering"])
            .flag("leaf-order", "WORD", "Order of the two clusters of each merge: merged, or optimal, which brings like next to \
                like"),
        word("cluster.dendrogram", &["dendrogram_ratio", "show_dend", "tree_kws"])
            .flag("dendrogram", "WORD", "Draw the tree of a clustering: on, off"),
    ]),
    ("View", &[
        word("view.rows", &["nrows"]).flag("rows", "A:B", "Read only these rows, counted from 0, B excluded"),
        word("view.cols", &["usecols"]).flag("cols", "C:D", "Read only these columns, counted from 0, D excluded"),
        word("view.around", &[])
            .flag("around", "max|min|R,C", "Read only the cells around an extreme or around row R, column C").dash(),
        word("view.x", &["xlim", "set_xlim", "range_x"])
            .flag("view-x", "A:B", "Show these columns, as when zooming in the window; fractions allowed, limits stay those of \
                the whole grid").dash(),
        word("view.y", &["ylim", "set_ylim", "range_y"]).flag("view-y", "A:B", "Show these rows, as --view-x").dash(),
        word("view.steady", &[]),
        word("view.radius", &[]).flag("radius", "N", "Cells on each side of --around [default: 20]"),
    ]),
    ("Colour", &[
        word("color.cmap", &["colormap", "colourmap", "color_map", "palette", "colorscale", "color_continuous_scale"])
            .flag("cmap", "NAME[_r]|COLORS", "Colormap (`NAME_r` reverses it) or colours #a,#b,…, which run into each other; \
                listed:#a,#b do not"),
        word("color.vmin", &["zmin", "cmin"])
            .flag("vmin", "V", "Value at the low end of the colours [default: from the data]").dash(),
        word("color.vmax", &["zmax", "cmax", "clim", "range_color"])
            .flag("vmax", "V", "Value at the high end of the colours [default: from the data]").dash(),
        word("color.center", &["centre", "zmid", "midpoint", "vcenter"])
            .flag("center", "V", "Value at the middle of a diverging map").dash(),
        word("color.robust", &[]).flag("robust", "", "Set the limits to the 2nd and 98th percentile"),
        word("color.norm", &["lognorm", "log_scale", "logz"]).flag("norm", "NORM", "How values map to colours:").dash(),
        word("color.scale", &["share_color", "sharez"])
            .flag("scale", "shared|panel|COL", "Which panels share limits and a bar: shared (all), panel (none), or those equal \
                in COL"),
        word("color.under", &["set_under"]).flag("under", "COLOR", "Colour of values below the limits"),
        word("color.over", &["set_over"]).flag("over", "COLOR", "Colour of values above the limits"),
        word("color.nan", &["set_bad", "bad", "nan_color", "na_color"]).flag("nan", "COLOR", "Colour of cells without a value"),
        word("color.hide_below", &["threshold"])
            .flag("hide-below", "V", "Do not show values below this, as if they were masked").dash(),
        word("color.hide_above", &[]).flag("hide-above", "V", "Do not show values above this").dash(),
        word("color.absent", &[]).flag("absent", "COLOR", "Colour of cells without data"),
        word("color.masked", &["mask_color"])
            .flag("masked", "COLOR", "Colour of masked cells; --mask alone draws nothing in them, and neither does --hide-below"),
        word("color.pending", &[]).flag("pending-color", "COLOR", "Colour of pending cells"),
    ]),
    ("Figure", &[
        word("size.width", &["figsize", "fig_width", "figure_figsize"])
            .flag("width", "LENGTH|auto", "Width of the figure in px, in, cm, mm or pt (px without a unit), or auto: 6.5in to \
                13in, as labels and panels need"),
        word("size.height", &["fig_height"])
            .flag("height", "LENGTH|auto", "Height of the figure, or auto: as panels need, up to 9in"),
        word("size.dpi", &["ppi"]).flag("dpi", "N", "Pixels per inch [default: 200]"),
        word("size.font_size", &["fontsize", "font_scale", "labelsize"])
            .flag("font-size", "LENGTH", "Size of tick labels, 5pt or more [default: 9pt]"),
        word("columns", &["col_wrap", "ncols", "wrap", "facet_col_wrap"]).flag("columns", "N", "Number of panels side by side"),
        word("title", &["suptitle", "set_title"]).flag("title", "TEXT", "Title of the figure").form(Lines),
        word("panel_title", &["set_titles", "title_template", "subplot_titles"])
            .flag("panel-title", "TEMPLATE", "Template for panel titles with the fields {panel}, {letter}, {index}, {file}, {value}, \
                {row}, {column}").form(Lines),
        word("panel_titles", &["subplot_names", "axes_titles"])
            .flag("panel-titles", "A,B,..", "Titles of the panels, one each in their order").form(List).dash(),
        word("panel_order", &["category_orders"])
            .flag("panel-order", "A,B,..", "Values of the panels, in order; panels that are not named are left out").form(List).dash(),
        word("only_panel", &["show_panel"])
            .flag("only-panel", "VALUE", "The only panel that is drawn, by its value; limits and labels stay those of all \
                panels").dash(),
        word("panel_row_order", &["row_order"])
            .flag("panel-row-order", "A,B", "Values of --panel-row, in order; those that are not named are left out").form(List).dash(),
        word("panel_column_order", &["col_order"])
            .flag("panel-column-order", "A,B", "Values of --panel-column, as --panel-row-order").form(List).dash(),
        word("share_x", &["sharex", "shared_xaxes"]).flag("share-x", "WORD", "Whether panels share their columns: true or false"),
        word("share_y", &["sharey", "shared_yaxes"]).flag("share-y", "WORD", "Whether panels share their rows: true or false"),
        word("strip.axis", &["col_colors"])
            .flag("strip", "[x:|y:]COL", "Strip of colours along an axis by the categories or numbers in COL: along y, or \
                x:COL; repeat for several").form(Repeated),
        Word { flag: Some("strip"), ..word("strip.column", &["row_colors"]) },
        word("strip.cmap", &[]).flag("strip-cmap", "NAME[_r]|COLORS", "Colormap of the strips; repeat for one each").form(Repeated),
        word("strip.side", &[]),
        word("strip.type", &[]),
        word("x.label", &["x_label", "xtitle", "x_title", "set_xlabel"])
            .flag("xlabel", "TEXT", "Title of the horizontal axis").form(Lines),
        word("y.label", &["y_label", "ytitle", "y_title", "set_ylabel"])
            .flag("ylabel", "TEXT", "Title of the vertical axis").form(Lines),
        word("color.label", &["cbar_kws", "cbar_title", "colorbar_label", "colorbar_title", "clabel"])
            .flag("cbar-label", "TEXT", "Title of the colour bar").form(Lines),
        word("color.bar", &["colorbar", "cbar_ax", "cbar_pos", "cbar_location"])
            .flag("cbar", "PLACE", "Place of the colour bar: right, bottom, none; blank leaves its room empty, only draws nothing else"),
        word("color.ticks", &["tickvals", "colorbar_ticks"])
            .flag("cbar-ticks", "TICKS", "Ticks of the colour bar: 0,0.5,1, with texts 0:Fail,1:Pass, or none").dash(),
        word("color.shrink", &["cbar_size", "colorbar_len"])
            .flag("cbar-shrink", "SHARE", "Length of the colour bar as a share of its usual one, 0.1 to 1"),
        word("color.fmt", &["cbar_format", "tickformat"]).flag("cbar-fmt", "FORMAT", "Number format of the colour bar, as --fmt"),
        word("annotations.show", &["annotate", "text_auto", "show_values"])
            .flag("annot", "WORD|TEMPLATE|FILE", "Print values in cells: auto, on, off, a template such as '{mean:.1f}±{std:.1f}', or the texts of a file").form(Lines),
        word("annotations.fmt", &["annot_fmt", "valfmt", "texttemplate", "float_format"])
            .flag("fmt", "FORMAT", "Number format of values in cells, as in Python: .1f, .3g, d, %, also .2s, $,.0f, '{:.1f} ms'"),
        word("annotations.font_size", &["annot_kws", "textfont"])
            .flag("annot-size", "LENGTH", "Size of values in cells, where they have room for it [default: that of tick labels]"),
        word("annotations.mark", &["highlight", "highlight_max"])
            .flag("mark", "CELLS", "Mark cells: max, min, none, a place 'ratio=0.3, window=2000', a condition 'p < 0.05', a \
                FILE of cells; with a style, 'p < 0.05 as star': outline, dot, star, hatch; repeat for several").form(Repeated),
        word("contours", &["contour", "levels", "isolines"])
            .flag("contours", "LEVELS", "Draw contours along the borders of cells: levels 0.5,0.8,0.9, or how many round ones").dash(),
        word("linewidths", &["linewidth", "lw", "line_width", "xgap", "ygap"])
            .flag("linewidths", "LENGTH", "Width of lines between cells (points without a unit)"),
        word("linecolor", &["linecolors", "edgecolor", "edgecolors"]).flag("linecolor", "COLOR", "Colour of lines between cells"),
        word("origin", &[]).flag("origin", "WORD", "Place of row 0: upper, lower"),
        word("reverse", &["invert_xaxis", "invert_yaxis", "autorange"])
            .flag("reverse", "x|y", "Axes to draw in the reverse order: x, y or x,y").form(Repeated),
        word("margin", &["margins", "marginal_x", "marginal_y", "marginal_kws"])
            .flag("margin", "AXIS:STAT[:FORM]", "Numbers of whole rows or columns beside the body: rows:mean, columns:max, \
                both:minmax; also min, sum, count, std; then :bars, :line, :strip or :text (repeat it, or A,B); none").form(Repeated),
        word("square", &["aspect", "set_aspect"]).flag("square", "WORD", "Make cells square: auto, on, off"),
        word("notes", &[]).flag("notes", "WORD", "Print notes about the data under the figure: on, off"),
        word("note", &["caption", "figtext", "footnote"]).flag("note", "TEXT", "Your own note under the figure").form(Lines),
        word("tick_labels", &["label_outer"])
            .flag("tick-labels", "WORD", "Which panels have tick labels: outer (and those with a different axis), each"),
        word("background", &["facecolor", "paper_bgcolor", "transparent"]).flag("background", "COLOR", "Colour of the page, or transparent"),
        word("simulate", &["colorblind", "cvd"]).flag("simulate", "deutan|protan|tritan", "Draw the colours as readers see them who lack \
            the cones for green, red or blue"),
        word("theme", &["style", "set_theme", "template"]).flag("theme", "WORD", "Colours of background and text: light, dark"),
        word("font", &["fontfamily", "font_family"]).flag("font", "FILE", "Font file for all text"),
        word("system_fonts", &[]).flag("system-fonts", "on|off", "Take glyphs that the font lacks from the fonts of this machine; off \
            keeps pictures the same on every machine [default: on]"),
        word("reduce.by", &["reduction", "interpolation", "resample", "downsample"])
            .flag("reduce", "WORD", "How to reduce several cells to one pixel: mean, min, max, extreme, count"),
        word("reduce.rings", &[]).flag("rings", "WORD", "Mark pixels that hide an extreme with rings: auto, off"),
    ]),
    // Declared with the flags of a run.
    ("Run", &[
        Word { flag: Some("deny"), ..word("lints.deny", &[]).form(List) },
        Word { flag: Some("allow"), ..word("lints.allow", &[]).form(List) },
    ]),
];

/// A word as it is compared: case and dashes do not matter.
fn plain(word: &str) -> String {
    word.to_lowercase().replace('-', "_")
}

impl Word {
    /// All words.
    pub fn all() -> impl Iterator<Item = &'static Word> {
        WORDS.iter().flat_map(|(_, words)| *words)
    }

    /// The word that others, or a flag, call `word`, or whose whole key it is.
    pub fn named(word: &str) -> Option<&'static Word> {
        let wanted = plain(word);
        let names = |w: &Word| {
            let flag = w.flag.is_some_and(|flag| plain(flag) == wanted);
            flag || w.key == wanted || w.peers.iter().any(|p| plain(p) == wanted)
        };
        Self::all().find(|w| names(w))
    }

    /// The words whose key ends with `leaf`: `label` of both axes and of the colours.
    pub fn with_leaf(leaf: &str) -> impl Iterator<Item = &'static Word> {
        let leaf = plain(leaf);
        Self::all().filter(move |w| w.leaf() == leaf)
    }

    /// The key in its table.
    pub fn leaf(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// The tables of the key and its name in the last.
    pub fn path(&self) -> Vec<String> {
        self.key.split('.').map(str::to_owned).collect()
    }

    /// Where the key is: `'cmap' in [color]`.
    pub fn place(&self) -> String {
        match self.key.split_once('.') {
            Some((table, leaf)) => format!("'{leaf}' in [{table}]"),
            None => format!("'{}' at the top", self.key),
        }
    }

    /// The key in `[panels.NAME]` that says the same of one panel, where panels have it.
    pub fn panel_key(&self) -> Option<&'static str> {
        match self.key.split_once('.')? {
            ("view", "x") => Some("view_x"),
            ("view", "y") => Some("view_y"),
            // That of the colour bar; panels have the format of their annotations.
            ("color", "fmt") => None,
            ("color" | "annotations", leaf) => Some(leaf),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_word_means_one_key() {
        let mut met = HashSet::new();
        for w in Word::all() {
            assert!(met.insert(plain(w.key)) || !w.key.contains('.'), "{}", w.key);
            for peer in w.peers {
                assert!(met.insert(plain(peer)), "{peer} is twice in the list");
                assert_eq!(Word::named(peer).map(|found| found.key), Some(w.key));
                assert!(
                    Word::all().all(|other| other.flag.map(plain) != Some(plain(peer))),
                    "{peer} is a flag"
                );
            }
        }
        assert_eq!(Word::named("Cbar-KWS").map(Word::place).as_deref(), Some("'label' in [color]"));
        assert_eq!(Word::named("columns").map(Word::place).as_deref(), Some("'columns' at the top"));
        assert_eq!(Word::with_leaf("label").count(), 3);
    }
}
