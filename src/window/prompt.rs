//! The prompt: a typed line is read as a line of a script, completed from its words, and refused with what is expected.

use super::file_request::at_home;
use super::geometry::WindowGeometry;
use super::script::{Candidate, Completion, Names, ScriptLine, Step, completion, parse};
use super::state::{Command, Damage, Entry, ViewState};

use std::cell::RefCell;
use std::path::{MAIN_SEPARATOR, MAIN_SEPARATOR_STR};

/// Labels that are offered after `go`, at most.
const MOST_LABELS: usize = 200;
/// Entries of a folder that are looked at, at most: names are completed while the window waits.
const MOST_ENTRIES: usize = 4_000;

/// Request of a line of the prompt.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entered {
    /// Nothing, or nothing that can be read.
    Nothing,
    /// One command.
    Command(Command),
    /// Several steps, or steps that need a window.
    Lines(Vec<ScriptLine>),
}

/// Help above the prompt.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PromptHelp {
    /// Why the line was refused, and how it is written.
    pub refusal: Vec<String>,
    /// Usage and meaning of the line.
    pub line: Option<(&'static str, &'static str)>,
    /// Candidates for the next word.
    pub candidates: Vec<Candidate>,
    /// Which of them is in the line now.
    pub chosen: Option<usize>,
}

/// Reads the line of the prompt. A line that cannot be read stays, with the reason; any other is closed.
pub(super) fn enter(state: &mut ViewState) -> (Damage, Entered) {
    let Some(text) = state.typed(Entry::Prompt).map(str::to_owned) else {
        return (Damage::NONE, Entered::Nothing);
    };
    match parse(&text) {
        Ok(lines) => (state.close_prompt(&text), entered(lines)),
        Err(e) => {
            let refusal = [Some(e.what), e.hint].into_iter().flatten().collect();
            (state.refuse(refusal), Entered::Nothing)
        }
    }
}

fn entered(lines: Vec<ScriptLine>) -> Entered {
    match &lines[..] {
        [] => Entered::Nothing,
        [only] => match only.single() {
            Some(Step::Do(command)) => Entered::Command(command.clone()),
            _ => Entered::Lines(lines),
        },
        _ => Entered::Lines(lines),
    }
}

/// Completes the word before the cursor, or goes on to the next candidate.
pub(super) fn complete(
    state: &mut ViewState,
    back: bool,
    geometry: &WindowGeometry,
    folder: &Folder,
) -> Damage {
    let before = state.line.clone();
    let offers = state.offers.clone();
    let Some(line) = state.line.as_mut().filter(|l| l.entry == Entry::Prompt) else {
        return Damage::NONE;
    };
    if !line.turn(back) {
        let found = completion(line.field.halves().0, &Known { geometry, offers: &offers, folder });
        let texts = found.candidates.into_iter().map(|c| c.text).collect();
        line.complete(found.start, texts, back);
    }
    Damage::OVERLAY.when(before != state.line)
}

/// Whether Up or Down goes through the candidates of the prompt: while one is tried, and down from a line that was not recalled.
pub(super) fn goes_through(state: &ViewState, up: bool) -> bool {
    let line = state.line.as_ref().filter(|l| l.entry == Entry::Prompt);
    line.is_some_and(|l| l.candidates().is_some() || !up && !l.is_recalled())
}

/// Help above the prompt, while it is open.
pub(super) fn help(state: &ViewState, geometry: &WindowGeometry, folder: &Folder) -> Option<PromptHelp> {
    let line = state.line.as_ref().filter(|l| l.entry == Entry::Prompt);
    if line.is_none() {
        folder.forget();
    }
    let line = line?;
    let found = completion(line.field.halves().0, &Known { geometry, offers: &state.offers, folder });
    let (candidates, chosen) = match line.candidates() {
        Some((texts, chosen)) => (texts.iter().map(|t| known(t, &found)).collect(), Some(chosen)),
        None => (found.candidates, None),
    };
    Some(PromptHelp { refusal: line.refusal.clone(), line: found.line, candidates, chosen })
}

/// A candidate by its text.
fn known(text: &str, found: &Completion) -> Candidate {
    let same = found.candidates.iter().find(|c| c.text == text);
    same.cloned().unwrap_or_else(|| Candidate { text: text.to_owned(), about: ("", "") })
}

/// The names that the window of a session knows.
struct Known<'a> {
    geometry: &'a WindowGeometry,
    offers: &'a [String],
    folder: &'a Folder,
}

