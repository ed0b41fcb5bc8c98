//! Arrays as Python prints them: `[[1 2]\n [3 4]]` of `NumPy`, `array([[1, 2]])` and `tensor([[1., 2.]])`. They are rewritten as JSON and
//! read as that.

use super::json;
use super::reader::{Contents, Input, Request};
use super::sniff::Head;
use crate::bytes::text_from;
use crate::error::InputError;
use crate::field::shown;
use crate::position::Place;

/// Words before the parenthesis of an array.
const WRAPPERS: [&str; 3] = ["array(", "tensor(", "Array("];

/// Lines before an array of rows, as programs and consoles print them.
const BEFORE: usize = 40;

/// The text from the first bracket on, and whether a word stands before it. Rows may follow lines of other text.
fn unwrapped(text: &str) -> Option<(&str, bool)> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut rest = Some(text);
    for _ in 0..BEFORE {
        let Some(line) = rest else { break };
        let is_array =
            |word: &&str| line.strip_prefix(*word).is_some_and(|inner| inner.trim_start().starts_with("[["));
        if line.starts_with("[[") || WRAPPERS.iter().any(is_array) {
            return unwrapped_here(line);
        }
        rest = line.split_once('\n').map(|(_, after)| after.trim_start_matches(' '));
        if line.starts_with(['[', '{']) {
            break;
        }
    }
    unwrapped_here(text)
}

fn unwrapped_here(text: &str) -> Option<(&str, bool)> {
    let inner = WRAPPERS.iter().find_map(|word| text.strip_prefix(word));
    let rest = inner.unwrap_or(text).trim_start();
    rest.starts_with('[').then_some((rest, inner.is_some()))
}

/// Whether a file begins as a printed array: with its word, or with numbers that blanks alone part.
pub(super) fn is_printed(head: &Head) -> bool {
    let bytes = &head.bytes[..head.bytes.len().min(4096)];
    let text = String::from_utf8_lossy(bytes);
    let Some((rest, is_wrapped)) = unwrapped(&text) else { return false };
    let row = rest.trim_start_matches(|c: char| c == '[' || c.is_whitespace());
    let row = row.split([']', '[']).next().unwrap_or_default();
    let words: Vec<&str> = row.split_whitespace().take(100).collect();
    // The last word may be cut.
    let whole = &words[..words.len().saturating_sub(usize::from(words.len() == 100)).max(1).min(words.len())];
    is_wrapped || words.len() > 1 && whole.iter().all(|w| *w == "..." || json_of(w).is_some())
}

/// The array of a file.
///
/// # Errors
/// An array that is printed in part, or of something else than numbers; and as for JSON.
pub(super) fn open(input: &mut Input) -> Result<Contents, InputError> {
    let (bytes, held) = input.bytes()?;
    let json = json_of_array(text_from(&bytes, 0, input.request.file)?, input.request.file)?;
    let mut figure = input.request.figure.clone();
    figure.data.json_nan = Some(true);
    let request = Request { figure: &figure, ..input.request };
    let mut rewritten = Input::whole(request, (json.into_bytes(), held));
    let contents = json::open(&mut rewritten)?;
    input.lints.append(rewritten.lints);
    Ok(contents)
}

/// The array as JSON.
fn json_of_array(text: &str, file: &str) -> Result<String, InputError> {
    let (rest, _) = unwrapped(text).unwrap_or((text, false));
    let from = text.len() - rest.len();
    let line = |at: usize| Place::line(1 + text[..at].matches('\n').count() as u64);
    let refused = |at: usize, what: String| InputError::refused(file, line(at), what);
    let mut out = String::with_capacity(rest.len());
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        let c = rest[at..].chars().next().unwrap_or(' ');
        let is_next = out.ends_with(|c: char| c == ']' || c.is_ascii_alphanumeric());
        match c {
            '[' => {
                out.push_str(if is_next { ",[" } else { "[" });
                depth += 1;
            }
            ']' => {
                out.push(']');
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            c if c.is_whitespace() || c == ',' => {}
            _ => {
                let word = &rest[at..];
                let end = word.find(|c: char| c.is_whitespace() || [',', '[', ']'].contains(&c));
                let word = &word[..end.unwrap_or(word.len())];
                if word == "..." {
                    let e = refused(
                        from + at,
                        "the array is printed in part: \"...\" stands for the rest".to_owned(),
                    );
                    return Err(e.with_hint(
                        "numpy.save(FILE.npy, array) or numpy.savetxt(FILE.txt, array) writes all of it",
                    ));
                }
                let number = json_of(word)
                    .ok_or_else(|| refused(from + at, format!("{} is not a number", shown(word))))?;
                out.push_str(if is_next { "," } else { "" });
                out.push_str(&number);
                at += word.len();
                continue;
            }
        }
        at += c.len_utf8();
    }
    match depth {
        0 => Ok(out),
        _ => Err(refused(text.len(), "the array does not end".to_owned())),
    }
}

