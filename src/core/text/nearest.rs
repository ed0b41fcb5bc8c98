//! The word that was meant: the known one nearest to a wrong one.

/// The known word nearest to a wrong one, if any is near: at most a third of its characters differ.
pub fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Long texts are not misspelt words, and comparing them is slow.
    if wrong.chars().count() > 60 {
        return None;
    }
    let plain = |word: &str| word.to_lowercase().replace('-', "_");
    let wrong = plain(wrong);
    let score = |k: &str| {
        let k = plain(k);
        let edits = strsim::damerau_levenshtein(&wrong, &k);
        let length = k.chars().count();
        (edits <= length.div_ceil(3) && edits < length)
            .then_some(strsim::jaro_winkler(&wrong, &k) - edits as f64)
    };
    known.filter_map(|k| Some((score(k)?, k))).max_by(|a, b| a.0.total_cmp(&b.0)).map(|s| s.1)
}

/// `; did you mean 'columns'?`
pub fn did_you_mean(near: Option<&str>) -> String {
    near.map(|n| format!("; did you mean '{n}'?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_words_are_offered() {
        let words = ["columns", "color", "title", "panel_title"];
        let near = |w: &str| nearest(w, words.into_iter());
        assert_eq!(
            (near("colums"), near("colour"), near("panel-title"), near("TITLE")),
            (Some("columns"), Some("color"), Some("panel_title"), Some("title"))
        );
        assert_eq!((near("zzz"), near(&"c".repeat(100_000))), (None, None));
    }
}
