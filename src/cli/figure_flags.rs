//! The flags of the keys of figure files: the vocabulary declares them, and its forms say how their texts become values.

use super::args::{above_zero, count, finite, font_size, positive, rotation};
use super::diagnostics::Failure;
use clap::builder::{BoolishValueParser, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use gridscope_core::figure::{Figure, Form, WORDS, Word};
use gridscope_core::notation::Literal;
use gridscope_core::scale::{Colormap, NormSpec};
use gridscope_draw::error::Error;
use gridscope_draw::resolve::ResolveError;
use gridscope_read::{assign_flags, is_number};

/// Keys that give way to a later one.
#[cfg(feature = "window")]
fn give_way_to(key: &str) -> &'static [&'static str] {
    match key {
        "data.minus" | "data.ratio" | "data.percent" | "data.against" => {
            &["data.minus", "data.ratio", "data.percent", "data.against"]
        }
        "data.panel" => &["data.panel_row", "data.panel_column"],
        "data.panel_row" | "data.panel_column" => &["data.panel"],
        _ => &[],
    }
}

/// Keys that are not one flag with the key's own value.
const APART: [&str; 4] = ["x.labels", "y.labels", "strip.axis", "strip.cmap"];

/// The flags that are given.
#[derive(Clone, Default)]
pub(super) struct FigureFlags {
    /// Each word with the texts of its uses.
    given: Vec<(&'static Word, Vec<String>)>,
    /// The settings of `--set`.
    pub set: Vec<String>,
}

impl FigureFlags {
    /// The texts of a key's flag; none unless it is given.
    pub(super) fn given(&self, key: &str) -> &[String] {
        let found = self.given.iter().find(|(word, _)| word.key == key);
        found.map_or(&[], |(_, texts)| texts)
    }

    /// The flags of texts, as they follow the files on a command line.
    ///
    /// # Errors
    /// What is wrong with them, in one line.
    #[cfg(feature = "window")]
    pub(super) fn of_texts(texts: &[String]) -> Result<Self, String> {
        let command =
            Command::new("read").no_binary_name(true).disable_help_flag(true).args_override_self(true);
        let found = declared(command).try_get_matches_from(texts);
        let flags = found.and_then(|matches| Self::from_arg_matches(&matches));
        flags.map_err(|wrong| {
            let text = wrong.render().to_string();
            let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
            let what = lines.join(" ");
            what.strip_prefix("error: ").unwrap_or(&what).to_owned()
        })
    }

    /// Adds later flags: they take the place of the same ones and of those that say the same in another way.
    #[cfg(feature = "window")]
    pub(super) fn take(&mut self, later: Self) {
        for (word, texts) in later.given {
            let rivals = give_way_to(word.key);
            self.given.retain(|(own, _)| own.key == word.key || !rivals.contains(&own.key));
            match self.given.iter_mut().find(|(own, _)| own.key == word.key) {
                Some((_, own)) if word.form == Form::Repeated => {
                    let axis = |text: &String| {
                        text.split('=')
                            .next()
                            .unwrap_or_default()
                            .trim()
                            .trim_start_matches("axis:")
                            .to_owned()
                    };
                    // An axis has one slice.
                    let goes = |old: &String| {
                        word.key == "data.slice" && texts.iter().any(|new| axis(new) == axis(old))
                    };
                    own.retain(|old| !goes(old));
                    own.extend(texts);
                }
                Some((_, own)) => *own = texts,
                None => self.given.push((word, texts)),
            }
        }
        self.set.extend(later.set);
    }

    /// Leaves a key's flag out.
    pub(super) fn forget(&mut self, key: &str) {
        self.given.retain(|(word, _)| word.key != key);
    }

