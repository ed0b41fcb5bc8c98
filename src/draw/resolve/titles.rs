//! Titles of the figure and of panels, and the fields in them: `{letter} {panel}`.

use super::error::ResolveError;
use gridscope_core::figure::Figure;
use gridscope_core::grid::{FacetValue, Grid};
use gridscope_core::text::{filled, nearest, rich_pieces, spoken};

/// A field of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Panel,
    Letter,
    Index,
    File,
    Value,
    Row,
    Column,
}

/// The fields of titles of panels, and of them those that the title of a figure has.
const OF_PANELS: [(&str, Field); 7] = [
    ("panel", Field::Panel),
    ("letter", Field::Letter),
    ("index", Field::Index),
    ("file", Field::File),
    ("value", Field::Value),
    ("row", Field::Row),
    ("column", Field::Column),
];
const OF_FIGURE: [(&str, Field); 2] = [("file", Field::File), ("value", Field::Value)];

/// The most names in the title of a figure.
const MOST_NAMES: usize = 8;

/// A title with its fields.
pub(super) struct Template {
    pieces: Vec<String>,
    fields: Vec<Field>,
}

impl Template {
    /// A title of panels.
    ///
    /// # Errors
    /// A field that panels do not have; `key` is that of the title in figure files.
    pub(super) fn of_panels(text: &str, key: &str) -> Result<Self, ResolveError> {
        Self::read(text, key, &OF_PANELS)
    }

    /// Braces in formulas are theirs, and `{{` and `}}` are braces.
    fn read(text: &str, key: &str, known: &[(&str, Field)]) -> Result<Self, ResolveError> {
        let (mut pieces, mut fields, mut rest) = (vec![String::new()], Vec::new(), text);
        let mut in_formula = false;
        while let Some(at) = rest.find(['{', '}', '$', '\\']) {
            let (before, tail) = rest.split_at(at);
            let last = pieces.len() - 1;
            pieces[last].push_str(before);
            let field = tail.strip_prefix('{').and_then(|t| t.split_once('}'));
            let found = field.and_then(|(name, _)| known.iter().find(|(word, _)| *word == name));
            if let (Some((_, one)), Some((_, after))) = (found, field) {
                fields.push(*one);
                pieces.push(String::new());
                rest = after;
                continue;
            }
            let is_doubled = !in_formula && (tail.starts_with("{{") || tail.starts_with("}}"));
            if let Some((name, _)) = field.filter(|_| !in_formula && !is_doubled) {
                return Err(unknown(name, key, known));
            }
            if tail.starts_with('{') && !in_formula && !is_doubled {
                return Err(ResolveError::key(key, "'{' without '}'; {{ is a brace"));
            }
            let mut after = tail.chars();
            match after.next() {
                Some('$') => in_formula = !in_formula && after.as_str().contains('$'),
                // What follows a backslash is no sign of its own.
                Some('\\') => _ = after.next(),
                _ => {}
            }
            pieces[last].push_str(tail.strip_suffix(after.as_str()).unwrap_or(tail));
            if is_doubled {
                after.next();
            }
            rest = after.as_str();
        }
        if let Some(last) = pieces.last_mut() {
            last.push_str(rest);
        }
        Ok(Self { pieces: rich_pieces(pieces.iter().map(String::as_str)), fields })
    }

    /// The title of a panel, `index` its place among all and `name` its name as it is drawn.
    pub(super) fn of(&self, grid: &Grid, index: usize, name: &str) -> String {
        let side = |value: Option<&FacetValue>| value.map_or_else(String::new, |v| v.value.clone());
        let text = |field: &Field| match field {
            Field::Panel => name.to_owned(),
            Field::Letter => format!("({})", letters(index)),
            Field::Index => index.to_string(),
            Field::File => grid.file().to_owned(),
            Field::Value => grid.value_name().to_owned(),
            Field::Row => side(grid.facet().and_then(|f| f.row.as_ref())),
            Field::Column => side(grid.facet().and_then(|f| f.column.as_ref())),
        };
        let texts: Vec<String> = self.fields.iter().map(text).collect();
        filled(&self.pieces, texts.iter().map(String::as_str))
    }
}

