//! The commands of scripts and of the prompt, and the completion of a line that is being typed.

use super::parser::first_flag;
use crate::state::{Action, Effect};
use gridscope_core::figure::{Reduce, Word};
use gridscope_core::scale::{Colormap, NormSpec};
use gridscope_core::text::{clean, did_you_mean, nearest};

/// Completion of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Completion {
    /// Where in the line the word begins that a candidate replaces, in bytes.
    pub start: usize,
    /// Texts that may take the place of that word.
    pub candidates: Vec<Candidate>,
    /// Usage and meaning of the line, once its first word is whole.
    pub line: Option<(&'static str, &'static str)>,
}

/// A text that may be written next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The text.
    pub text: String,
    /// How it goes on and what it does; empty where the text says it all.
    pub about: (&'static str, &'static str),
}

impl Candidate {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), about: ("", "") }
    }
}

/// What a window knows of names that a line may have.
pub(crate) trait Names {
    /// The labels of rows and columns that contain a text in lower case.
    fn labels(&self, part: &str) -> Vec<String>;

    /// The files whose paths begin with a text.
    fn files(&self, part: &str) -> Vec<String>;

    /// Flags that read the files in another way.
    fn offers(&self) -> &[String];
}

/// Completion of `text`.
pub(crate) fn completion(text: &str, names: &dyn Names) -> Completion {
    let mut from = text.len() - text.trim_start().len();
    loop {
        let rest = &text[from..];
        let Some((word, after)) = rest.split_once(char::is_whitespace) else {
            return Completion { start: from, candidates: matching(rest, words()), line: line_of(rest) };
        };
        let arguments = text.len() - after.trim_start().len();
        if word == "repeat"
            && let Some((_, line)) = text[arguments..].split_once(char::is_whitespace)
        {
            from = text.len() - line.trim_start().len();
            continue;
        }
        let (start, candidates) = arguments_of(word, &text[arguments..], names);
        return Completion { start: arguments + start, candidates, line: line_of(word) };
    }
}

fn words() -> impl Iterator<Item = Candidate> {
    WORDS.iter().map(|(usage, meaning)| Candidate { text: first(usage).to_owned(), about: (usage, meaning) })
}

/// Where in the arguments of a word the last one begins, and what it may be.
fn arguments_of(word: &str, given: &str, names: &dyn Names) -> (usize, Vec<Candidate>) {
    let whole = |found: Vec<String>| (0, matching(given, found.into_iter().map(Candidate::plain)));
    match word {
        "go" => return whole(names.labels(&given.to_lowercase())),
        "open" | "compare" | "save-as" if first_flag(given).is_none() => return whole(names.files(given)),
        "read" if names.offers().iter().any(|offer| offer.starts_with(given)) => {
            return (0, matching(given, names.offers().iter().cloned().chain(flags()).map(Candidate::plain)));
        }
        _ => {}
    }
    let start = given.trim_end_matches(|c: char| !c.is_whitespace()).len();
    let last = &given[start..];
    let nth = given[..start].split_whitespace().count();
    let candidates = match (word, nth) {
        ("map" | "cmap", 0) => matching(last, maps(last)),
        ("norm", 0) => matching(last, NormSpec::beginnings().map(Candidate::plain)),
        ("reduce", 0) => matching(last, Reduce::WORDS.iter().map(|w| Candidate::plain(*w))),
        ("open" | "read", _) if last.starts_with('-') || last.is_empty() => {
            matching(last, flags().map(Candidate::plain))
        }
        _ => matching(last, literals(word, nth).map(Candidate::plain)),
    };
    (start, candidates)
}

/// The flags of keys of figure files.
fn flags() -> impl Iterator<Item = String> {
    Word::all().filter_map(|word| Some(format!("--{}", word.flag?)))
}

