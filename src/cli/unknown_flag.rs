//! Flags that are words of seaborn, matplotlib or figure files: the hint names the flag that is meant.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use gridscope_core::figure::Word;

/// The unknown flag of a refusal, and what is written in its place; none where nothing is known of it.
pub(super) fn meant(wrong: &clap::Error) -> Option<(String, String)> {
    if wrong.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(given)) = wrong.get(ContextKind::InvalidArg) else {
        return None;
    };
    let flag = given.split('=').next()?;
    // A file alone opens the window.
    if ["-o", "--output"].contains(&flag) {
        return Some((flag.to_owned(), "gridscope render FILE -o PICTURE".to_owned()));
    }
    Some((flag.to_owned(), hint(flag.strip_prefix("--")?)?))
}

fn hint(name: &str) -> Option<String> {
    let plain = name.to_lowercase().replace('-', "_");
    match plain.as_str() {
        "figsize" | "fig_size" => return Some("--width 6.5in --height 4in".to_owned()),
        "cbar_kws" => return Some("--cbar-label TEXT, --cbar right|bottom|none".to_owned()),
        "annot_kws" => return Some("--annot-size 8pt, --fmt .2f".to_owned()),
        "row_order" => {
            return Some("--y-order A,B for rows, --panel-row-order A,B for rows of panels".to_owned());
        }
        "col_order" | "column_order" => {
            return Some(
                "--x-order A,B for columns, --panel-column-order A,B for columns of panels".to_owned(),
            );
        }
        _ => {}
    }
    let word = Word::named(name).or_else(|| {
        // A key of several tables is none in particular.
        let mut with = Word::with_leaf(&plain);
        with.next().filter(|_| with.next().is_none())
    })?;
    Some(match word.flag {
        Some(flag) => format!("--{flag}"),
        None => format!("--set {}=VALUE", word.key),
    })
}

#[cfg(test)]
mod tests {
    use super::super::args::Cli;
    use super::*;
    use clap::{CommandFactory, Parser};
    use std::collections::BTreeSet;

    /// Groups of flags of the run, not of the figure.
    const OF_THE_RUN: [&str; 9] =
        ["json", "quiet", "verbose", "progress", "max-memory", "timeout", "patience", "strict", "set"];

    #[test]
    fn words_of_others_name_the_flag() {
        let of = |flag: &str| {
            let wrong = Cli::try_parse_from(["gridscope", "render", "a.csv", "-o", "a.png", flag, "1"]);
            wrong.err().and_then(|e| meant(&e)).map(|m| m.1)
        };
        for (flag, wanted) in [
            ("--colormap", "--cmap"),
            ("--figsize", "--width 6.5in --height 4in"),
            ("--cbar-kws", "--cbar-label TEXT, --cbar right|bottom|none"),
            ("--linewidth", "--linewidths"),
            ("--annot_kws", "--annot-size 8pt, --fmt .2f"),
            ("--row-order", "--y-order A,B for rows, --panel-row-order A,B for rows of panels"),
            ("--z", "--value"),
            ("--xticklabels", "--xticks"),
            ("--cbar_label=a", "--cbar-label"),
            ("--color.cmap", "--cmap"),
            ("--data.file", "--set data.file=VALUE"),
        ] {
            assert_eq!(of(flag).as_deref(), Some(wanted), "{flag}");
        }
        let wrong = Cli::try_parse_from(["gridscope", "a.csv", "-o", "a.png"]);
        let hint = wrong.err().and_then(|e| meant(&e)).map(|m| m.1);
        assert_eq!(hint.as_deref(), Some("gridscope render FILE -o PICTURE"));
        assert_eq!((of("--label"), of("--nonsense"), of("--cmap")), (None, None, None));
    }

    #[test]
    fn every_flag_of_a_figure_has_a_row_among_the_words() {
        let cli = Cli::command();
        let render = cli.find_subcommand("check").unwrap();
        let flags = render.get_arguments().filter_map(|a| a.get_long());
        let own = ["tolerance"];
        let flags: BTreeSet<&str> =
            flags.filter(|f| !OF_THE_RUN.contains(f) && !own.contains(f) && *f != "help").collect();
        let words: BTreeSet<&str> = Word::all().filter_map(|w| w.flag).collect();
        assert_eq!(words, flags, "src/core/figure/vocabulary.rs has a row for each flag of a figure");
    }
}