/// A printed number as JSON has it: `1.`, `True` and `nan`, too.
fn json_of(word: &str) -> Option<String> {
    match word {
        "True" => return Some("1".to_owned()),
        "False" => return Some("0".to_owned()),
        "nan" | "NaN" => return Some("NaN".to_owned()),
        "inf" | "Infinity" => return Some("Infinity".to_owned()),
        "-inf" | "-Infinity" => return Some("-Infinity".to_owned()),
        _ => {}
    }
    let is_number = word.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if !is_number || word.parse::<f64>().is_err() {
        return None;
    }
    let word = word.strip_prefix('+').unwrap_or(word);
    let (sign, digits) = word.strip_prefix('-').map_or(("", word), |d| ("-", d));
    let end = digits.find(['e', 'E']).unwrap_or(digits.len());
    let (number, exponent) = digits.split_at(end);
    let number = match number.split_once('.') {
        Some(("", fraction)) => format!("0.{fraction}"),
        Some((whole, "")) => format!("{whole}.0"),
        _ => number.to_owned(),
    };
    // JSON has no zeros before other digits.
    let zeros = number.bytes().take_while(|b| *b == b'0').count();
    let digit = number.as_bytes().get(zeros).is_some_and(u8::is_ascii_digit);
    let number = &number[if digit { zeros } else { zeros.saturating_sub(1) }..];
    Some(format!("{sign}{number}{exponent}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Result<String, String> {
        json_of_array(text, "a.txt").map_err(|e| e.to_string())
    }

    fn is(text: &str) -> bool {
        is_printed(&Head { bytes: text.as_bytes(), file: "a.txt" })
    }

    #[test]
    fn arrays_are_read_as_python_prints_them() {
        assert_eq!(json("[[50  3]\n [ 4 45]]\n").unwrap(), "[[50,3],[4,45]]");
        assert_eq!(
            json("array([[1. , 0.5],\n       [-.25, nan]], dtype=float32)").unwrap(),
            "[[1.0,0.5],[-0.25,NaN]]"
        );
        assert_eq!(json("tensor([[1.0000e-05, inf]], device='cuda:0')").unwrap(), "[[1.0000e-05,Infinity]]");
        assert_eq!(json("[[[1 2]\n  [3 4]]\n\n [[5 6]\n  [7 8]]]").unwrap(), "[[[1,2],[3,4]],[[5,6],[7,8]]]");
        assert_eq!(json("[ True False]").unwrap(), "[1,0]");
        assert_eq!(
            json("Accuracy: 0.875\nConfusion matrix:\n[[48  2]\n [ 3 41]]\nend\n").unwrap(),
            "[[48,2],[3,41]]"
        );
        assert!(is(">>> print(cm)\n[[48  2]\n [ 3 41]]\n") && !is("a,b\n[[1, 2], [3, 4]]\n"));
        for text in ["[[50  3]\n [ 4 45]]", "array([1, 2])", "[1. 2.]", "[[0.1 ... 0.9]", "  [[ 1 -2]"] {
            assert!(is(text), "{text}");
        }
        for text in ["[[1, 2], [3, 4]]", "[{\"a\": 1}]", "[[5]]", "[a b]", "a,b\n1,2", "[]", ""] {
            assert!(!is(text), "{text}");
        }
    }

    #[test]
    fn what_is_not_whole_is_refused_with_its_place() {
        let said = |text: &str| json(text).unwrap_err();
        assert!(
            said("[[1 2]\n ...\n [3 4]]").contains("line 2: the array is printed in part"),
            "{}",
            said("[[1 ...]]")
        );
        assert!(said("[[1 2]\n [3 x]]").contains("line 2: 'x' is not a number"), "{}", said("[[1 x]]"));
        assert!(said("[[1 2]\n [3 4]").contains("does not end"));
    }
}