/// The colormaps, and the words in their place. A reversed map is offered behind its own whole name.
fn maps(typed: &str) -> impl Iterator<Item = Candidate> {
    let whole = typed.len();
    let both = Colormap::names().flat_map(move |name| {
        let reversed = (whole >= name.len()).then(|| format!("{name}_r"));
        [Some(name.to_owned()), reversed].into_iter().flatten()
    });
    let others = ["next", "previous"].map(str::to_owned);
    both.chain(others).map(Candidate::plain)
}

/// The words that the usage of a line has in the place of an argument.
fn literals(word: &str, nth: usize) -> impl Iterator<Item = &'static str> {
    let usage = line_of(word).map_or("", |line| line.0);
    let place = usage.split(' ').nth(nth + 1).unwrap_or("");
    let words = place.split('|').map(|w| w.trim_matches(['[', ']']));
    words.filter(|w| !w.is_empty() && w.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
}

/// The candidates that begin with a text, whatever its case; if there is none, those that contain it.
fn matching(typed: &str, all: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
    let typed = typed.to_lowercase();
    let (mut begin, mut contain) = (Vec::new(), Vec::new());
    for candidate in all {
        match candidate.text.to_lowercase().find(&typed) {
            Some(0) => begin.push(candidate),
            Some(_) => contain.push(candidate),
            None => {}
        }
    }
    if begin.is_empty() { contain } else { begin }
}

/// Usage and meaning of the lines that are typed most: colours, places, reductions. [`WORDS`] begins with them.
const TYPED: &[(&str, &str)] = &[
    (
        "limits view|auto|LOW HIGH|LOW% HIGH%",
        "sets the limits: of the cells in view, automatic ones, two values (limits 20 80), two percentiles (limits 2% 98%)",
    ),
    ("vmin LOW", "sets the low limit"),
    ("vmax HIGH", "sets the high limit"),
    ("hide-below VALUE", "does not show values below this"),
    ("hide-above VALUE", "does not show values above this"),
    ("hide none", "shows all values again"),
    ("center auto|CENTER", "puts this value at the middle of the map, or restores the figure's own"),
    ("cmap NAME|next [N]|previous [N]", "chooses this colormap, or the one N places on"),
    ("map NAME|next [N]|previous [N]", "the same as cmap"),
    ("norm [NORM]", "chooses this norm, or the next one"),
    ("reduce [REDUCTION]", "chooses this reduction, or the next one"),
    (
        "go ROW,COLUMN|LABEL",
        "goes to a cell, numbered as in the status line, or to a row or column by its label",
    ),
    (
        "zoom [X Y] FACTOR [alone]",
        "zooms in FACTOR times about a place, else about the middle; alone: one panel only",
    ),
    ("search [TEXT]", "opens the search; with TEXT: goes to its first match"),
    (
        "open FILE [FLAGS]",
        "opens another file in place of this one, with flags as on the command line; ~ is the home folder",
    ),
    ("compare FILE", "compares what is shown with another file, as --against does"),
    ("read [FLAGS]", "reads the files again, with further flags: read --x lr --y depth --value acc"),
    ("save-as FILE", "saves the view as FILE, a new one: .png, .svg, .pdf, or .toml for view and colours"),
    ("help", "shows or hides the list of keys, as keys does"),
];

