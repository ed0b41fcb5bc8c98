//! The texts that the user wrote, and the formulas in them that are not understood.

use gridscope_core::figure::{Annotate, Figure, TemplatePart};
use gridscope_core::lint::{LintName, Lints};
use gridscope_core::text::unread_formulas;

/// Every text of a figure that may have formulas.
pub fn user_texts(figure: &Figure) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let single = [
        &figure.title,
        &figure.note,
        &figure.panel_title,
        &figure.x.label,
        &figure.y.label,
        &figure.color.label,
    ];
    out.extend(single.into_iter().flatten().cloned());
    for panel in figure.panels.values() {
        out.extend([&panel.title, &panel.label].into_iter().flatten().cloned());
    }
    out.extend(figure.all_marks().filter_map(|mark| mark.label.clone()));
    out.extend(figure.x.labels.values().chain(figure.y.labels.values()).cloned());
    if let Some(Annotate::Template(template)) = figure.annotations.show.as_deref() {
        let text = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => text.clone(),
            _ => "…".to_owned(),
        };
        out.push(template.parts().iter().map(text).collect());
    }
    out
}

/// Reports formulas that are not understood.
pub fn unread(figure: &Figure, lints: &mut Lints) {
    let mut found: Vec<String> = user_texts(figure).iter().flat_map(|t| unread_formulas(t)).collect();
    found.dedup();
    let Some(first) = found.first() else { return };
    let more = match found.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    let text = format!("{first} is not understood as a formula and is drawn as written{more}");
    lints.add(LintName::Mathtext, found.len() as u64, text).hint("\\$ is a dollar sign");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_that_are_not_understood_are_reported_once() {
        let mut figure = Figure { title: Some(r"$\alpha$ of $\foo{x}$".to_owned()), ..Figure::default() };
        figure.annotations.show = Some("$10^{{{mean}}}$ $\\bar$".parse().unwrap());
        figure.x.labels.insert("a".to_owned(), "$x^2$".to_owned());
        let mut lints = Lints::default();
        unread(&figure, &mut lints);
        assert_eq!(lints.0.len(), 1);
        assert_eq!(
            lints.0[0].to_string(),
            r"warning[mathtext]: $\foo{x}$ is not understood as a formula and is drawn as written (and 1 more); hint: \$ is a dollar sign"
        );
        figure.title = Some("cost in $".to_owned());
        figure.annotations.show = None;
        let mut lints = Lints::default();
        unread(&figure, &mut lints);
        assert!(lints.0.is_empty());
    }
}
