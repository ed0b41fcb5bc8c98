//! The colormaps in groups, as people choose among them.

/// The maps by what they are for, common ones first; with matplotlib's groups. Every map is in one of them.
pub const MAP_GROUPS: &[(&str, &[&str])] = &[
    (
        "Sequential, even to the eye",
        &["viridis", "plasma", "inferno", "magma", "cividis", "rocket", "mako", "flare", "crest"],
    ),
    (
        "Sequential",
        &[
            "Greys",
            "Grays",
            "Purples",
            "Blues",
            "Greens",
            "Oranges",
            "Reds",
            "YlOrBr",
            "YlOrRd",
            "OrRd",
            "PuRd",
            "RdPu",
            "BuPu",
            "GnBu",
            "PuBu",
            "YlGnBu",
            "PuBuGn",
            "BuGn",
            "YlGn",
            "binary",
            "gray",
            "grey",
            "gist_gray",
            "gist_grey",
            "gist_yarg",
            "gist_yerg",
            "bone",
            "pink",
            "spring",
            "summer",
            "autumn",
            "winter",
            "cool",
            "Wistia",
            "hot",
            "afmhot",
            "gist_heat",
            "copper",
        ],
    ),
    (
        "Diverging",
        &[
            "RdBu", "coolwarm", "vlag", "icefire", "bwr", "seismic", "RdYlBu", "Spectral", "PiYG", "PRGn",
            "BrBG", "PuOr", "RdGy", "RdYlGn", "berlin", "managua", "vanimo",
        ],
    ),
    ("Cyclic", &["twilight", "twilight_shifted", "hsv"]),
    (
        "Categories",
        &[
            "tab10",
            "tab20",
            "tab20b",
            "tab20c",
            "okabe_ito",
            "Set1",
            "Set2",
            "Set3",
            "Paired",
            "Accent",
            "Dark2",
            "Pastel1",
            "Pastel2",
        ],
    ),
    (
        "Others",
        &[
            "turbo",
            "jet",
            "rainbow",
            "cubehelix",
            "gnuplot",
            "gnuplot2",
            "CMRmap",
            "ocean",
            "terrain",
            "gist_earth",
            "gist_stern",
            "gist_rainbow",
            "gist_ncar",
            "nipy_spectral",
            "brg",
            "flag",
            "prism",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::Colormap;

    #[test]
    fn every_map_is_in_one_group() {
        let mut grouped: Vec<&str> = MAP_GROUPS.iter().flat_map(|g| g.1).copied().collect();
        let mut all: Vec<&str> = Colormap::names().collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}