impl Names for Known<'_> {
    fn labels(&self, part: &str) -> Vec<String> {
        labels(part, self.geometry)
    }

    fn files(&self, part: &str) -> Vec<String> {
        self.folder.files(part)
    }

    fn offers(&self) -> &[String] {
        self.offers
    }
}

/// The folder whose files were listed last, while the prompt is open: each frame shows them.
#[derive(Debug, Default)]
pub(super) struct Folder {
    /// The folder as it is typed, and its files and folders, these with a slash at their end.
    listed: RefCell<Option<(String, Vec<String>)>>,
}

impl Folder {
    /// Files may come and go from now on.
    fn forget(&self) {
        *self.listed.borrow_mut() = None;
    }

    /// The files and folders whose paths begin with a text, folders with a slash at their end. Hidden ones are left out unless the
    /// text asks for them.
    fn files(&self, part: &str) -> Vec<String> {
        let end = part.rfind(MAIN_SEPARATOR).map_or(0, |at| at + 1);
        let (folder, name) = part.split_at(end);
        let mut listed = self.listed.borrow_mut();
        if listed.as_ref().is_none_or(|(own, _)| own != folder) {
            *listed = Some((folder.to_owned(), entries(folder)));
        }
        let is_wanted =
            |own: &&String| own.starts_with(name) && (!own.starts_with('.') || name.starts_with('.'));
        let all = listed.iter().flat_map(|(_, names)| names);
        all.filter(is_wanted).map(|own| format!("{folder}{own}")).collect()
    }
}

/// The files and folders of a folder as it is typed, in order.
fn entries(folder: &str) -> Vec<String> {
    let path = match folder {
        "" => ".".to_owned(),
        folder => at_home(folder.to_owned(), std::env::home_dir().as_deref()),
    };
    let Ok(entries) = std::fs::read_dir(path) else {
        return Vec::new();
    };
    let named = entries.take(MOST_ENTRIES).flatten().filter_map(|entry| {
        let own = entry.file_name().into_string().ok()?;
        let slash = if entry.path().is_dir() { MAIN_SEPARATOR_STR } else { "" };
        Some(format!("{own}{slash}"))
    });
    let mut found: Vec<String> = named.collect();
    found.sort();
    found
}