/// The title of a figure as it is drawn; empty without one.
///
/// # Errors
/// A field that it does not have.
pub(super) fn figure_title(figure: &Figure, grids: &[Grid]) -> Result<String, ResolveError> {
    let Some(text) = &figure.title else {
        return Ok(String::new());
    };
    let template = Template::read(text, "title", &OF_FIGURE)?;
    // What several panels have is named once each.
    let names = |of: fn(&Grid) -> &str| {
        let mut names: Vec<&str> = Vec::new();
        for name in grids.iter().map(of).filter(|name| !name.is_empty()) {
            if !names.contains(&name) && names.len() < MOST_NAMES {
                names.push(name);
            }
        }
        names.join(", ")
    };
    let text = |field: &Field| names(if *field == Field::File { Grid::file } else { Grid::value_name });
    let texts: Vec<String> = template.fields.iter().map(text).collect();
    Ok(filled(&template.pieces, texts.iter().map(String::as_str)))
}

/// The title of a figure as plain text; none without one, or where it has a field that is none.
pub fn document_title(figure: &Figure, grids: &[Grid]) -> Option<String> {
    figure_title(figure, grids).ok().filter(|title| !title.is_empty()).map(|title| spoken(&title))
}

/// a to z, aa, ab, …
fn letters(index: usize) -> String {
    let (mut n, mut out) = (index + 1, Vec::new());
    while n > 0 {
        out.push(b'a' + ((n - 1) % 26) as u8);
        n = (n - 1) / 26;
    }
    out.reverse();
    out.into_iter().map(char::from).collect()
}

fn unknown(name: &str, key: &str, known: &[(&str, Field)]) -> ResolveError {
    let words = || known.iter().map(|(word, _)| *word);
    let near = nearest(name, words()).map(|near| format!("; did you mean {{{near}}}?")).unwrap_or_default();
    let list = words().map(|word| format!("{{{word}}}")).collect::<Vec<_>>().join(", ");
    let shown: String = name.chars().take(40).collect();
    ResolveError::Key {
        key: key.to_owned(),
        what: format!("{{{shown}}} is no field of a title{near}"),
        hint: Some(format!("{list}; {{{{ and }}}} are braces")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(text: &str) -> Result<String, String> {
        let mut grid = Grid::from_rows(1, 1, vec![0.0]).unwrap().with_name("seed 3");
        grid.set_file("runs");
        let template = Template::of_panels(text, "panel_title").map_err(|e| e.to_string())?;
        Ok(template.of(&grid, 27, "seed 3"))
    }

    #[test]
    fn fields_are_filled_and_others_refused() {
        assert_eq!(title("{letter} {panel}, {index} of {file}"), Ok("(ab) seed 3, 27 of runs".to_owned()));
        assert_eq!(title("a {{panel}} } b"), Ok("a {panel} } b".to_owned()));
        assert_eq!(title("{row}{column}{value}|"), Ok("|".to_owned()));
        let wrong = title("{pannel}").unwrap_err();
        assert!(wrong.contains("panel_title") && wrong.contains("did you mean {panel}?"), "{wrong}");
        assert!(title("{}").is_err() && title("x {a b} y").is_err());
        assert!(title("{open").is_err());
    }

    #[test]
    fn braces_of_formulas_are_theirs() {
        let formula = rich_pieces(["$x^{2}_{{ab}}$"]).concat();
        assert_eq!(title("$x^{2}_{{ab}}$"), Ok(formula.clone()));
        assert_eq!(title("$x^{2}_{{ab}}$ {index}"), Ok(format!("{formula} 27")));
        assert!(title("5 $ {foo}").is_err() && title("\\$ {foo} \\$").is_err());
        assert_eq!([0, 25, 26, 701, 702].map(letters), ["a", "z", "aa", "zz", "aaa"]);
    }
}
