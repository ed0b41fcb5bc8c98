//! The answers to what the program asks of some files.

/// The options that answer what a refusal asks for, from its hint: the likely ones first.
pub fn answers(err: &str) -> Vec<Vec<String>> {
    let Some(hint) = err.lines().find_map(|l| l.strip_prefix("hint: ")) else {
        return Vec::new();
    };
    let words = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
    let mut found = Vec::new();
    if hint.starts_with("--") && !hint.contains(" COL") {
        found.push(split(hint));
    } else if !hint.contains("--") {
        return found;
    }
    found.extend(
        ["--x|column 1|--y|column 2|--agg|count", "--x|column 1|--y|column 1|--agg|count", "--table|matrix"]
            .map(words),
    );
    found
}

/// The first proposal of a hint as a shell splits it.
fn split(hint: &str) -> Vec<String> {
    let (mut out, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in hint.chars().chain([' ']) {
        match c {
            '\'' => quoted = !quoted,
            ',' | ';' if !quoted && !word.contains(',') && word.starts_with(|c: char| c.is_ascii_digit()) => {
                break;
            }
            ' ' if !quoted && word.is_empty() => break,
            ' ' if !quoted => out.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

#[test]
fn hints_become_options() {
    let of = |hint: &str| answers(&format!("error: a\nhint: {hint}\n")).first().map(|a| a.join("|"));
    assert_eq!(of("--key acc").unwrap(), "--key|acc");
    assert_eq!(of("--slice 0=0, or --panel axis:0").unwrap(), "--slice|0=0");
    assert_eq!(of("--key 'a b/c'  (2 x 2); --key d").unwrap(), "--key|a b/c");
    assert_eq!(of("--x 'it'\\''s',lr --y m").map(|o| o.starts_with("--x|")), Some(true));
    assert_eq!(
        of("--x COL --y COL --value COL, or --table wide|matrix").unwrap(),
        "--x|column 1|--y|column 2|--agg|count"
    );
    assert_eq!(of("iconv -f latin1"), None);
}