/// Labels of the columns and rows of the first panel that contain a text, those that begin with it first.
fn labels(part: &str, geometry: &WindowGeometry) -> Vec<String> {
    let Some(grid) = geometry.grids.first() else {
        return Vec::new();
    };
    let axes = [grid.columns(), grid.rows()].into_iter().filter(|a| !a.levels.is_empty());
    let all = axes.flat_map(|axis| (0..axis.len()).map(|i| axis.label(i)));
    let mut found: Vec<String> = all.filter(|l| l.to_lowercase().contains(part)).take(MOST_LABELS).collect();
    found.sort_by_key(|l| !l.to_lowercase().starts_with(part));
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Colors, TypedLine};
    use crate::test_grids::{geometry, sweep};
    use gridscope_core::geom::PxSize;

    fn typed(text: &str) -> ViewState {
        let mut state = ViewState::default();
        state.line = Some(TypedLine::with(Entry::Prompt, text));
        state
    }

    #[test]
    fn a_line_is_one_of_a_script_and_errors_say_what_is_expected() {
        let read = |text: &str| enter(&mut typed(text)).1;
        assert_eq!(read(" vmin 20 "), Entered::Command(Command::Colors(Colors::Low(20.0))));
        assert_eq!(read("home # all"), Entered::Command(Command::Do(Action::Home)));
        assert_eq!((read(""), read("# nothing")), (Entered::Nothing, Entered::Nothing));
        for several in ["repeat 2 home", "drag pan 0 0 1 1", "search a", "wait 1", "size 3 4", "key q"] {
            assert_eq!(read(several), Entered::Lines(parse(several).unwrap()), "{several}");
        }
        for (text, refusal) in [
            ("vmni 2", &["'vmni' is not a command; did you mean 'vmin'?"][..]),
            ("vmin", &["expected a number, found the end of the line", "usage: vmin LOW"][..]),
            (
                "limits 5",
                &["expected HIGH, found the end of the line", "usage: limits view|auto|LOW HIGH|LOW% HIGH%"]
                    [..],
            ),
            (
                "limits 2% 98",
                &["expected HIGH%, found '98'", "usage: limits view|auto|LOW HIGH|LOW% HIGH%"][..],
            ),
        ] {
            let mut state = typed(text);
            assert_eq!(enter(&mut state).1, Entered::Nothing);
            let line = state.line.as_ref().unwrap();
            assert_eq!(
                (line.refusal.clone(), line.field.text()),
                (refusal.iter().map(|r| (*r).to_owned()).collect(), text)
            );
        }
        let mut state = typed("home");
        enter(&mut state);
        assert_eq!(state.line, None);
    }

    #[test]
    fn tab_completes_words_and_labels() {
        let w = geometry(vec![sweep()], PxSize { w: 400, h: 300 });
        let tabbed = |text: &str, times: usize| {
            let mut state = typed(text);
            (0..times).for_each(|_| _ = complete(&mut state, false, &w, &Folder::default()));
            state.typed(Entry::Prompt).unwrap().to_owned()
        };
        assert_eq!(tabbed("vmi", 1), "vmin ");
        assert_eq!(tabbed("cmap mag", 1), "cmap magma ");
        assert_eq!([tabbed("reduce m", 1), tabbed("reduce m", 3)], ["reduce mean", "reduce max"]);
        assert_eq!(tabbed("go 50", 1), "go 500 ");
        // Labels that only contain the text come in turn: columns before rows.
        assert_eq!([tabbed("go 0", 1), tabbed("go 20", 1)], ["go 0.", "go 2000 "]);
    }

    #[test]
    fn down_goes_through_all_candidates_and_up_back_through_them() {
        let w = geometry(vec![sweep()], PxSize { w: 400, h: 300 });
        let mut state = typed("");
        let words = super::super::script::WORDS.len();
        assert!(goes_through(&state, false) && !goes_through(&state, true));
        let mut at = |down: usize, up: usize| {
            (0..down).for_each(|_| _ = complete(&mut state, false, &w, &Folder::default()));
            assert!(goes_through(&state, true));
            (0..up).for_each(|_| _ = complete(&mut state, true, &w, &Folder::default()));
            help(&state, &w, &Folder::default()).unwrap().chosen
        };
        assert_eq!([at(1, 0), at(4, 2), at(words - 3, 0)], [Some(0), Some(2), Some(words - 1)]);
        // A line that was recalled is left for a newer one.
        state.line = Some(TypedLine::recalled_with("home"));
        assert!(!goes_through(&state, false) && !goes_through(&state, true));
    }

    #[test]
    fn a_folder_is_listed_once_while_the_prompt_is_open() {
        let dir = tempfile::tempdir().unwrap();
        let w = geometry(vec![sweep()], PxSize { w: 400, h: 300 });
        let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(at("a.csv"), "").unwrap();
        std::fs::create_dir(at("ab")).unwrap();
        let folder = Folder::default();
        let shown = |part: &str| {
            let help = help(&typed(&format!("open {}", at(part))), &w, &folder).unwrap();
            help.candidates.into_iter().map(|c| c.text).collect::<Vec<_>>()
        };
        assert_eq!(shown("a"), [at("a.csv"), at("ab") + MAIN_SEPARATOR_STR]);
        std::fs::write(at("a2.csv"), "").unwrap();
        assert_eq!([shown("a."), shown("a2")], [vec![at("a.csv")], vec![]]);
        // Opened again, it is listed again.
        assert_eq!(help(&ViewState::default(), &w, &folder), None);
        assert_eq!(shown("a2"), [at("a2.csv")]);
    }

    #[test]
    fn the_box_has_the_line_and_what_may_follow() {
        let w = geometry(vec![sweep()], PxSize { w: 400, h: 300 });
        let shown = |state: &ViewState| help(state, &w, &Folder::default());
        assert_eq!(shown(&ViewState::default()), None);
        let words = shown(&typed("")).unwrap();
        assert_eq!(
            (words.line, words.chosen, words.candidates.len()),
            (None, None, super::super::script::WORDS.len())
        );
        let mut state = typed("reduce m");
        (0..3).for_each(|_| _ = complete(&mut state, false, &w, &Folder::default()));
        let reduce = shown(&state).unwrap();
        assert_eq!(reduce.line.map(|l| l.0), Some("reduce [REDUCTION]"));
        let texts: Vec<&str> = reduce.candidates.iter().map(|c| c.text.as_str()).collect();
        assert_eq!((texts, reduce.chosen), (vec!["mean", "min", "max"], Some(2)));
    }
}