/// Lines that give pixels or steps, and lines that only scripts have.
const LINES: &[(&str, &str)] = &[
    ("point X Y", "moves the pointer here"),
    ("leave", "moves the pointer out of the window"),
    ("pan X Y DX DY [alone]", "moves the content under a place by DX, DY"),
    (
        "drag pan|box|select|limits|fine|overview|slice|divider X0 Y0 X1 Y1 [N steps] [alone]",
        "a whole drag, in N even steps (1)",
    ),
    ("begin pan|box|select|limits|fine|overview|slice|divider X Y [alone]", "begins a drag"),
    ("move X Y", "continues the drag to here"),
    ("end X Y", "ends the drag"),
    (
        "fit X Y [alone]",
        "a double click: shows all of a body or an axis, restores automatic limits of a bar, or shows the panel of a title alone",
    ),
    ("step RIGHT DOWN [page|edge]", "moves this many steps or pages, or to the edge"),
    ("nearer FACTOR", "zooms in FACTOR times about the middle"),
    ("show X0:X1 Y0:Y1", "shows exactly these cells, fractions allowed"),
    ("click X Y [extend]", "selects a cell, or extends the selection to it"),
    ("select PANEL ROW:ROW COLUMN:COLUMN", "selects these cells, ends excluded"),
    (
        "swipe [SHARE|by SHARE]",
        "shows the other side left of a divider in the large panel, or not; SHARE: from the left, 0 to 1",
    ),
    ("panel PANEL|all", "shows this panel alone, or all panels"),
    ("menu [at X Y|here]", "opens the menu of a place, of what is under the pointer, or of the window"),
    ("entry N", "goes N entries down in the menu, or up below 0"),
    (
        "slice AXIS INDEX|next [N]|previous [N]|axis next [N]|axis previous [N]|speed N|at X Y|turn X Y N",
        "goes to a slice of an array, or chooses the axis of the next ones; speed: slices in a second; at, turn: click and wheel on a slider",
    ),
    ("invert", "reverses the colormap"),
    (
        "pick RIGHT DOWN|at X Y",
        "chooses another map in the table of colormaps, or the one at a place for good",
    ),
    ("scroll N [pages]", "scrolls the open list of keys N lines down, or up below 0"),
    ("prompt [TEXT]", "opens the prompt; with TEXT: that and a space are typed already"),
    ("type TEXT", "adds text to the typed line, a search or the prompt"),
    ("erase [after|start]", "erases the character before the cursor, the one after it, or all before it"),
    ("cursor left|right|start|end", "moves the cursor of the typed line"),
    ("complete [back]", "completes the word before the cursor; again: by the next candidate"),
    ("recall older|newer", "recalls a line that was entered earlier"),
    (
        "enter [back]",
        "goes to the next match of the search or the one before, or runs the line of the prompt",
    ),
    ("repeat N LINE", "runs a line N times"),
    ("wait SECONDS", "does nothing for this long"),
    ("size W H", "resizes the window"),
    ("key KEYS", "presses a key: key Ctrl+C"),
    ("lose-device", "loses the graphics device, for tests"),
];

const COUNT: usize = TYPED.len() + Action::ALL.len() + Effect::ALL.len() + LINES.len();

/// Usage and meaning of each line. Points and lengths are in pixels of the window, indices begin at 0.
pub const WORDS: &[(&str, &str)] = &all();

const fn all() -> [(&'static str, &'static str); COUNT] {
    let mut all = [("", ""); COUNT];
    let (mut i, mut n) = (0, 0);
    while i < TYPED.len() {
        all[n] = TYPED[i];
        (i, n) = (i + 1, n + 1);
    }
    i = 0;
    while i < Action::ALL.len() {
        all[n] = Action::ALL[i].usage();
        (i, n) = (i + 1, n + 1);
    }
    i = 0;
    while i < Effect::ALL.len() {
        all[n] = Effect::ALL[i].usage();
        (i, n) = (i + 1, n + 1);
    }
    i = 0;
    while i < LINES.len() {
        all[n] = LINES[i];
        (i, n) = (i + 1, n + 1);
    }
    all
}

/// The usage of a word; empty for an unknown word.
pub(super) fn usage(word: &str) -> &'static str {
    line_of(word).map_or("", |line| line.0)
}

/// Usage and meaning of a word.
fn line_of(word: &str) -> Option<(&'static str, &'static str)> {
    WORDS.iter().copied().find(|(usage, _)| first(usage) == word)
}

/// Other words for a command.
const SYNONYMS: [(&str, &str); 6] = [
    ("threshold", "hide-below"),
    ("colormap", "cmap"),
    ("colors", "cmap"),
    ("range", "limits"),
    ("clim", "limits"),
    ("statistic", "statistics"),
];