    /// The figure with the keys of these flags.
    ///
    /// # Errors
    /// A part of an axis that is not one.
    pub(super) fn over(&self, figure: &Figure) -> Result<Figure, Failure> {
        let is_whole = |(word, _): &&(&Word, Vec<String>)| !APART.contains(&word.key);
        let flags: Vec<_> = self.given.iter().filter(is_whole).cloned().collect();
        let wrong = |(key, what): (String, String)| {
            let flag = Word::all().find(|w| w.key == key).and_then(|w| w.flag);
            let name = flag.map_or(key, |flag| format!("--{flag}"));
            Error::Figure(ResolveError::key(name, what))
        };
        Ok(assign_flags(figure, &flags).map_err(wrong)?)
    }
}

impl Args for FigureFlags {
    fn augment_args(command: Command) -> Command {
        declared(command).mut_arg("radius", |radius| radius.requires("around"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Declares all flags, none of which requires another one: lines of the prompt add to each other, and the reader refuses what all of
/// them lack.
fn declared(command: Command) -> Command {
    let of_group = |(heading, words): &(&'static str, &'static [Word])| {
        let heading = *heading;
        let flags = words.iter().filter_map(declare);
        flags.map(move |flag| flag.help_heading(heading))
    };
    let set = Arg::new("set")
        .long("set")
        .value_name("KEY=VALUE")
        .action(ArgAction::Append)
        .help_heading("Figure")
        .help(
            "Set any key of a figure file: color.cmap=magma, panels.ECE.mark=min, 'x.labels.\"a.b\"=new'; repeat \
            for several",
        );
    command.args(WORDS.iter().flat_map(of_group)).arg(set)
}

impl FromArgMatches for FigureFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let texts = |id: &str| -> Option<Vec<String>> { Some(matches.get_many(id)?.cloned().collect()) };
        let given = |word: &'static Word| {
            let texts = match word.flag? {
                _ if word.help.is_empty() => None,
                flag if word.value_name.is_empty() => matches.get_flag(flag).then(|| vec!["true".to_owned()]),
                flag if word.key == "system_fonts" => {
                    texts(flag).map(|texts| texts.iter().map(|word| as_truth(word)).collect())
                }
                flag => texts(flag),
            };
            Some((word, texts?))
        };
        Ok(Self { given: Word::all().filter_map(given).collect(), set: texts("set").unwrap_or_default() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A word as figure files write truth.
fn as_truth(word: &str) -> String {
    match word {
        "on" => "true".to_owned(),
        "off" => "false".to_owned(),
        word => word.to_owned(),
    }
}

/// The flag of a word, if it is declared here.
fn declare(word: &'static Word) -> Option<Arg> {
    let name = word.flag.filter(|_| !word.help.is_empty())?;
    let flag = Arg::new(name).long(name).short(word.short).visible_alias(word.alias).help(word.help);
    if word.value_name.is_empty() {
        return Some(flag.action(ArgAction::SetTrue));
    }
    let flag =
        flag.value_name(word.value_name).value_parser(parser(word)).allow_hyphen_values(word.dash).action(
            match word.form {
                Form::Repeated => ArgAction::Append,
                _ => ArgAction::Set,
            },
        );
    Some(match word.key {
        "data.raw" => flag.num_args(2).value_names(["TYPE", "COLUMNSxROWS"]).action(ArgAction::Append),
        "data.minus" | "data.ratio" | "data.percent" | "data.against" => flag.group("compare"),
        "data.paired" => flag.num_args(0..=1).require_equals(true).default_missing_value("wilcoxon"),
        "system_fonts" => {
            let words = PossibleValuesParser::new(["on", "off", "true", "false"]);
            flag.num_args(0..=1).require_equals(false).default_missing_value("on").value_parser(words)
        }
        "annotations.show" => flag.num_args(0..=1).default_missing_value("on"),
        "color.norm" => flag.help(format!("{} {}", word.help, NormSpec::forms())),
        "reverse" => flag.value_delimiter(','),
        _ => flag,
    })
}

/// Checks the value of a flag: numbers by their range, everything else as in a figure file.
fn parser(word: &'static Word) -> ValueParser {
    fn checked<T, E: ToString>(check: impl Fn(&str) -> Result<T, E>, text: &str) -> Result<String, String> {
        check(text).map(|_| text.to_owned()).map_err(|e| e.to_string())
    }
    match word.key {
        "size.dpi" => ValueParser::new(|text: &str| checked(positive, text)),
        "size.font_size" | "annotations.font_size" => ValueParser::new(|text: &str| checked(font_size, text)),
        "x.rotate" | "y.rotate" => ValueParser::new(|text: &str| checked(rotation, text)),
        "x.labels" | "y.labels" => ValueParser::string(),
        "x.keep" | "y.keep" => ValueParser::new(|text: &str| checked(count, text)),
        "data.min_count" => ValueParser::new(|text: &str| checked(above_zero, text)),
        "columns" => ValueParser::new(value_parser!(u32).range(1..).map(|n| n.to_string())),
        "data.skip_rows" | "view.radius" => ValueParser::new(value_parser!(u64).map(|n: u64| n.to_string())),
        "share_x" | "share_y" => ValueParser::new(BoolishValueParser::new().map(|yes| yes.to_string())),
        "strip.cmap" => ValueParser::new(|text: &str| checked(str::parse::<Literal<Colormap>>, text)),
        // A wrong part is an error of the figure.
        "strip.axis" | "view.x" | "view.y" => ValueParser::string(),
        _ => ValueParser::new(move |text: &str| {
            if is_number(word) {
                return checked(finite, text);
            }
            // A message repeats the text as it is given.
            let one = match word.form {
                Form::Lines => Form::One,
                form => form,
            };
            let flags = [(&Word { form: one, ..*word }, vec![text.to_owned()])];
            let figure = assign_flags(&Figure::default(), &flags);
            figure.map(|_| text.to_owned()).map_err(|(_, what)| what)
        }),
    }
}

#[cfg(all(test, feature = "window"))]
mod tests {
    use super::*;

    #[test]
    fn later_flags_take_the_place_of_those_that_say_the_same() {
        let of = |texts: &[&str]| {
            FigureFlags::of_texts(&texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>())
        };
        let mut flags =
            of(&["--x", "lr", "--minus", "a", "--slice", "0=1", "--slice", "1=2", "--panel", "p"]).unwrap();
        flags.take(
            of(&["--x", "depth", "--against", "b.csv", "--slice", "0=max", "--panel-row", "q"]).unwrap(),
        );
        assert_eq!([flags.given("data.x"), flags.given("data.against")], [["depth"], ["b.csv"]]);
        assert!(flags.given("data.minus").is_empty() && flags.given("data.panel").is_empty());
        assert_eq!(flags.given("data.slice"), ["1=2", "0=max"]);
        // A line may add to one before it.
        flags.take(of(&["--around", "max"]).unwrap());
        flags.take(of(&["--radius", "3"]).unwrap());
        assert_eq!([flags.given("view.around"), flags.given("view.radius")], [["max"], ["3"]]);
        let wrong = |texts: &[&str]| of(texts).err().unwrap_or_default();
        assert_eq!(wrong(&["--nosuch", "1"]), "unexpected argument '--nosuch' found");
        assert!(wrong(&["b.csv"]).contains("unexpected argument 'b.csv'"));
        assert!(!wrong(&["--vmin", "x"]).contains('\n'));
    }
}
