//! Tests of the tokenizer.

use super::*;
use crate::position::Place;

fn skipped(text: &str) -> Result<usize, (usize, String)> {
    let mut r = Tokenizer::new(text, false);
    r.skip().map_err(|f| (f.at, f.what))?;
    Ok(r.at())
}

#[test]
fn what_serde_json_reads_is_read_and_the_rest_refused() {
    let good = [
        "[]",
        "{}",
        " [1, -0.5e+3 ,{\"a\\n\\u00e9\":[true,null]}]",
        "\"\\ud83d\\ude00\"",
        "0",
        "-0",
        "1E5",
        "\"\u{7f}é\"",
    ];
    let bad = [
        "[1,]",
        "[,1]",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "[01]",
        "[+1]",
        "[-]",
        "[1.]",
        "[.5]",
        "[1e]",
        "[1eE2]",
        "[0x1]",
        "[\"\t\"]",
        "[\"\\x\"]",
        "[\"\\ud800\"]",
        "[\"",
        "[\"\\",
        "[",
        "{\"a\"",
        "{\"a\":",
        "[1 2]",
        "[nul]",
        "[True]",
        "[1}",
        "",
    ];
    for t in good {
        assert!(serde_json::from_str::<serde_json::Value>(t).is_ok() && skipped(t).is_ok(), "{t}");
    }
    for t in bad {
        assert!(serde_json::from_str::<serde_json::Value>(t).is_err() && skipped(t).is_err(), "{t}");
    }
    assert_eq!(skipped("[1, x]"), Err((4, "expected a value, found 'x'".into())));
    assert_eq!(skipped("[1"), Err((2, "the text ends where ',' or ']' is expected".into())));
    assert_eq!(skipped("[\"ab"), Err((1, "a text that is not closed".into())));
}

#[test]
fn nesting_ends_at_128() {
    let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
    assert!(skipped(&deep(128)).is_ok());
    assert_eq!(skipped(&deep(129)).unwrap_err().0, 128);
    assert_eq!(skipped(&"[".repeat(100_000)).unwrap_err().0, 128);
    assert_eq!(skipped(&"[{\"a\":".repeat(50_000)).unwrap_err().1, "nested more than 128 deep");
}

#[test]
fn tokens_of_python_are_values_only_where_allowed() {
    for (t, v) in [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)] {
        let f = Tokenizer::new(t, false).scalar().unwrap_err();
        assert!(f.hint.unwrap().contains("--json-nan") && f.what.starts_with(t));
        let Ok(Scalar::NotFinite(got)) = Tokenizer::new(t, true).scalar() else { panic!("{t}") };
        assert!(got == v || got.is_nan() && v.is_nan());
    }
    assert!(Tokenizer::new("-NaN", true).scalar().is_err() && Tokenizer::new("nan", true).scalar().is_err());
    assert_eq!(Tokenizer::new("\"NaN\"", false).scalar(), Ok(Scalar::Text("NaN".into())));
}

#[test]
fn numbers_are_integers_or_floats_as_they_are_written() {
    for t in ["0", "-0", "17", "18446744073709551616"] {
        assert_eq!(Tokenizer::new(t, false).scalar(), Ok(Scalar::Integer(t)));
    }
    for t in ["0.0", "-0.10", "1e5", "1E-7", "3.5e+2"] {
        assert_eq!(Tokenizer::new(t, false).scalar(), Ok(Scalar::Float(t)));
    }
}

#[test]
fn faults_have_line_and_column() {
    let text = "[1,\n é x]";
    let e = Tokenizer::new(text, false).skip().unwrap_err();
    assert_eq!(place(text, e.at), Place::line_column(2, 2));
    assert_eq!(e.what, "expected a value, found 'é'");
    assert_eq!(
        whole_text(b"[\"\xff\"]", "a").unwrap_err().to_string(),
        "a: line 1, column 3: is not UTF-8 (0xff)"
    );
    assert_eq!(whole_text(b"\xef\xbb\xbf[]", "a"), Ok("[]"));
}

#[test]
fn plain_bytes_end_where_a_text_does() {
    for len in 0..40 {
        for special in [b'"', b'\\', 0, 9, 0x1f] {
            for at in 0..len {
                let mut bytes: Vec<u8> =
                    (0..len).map(|i| [b'a', 0xc3, 0x20, 0x7f, 0xff, b'!', b'#'][i % 7]).collect();
                assert_eq!(plain_bytes(&bytes), len);
                bytes[at] = special;
                bytes[len - 1] = if at + 1 < len { b'"' } else { special };
                assert_eq!(plain_bytes(&bytes), at, "{bytes:?}");
            }
        }
    }
}