/// The message about an unknown word, with a command of the same meaning, else the nearest known one.
pub(super) fn unknown(word: &str) -> String {
    let same = SYNONYMS.iter().find(|(other, _)| word.eq_ignore_ascii_case(other));
    let near = same.map(|s| s.1);
    format!(
        "'{}' is not a command{}",
        clean(word),
        did_you_mean(near.or_else(|| nearest(word, WORDS.iter().map(|w| first(w.0)))))
    )
}

/// The word that a line begins with.
pub(super) fn first(usage: &'static str) -> &'static str {
    usage.split(' ').next().unwrap_or(usage)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    /// Names made of what is typed, or none.
    struct Given(&'static [&'static str]);

    impl Names for Given {
        fn labels(&self, part: &str) -> Vec<String> {
            self.0.iter().map(|name| format!("{name} {part}")).collect()
        }

        fn files(&self, part: &str) -> Vec<String> {
            self.0.iter().map(|name| format!("{part}{name}.csv")).collect()
        }

        fn offers(&self) -> &[String] {
            &[]
        }
    }

    const NONE: Given = Given(&[]);

    fn texts(line: &str) -> Vec<String> {
        let found = completion(line, &NONE).candidates;
        found.into_iter().map(|c| c.text).collect()
    }

    #[test]
    fn words_come_first_and_then_what_they_take() {
        assert_eq!(texts("vm"), ["vmin", "vmax"]);
        assert_eq!(texts("  redu"), ["reduce"]);
        assert_eq!(texts("reduce m"), ["mean", "min", "max"]);
        assert_eq!(texts("cmap ylg"), ["YlGn", "YlGnBu"]);
        assert_eq!(texts("cmap magma"), ["magma", "magma_r"]);
        assert_eq!(texts("norm s"), ["symlog:"]);
        assert_eq!(texts("limits "), ["view", "auto"]);
        assert_eq!(texts("step 1 2 "), ["page", "edge"]);
        assert_eq!(texts("repeat 3 cursor s"), ["start"]);
        assert_eq!(texts("repeat 3 hom"), ["home"]);
        assert_eq!(texts("vmin "), Vec::<String>::new());
        assert_eq!(texts("maximu"), ["maximum"]);
        assert_eq!(texts(""), WORDS.iter().map(|w| first(w.0)).collect::<Vec<_>>());
        let at = completion("  cmap  pl", &NONE);
        assert_eq!((at.start, at.line.unwrap().0.split(' ').next()), (8, Some("cmap")));
        for blank in ['\u{a0}', '\u{3000}'] {
            assert_eq!(texts(&format!("reduce{blank}m")), ["mean", "min", "max"]);
            assert_eq!(texts(&format!("step 1 2{blank}")), ["page", "edge"]);
            assert_eq!(texts(&format!("go{blank}")), Vec::<String>::new());
            assert_eq!(texts(&format!("repeat{blank}3{blank}{blank}hom")), ["home"]);
        }
        let first = |line: &str| completion(line, &Given(&["model"])).candidates[0].text.clone();
        assert_eq!(first("go odel a"), "model odel a");
        assert_eq!([first("open runs/"), first("compare ~/a b/")], ["runs/model.csv", "~/a b/model.csv"]);
        assert_eq!([first("open a.csv --agai"), first("read --x lr --normal")], ["--against", "--normalize"]);
    }

    #[test]
    fn whatever_is_offered_can_be_read() {
        let lines = WORDS.iter().map(|w| first(w.0));
        for word in lines {
            let usage = line_of(word).unwrap().0;
            for nth in 0..usage.split(' ').count() {
                let given = "1 ".repeat(nth);
                for offered in texts(&format!("{word} {given}")) {
                    let line = format!("{word} {given}{offered}");
                    let Err(e) = parse(&line) else { continue };
                    // Numbers may lack, but the word itself is known.
                    let lacks = e.what.contains("found the end of the line") || offered.ends_with(':');
                    assert!(lacks || nth > 0, "{line}: {e}");
                }
            }
        }
    }
}
