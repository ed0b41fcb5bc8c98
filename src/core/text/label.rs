//! Labels as they can be drawn: one line, no control characters, shortened without becoming equal.

use super::rich::{has_formula, is_mark, units};
use std::collections::{HashMap, HashSet};

/// No label is shaped beyond this many characters; the middle is left out.
pub(super) const LONGEST: usize = 300;

/// Formulas are in texts of up to this many bytes.
const LONGEST_MARKED: usize = 1 << 20;

/// The label on one line; an endless text is its ends.
pub fn clean(text: &str) -> String {
    one_line(&shorten(text, LONGEST))
}

/// The text as it shows and commands nothing: line ends and tabs are spaces, other control characters and bidi overrides their escapes.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if steers(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Whether a character commands a terminal, ends a line, reorders its neighbours, or marks a formula.
pub fn steers(c: char) -> bool {
    c.is_control()
        || is_mark(c)
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// At most `most` characters, the middle replaced by an ellipsis. A formula is left out whole or not at all.
pub fn shorten(text: &str, most: usize) -> String {
    // Bytes bound characters from above, so short texts need no count.
    if text.len() <= most {
        return text.to_owned();
    }
    if text.len() <= LONGEST_MARKED && has_formula(text) {
        return shorten_units(text, most);
    }
    let n = text.chars().count();
    if n <= most {
        return text.to_owned();
    }
    let (head, tail) = ends(most);
    text.chars().take(head).chain(std::iter::once('…')).chain(text.chars().skip(n - tail)).collect()
}

/// How many characters are kept of each end.
fn ends(most: usize) -> (usize, usize) {
    let keep = most.max(2) - 1;
    let head = keep.div_ceil(2);
    (head, keep - head)
}

fn shorten_units(text: &str, most: usize) -> String {
    let all: Vec<(&str, usize)> = units(text).collect();
    if all.iter().map(|u| u.1).sum::<usize>() <= most {
        return text.to_owned();
    }
    let (head, tail) = ends(most);
    let fitting = |units: &mut dyn Iterator<Item = &(&str, usize)>, room: usize| {
        let sums = units.scan(0, |sum, u| {
            *sum += u.1;
            Some(*sum)
        });
        sums.take_while(|sum| *sum <= room).count()
    };
    let first = fitting(&mut all.iter(), head);
    let last = fitting(&mut all[first..].iter().rev(), tail);
    let parts = all[..first].iter().chain([&("…", 1)]);
    parts.chain(&all[all.len() - last..]).map(|u| u.0).collect()
}

/// Labels as [`super::clean`] makes them; those that differ still differ.
pub fn clean_labels(labels: &[String]) -> Vec<String> {
    let short: Vec<String> = labels.iter().map(|l| clean(l)).collect();
    let mut met: HashMap<&str, &str> = HashMap::new();
    let mut pairs = short.iter().zip(labels).filter(|(_, l)| l.len() > LONGEST);
    if pairs.all(|(short, l)| *met.entry(short).or_insert(l) == l) {
        return short;
    }
    let of: Vec<&str> = labels.iter().map(String::as_str).collect();
    let short = distinct(&of, LONGEST as f64, &mut |t| t.chars().count() as f64);
    short.iter().map(|l| one_line(l)).collect()
}

/// The labels, those of a size over `most` shortened to it where that is possible. Labels that differ still differ: if they
/// would be equal without their middle, the parts in which they differ are shown; labels that differ in more than there is
/// room for are numbered.
pub fn distinct(labels: &[&str], most: f64, size: &mut dyn FnMut(&str) -> f64) -> Vec<String> {
    let mut place: HashMap<&str, usize> = HashMap::with_capacity(labels.len());
    let mut own: Vec<&str> = Vec::with_capacity(labels.len());
    let at: Vec<usize> = labels
        .iter()
        .map(|l| {
            *place.entry(l).or_insert_with(|| {
                own.push(l);
                own.len() - 1
            })
        })
        .collect();
    let mut short = Vec::with_capacity(own.len());
    let mut cut = Vec::new();
    for (i, label) in own.iter().enumerate() {
        let (text, is_cut) = without_middle(label, most, size);
        short.push(text);
        if is_cut {
            cut.push(i);
        }
    }
    if !clashes(&short).is_empty() {
        separate(&own, &cut, &mut short, most, size);
    }
    at.into_iter().map(|i| short[i].clone()).collect()
}

/// Of texts as [`distinct`] returns them, each with the whole one, those that it numbered.
pub fn numbered<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<(String, String)> {
    let is_numbered = |(shown, whole): &(&str, &str)| {
        let number = shown.strip_suffix(')').and_then(|s| s.rsplit_once('('));
        shown != whole && number.is_some_and(|(_, n)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let of = texts.filter(is_numbered);
    of.map(|(shown, whole)| (shown.to_owned(), whole.to_owned())).collect()
}

/// The text without its middle at a size of at most `most`, or else the shortest that is possible; and whether it was
/// shortened.
pub fn without_middle(text: &str, most: f64, size: &mut dyn FnMut(&str) -> f64) -> (String, bool) {
    let full = size(text);
    if full <= most {
        return (text.to_owned(), false);
    }
    let mut characters = (text.chars().count() as f64 * most / full) as usize;
    loop {
        let short = shorten(text, characters.max(2));
        if characters <= 2 || size(&short) <= most {
            return (short, true);
        }
        characters -= 1;
    }
}

/// Groups of equal texts.
fn clashes(short: &[String]) -> Vec<Vec<usize>> {
    let mut met: HashMap<&str, usize> = HashMap::with_capacity(short.len());
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, text) in short.iter().enumerate() {
        let group = *met.entry(text).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(i);
    }
    groups.retain(|g| g.len() > 1);
    groups
}

/// Texts up to which groups are compared with all others, which takes the square of their number.
const MANY: usize = 1_000;

/// Changes shortened texts until no two are equal: all of them in the same way, or only those that are equal, or numbers.
fn separate(own: &[&str], cut: &[usize], short: &mut [String], most: f64, size: &mut dyn FnMut(&str) -> f64) {
    let mut apply = |group: &[usize], short: &mut [String]| {
        let before: Vec<String> = group.iter().map(|i| short[*i].clone()).collect();
        let labels: Vec<&str> = group.iter().map(|i| own[*i]).collect();
        // A formula is not cut.
        let is_cuttable = !labels.iter().any(|l| has_formula(l));
        for way in WAYS.iter().filter(|_| is_cuttable) {
            let Some(texts) = way(&labels, most, size) else {
                continue;
            };
            for (i, text) in group.iter().zip(texts) {
                short[*i] = text;
            }
            if clashes(short).iter().all(|g| g.iter().all(|i| !group.contains(i))) {
                return;
            }
        }
        for (i, text) in group.iter().zip(before) {
            short[*i] = text;
        }
    };
    if cut.len() <= MANY {
        apply(cut, short);
        for group in clashes(short) {
            let group: Vec<usize> = group.into_iter().filter(|i| cut.contains(i)).collect();
            apply(&group, short);
        }
    }
    let mut taken: HashSet<String> = short.iter().cloned().collect();
    let is_cut: HashSet<usize> = cut.iter().copied().collect();
    // Numbers rise with the order of the labels, whichever of them were equal.
    let groups = clashes(short);
    let members = groups.iter().enumerate().flat_map(|(group, all)| all.iter().map(move |i| (*i, group)));
    let mut members: Vec<(usize, usize)> = members.filter(|(i, _)| is_cut.contains(i)).collect();
    members.sort_unstable();
    // Labels without room for a head are one series.
    let (mut numbers, mut alone) = (vec![0usize; groups.len()], 0usize);
    for (i, group) in members {
        loop {
            let tail = format!("({})", numbers[group] + 1);
            let room = most - size(&tail);
            let (head, _) = without_middle(own[i], room, size);
            let has_room = size(&head) <= room;
            let number = if has_room { &mut numbers[group] } else { &mut alone };
            *number += 1;
            let text = if has_room { head + &tail } else { format!("({number})") };
            if taken.insert(text.clone()) {
                short[i] = text;
                break;
            }
        }
    }
}

type Way = fn(&[&str], f64, &mut dyn FnMut(&str) -> f64) -> Option<Vec<String>>;

/// The ways to show the differences of labels, the preferred one first.
const WAYS: [Way; 3] = [words, window, from_first_difference];

/// The first texts that all have at most this size.
fn first_that_fit(
    texts: impl Iterator<Item = Vec<String>>,
    most: f64,
    size: &mut dyn FnMut(&str) -> f64,
) -> Option<Vec<String>> {
    texts.into_iter().find(|t| t.iter().all(|t| size(t) <= most))
}

/// The words in which labels of equally many words differ, with those before them where there is room.
fn words(labels: &[&str], most: f64, size: &mut dyn FnMut(&str) -> f64) -> Option<Vec<String>> {
    let split: Vec<Vec<&str>> = labels
        .iter()
        .map(|l| l.split_inclusive(['_', '-', '/', ' ', ',', '=', ':', '.']).collect())
        .collect();
    let n = split.first()?.len();
    if split.iter().any(|s| s.len() != n) {
        return None;
    }
    let differs: Vec<bool> = (0..n).map(|k| split.iter().any(|s| s[k] != split[0][k])).collect();
    let text = |words: &[&str], shown: &[bool]| {
        let mut out = String::new();
        for (word, shown) in words.iter().zip(shown) {
            if *shown {
                out.push_str(word);
            } else if !out.ends_with('…') {
                out.push('…');
            }
        }
        out
    };
    let texts = |shown: &[bool]| -> Vec<String> { split.iter().map(|words| text(words, shown)).collect() };
    if texts(&differs).iter().any(|t| size(t) > most) {
        return None;
    }
    // Words before those that differ say what they are, the first ones what the labels are about.
    let before = (1..n).filter(|k| differs[*k]).map(|k| k - 1);
    let others: Vec<usize> =
        before.chain(0..MORE_WORDS.min(n)).chain((0..n).rev().take(MORE_WORDS)).collect();
    let mut longer = |labels: &[Vec<&str>]| {
        let mut shown = differs.clone();
        for k in &others {
            if !std::mem::replace(&mut shown[*k], true) {
                shown[*k] = labels.iter().all(|words| size(&text(words, &shown)) <= most);
            }
        }
        labels.iter().map(|words| text(words, &shown)).collect::<Vec<_>>()
    };
    // Shorter labels have room for more.
    let own: Vec<String> = split.iter().flat_map(|words| longer(std::slice::from_ref(words))).collect();
    Some(if clashes(&own).is_empty() { own } else { longer(&split) })
}

/// The number of common words at each end that are shown where there is room.
const MORE_WORDS: usize = 6;

/// The number of characters that all labels have in common, at the start or from the end.
fn common<'c, C: Iterator<Item = char> + 'c>(labels: &[&'c str], chars: fn(&'c str) -> C) -> usize {
    let count = |l: &&'c str| {
        let pairs = chars(labels[0]).zip(chars(l));
        pairs.take_while(|(a, b)| a == b).count()
    };
    labels.iter().map(count).min().unwrap_or(0)
}

/// Numbers of characters beside those in which labels differ.
const CONTEXT: [usize; 7] = [48, 32, 20, 12, 6, 3, 0];

/// From the first to the last character in which labels differ, and those beside them.
fn window(labels: &[&str], most: f64, size: &mut dyn FnMut(&str) -> f64) -> Option<Vec<String>> {
    let start = common(labels, str::chars);
    let end = common(labels, |l| l.chars().rev());
    let text = |label: &&str, context: usize| {
        let n = label.chars().count();
        // Equal characters of a shorter label may count for both ends.
        let end = end.min(n - start);
        part(label, start.saturating_sub(context), (n - end + context).min(n))
    };
    // Shorter labels have room for more.
    let mut longest = |label: &&str| {
        let texts = CONTEXT.into_iter().map(|k| text(label, k));
        texts.into_iter().find(|t| size(t) <= most)
    };
    let own: Vec<String> = labels.iter().map(&mut longest).collect::<Option<_>>()?;
    if clashes(&own).is_empty() {
        return Some(own);
    }
    let texts = CONTEXT.into_iter().map(|k| labels.iter().map(|l| text(l, k)).collect());
    first_that_fit(texts, most, size)
}

/// As many characters as fit from the first in which any two labels differ.
fn from_first_difference(
    labels: &[&str],
    most: f64,
    size: &mut dyn FnMut(&str) -> f64,
) -> Option<Vec<String>> {
    let start = common(labels, str::chars).saturating_sub(2);
    let text = |label: &&str, shown: usize| part(label, start, (start + shown).min(label.chars().count()));
    let texts =
        [48, 32, 24, 16, 12, 8, 6, 4].into_iter().map(|k| labels.iter().map(|l| text(l, k)).collect());
    first_that_fit(texts, most, size)
}

/// The characters `from..to` with an ellipsis where others are left out.
fn part(label: &str, from: usize, to: usize) -> String {
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    let shown: String = label.chars().skip(from).take(to.saturating_sub(from)).collect();
    format!("{}{shown}{}", dots(from > 0), dots(label.chars().nth(to).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortens_in_the_middle() {
        assert_eq!(shorten("high_school_statistics", 9), "high…tics");
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüß", 3), "ä…ß");
        assert_eq!(clean(&"x".repeat(100_000)).chars().count(), LONGEST);
    }

    #[test]
    fn no_text_of_a_file_commands_the_terminal() {
        assert_eq!(clean("a\u{1a}b\nc\u{202e}"), "a\\u{1a}b c\\u{202e}");
        assert_eq!(one_line("a\u{1b}[31m\nb\u{2028}c\td"), "a\\u{1b}[31m b\\u{2028}c d");
        assert_eq!(one_line(&"x".repeat(1000)).len(), 1000);
        assert_eq!(clean("\u{fdd0}x\u{fdd1}"), "\\u{fdd0}x\\u{fdd1}");
        assert!(clean(&"\u{fdd0}".repeat(300_000)).len() < 3_000);
    }

    fn short(labels: &[&str], most: usize) -> Vec<String> {
        distinct(labels, most as f64, &mut |t| t.chars().count() as f64)
    }

    #[test]
    fn labels_show_in_what_they_differ() {
        assert_eq!(short(&["short", "high_school_statistics"], 9), ["short", "high…tics"]);
        let runs = ["imagenet_resnet_seed_1_of_the_last_sweep", "imagenet_resnet_seed_2_of_the_last_sweep"];
        assert_eq!(short(&runs, 24), ["imagenet_resnet_seed_1_…", "imagenet_resnet_seed_2_…"]);
        assert_eq!(short(&runs, 12), ["…seed_1_of_…", "…seed_2_of_…"]);
        let two = ["aaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaa2aaaaaaaaaaaaaaaaaaa"];
        assert_eq!(short(&two, 10), ["…aaa1aaa…", "…aaa2aaa…"]);
        let grid = [
            "net_lr_0.1_with_decay_wd_5_and_rest_of_name",
            "net_lr_0.2_with_decay_wd_5_and_rest_of_name",
            "net_lr_0.1_with_decay_wd_6_and_rest_of_name",
        ];
        let shown = short(&grid, 20);
        assert!(shown.iter().all(|s| s.chars().count() <= 20) && clashes(&shown).is_empty(), "{shown:?}");
    }

    #[test]
    fn equal_labels_stay_equal_and_others_differ() {
        let mut labels: Vec<String> = (0..400)
            .map(|i| {
                format!("{}{:03}{}{:03}{}", "x".repeat(60), i % 20, "y".repeat(60), i / 20, "z".repeat(60))
            })
            .collect();
        labels.push(labels[0].clone());
        let of: Vec<&str> = labels.iter().map(String::as_str).collect();
        let shown = short(&of, 20);
        assert_eq!(shown[0], shown[400]);
        assert_eq!(shown[..400].iter().collect::<HashSet<_>>().len(), 400);
    }

    #[test]
    fn numbers_in_place_of_labels_rise_with_them() {
        let names: Vec<String> = (0..300).map(|i| format!("layer_{}_head_{}", i / 12, i % 12)).collect();
        let shown = short(&names.iter().map(String::as_str).collect::<Vec<_>>(), 5);
        let mut last: HashMap<&str, u32> = HashMap::new();
        for text in &shown {
            let Some((head, number)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) else {
                continue;
            };
            let number: u32 = number.parse().unwrap();
            assert!(last.insert(head, number).is_none_or(|before| before < number), "{shown:?}");
        }
        assert!(last[""] > 200 && shown.iter().collect::<HashSet<_>>().len() == 300, "{shown:?}");
    }

    #[test]
    fn endless_labels_differ_after_cleaning() {
        let long = |mid: &str| format!("{}{mid}{}", "a".repeat(5_000), "b".repeat(5_000));
        let shown = clean_labels(&[long("1"), long("2"), "x\ty".to_owned()]);
        assert!(shown[0] != shown[1] && shown[0].chars().count() <= LONGEST);
        assert_eq!(shown[2], "x y");
    }

    #[test]
    fn each_label_shows_as_much_as_it_has_room_for() {
        let words = ["history", "law", "geography"];
        let names: Vec<String> =
            (1..4).flat_map(|n| words.map(|w| format!("supervised_finetuning_on_{}", w.repeat(n)))).collect();
        let of: Vec<&str> = names.iter().map(String::as_str).collect();
        for (name, text) in of.iter().zip(short(&of, 30)) {
            assert!(text.chars().count() >= 20 || text == *name, "{text} for {name}");
        }
    }

    #[test]
    fn numbered_texts_are_found() {
        let pairs = [("a…(2)", "abcdef"), ("f(1)", "f(1)"), ("a…b", "axb"), ("g()", "gh")];
        assert_eq!(numbered(pairs.into_iter()), [("a…(2)".to_owned(), "abcdef".to_owned())]);
    }
}
