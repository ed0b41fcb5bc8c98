//! Which file an error is about: the figure file where the value at fault is its own, else the data.

use super::diagnostics::Failure;
use crate::figure::Figure;
use serde_json::Value;

/// The files of a run, and who has given which value.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The figure file and its words, where there is one.
    file: Option<(String, Value)>,
    /// The words in force: flags stand above the file's.
    all: Value,
    /// The first file of the data.
    data: String,
}

impl Origin {
    /// `file` is the figure file as it was read, `all` the figure with the flags over it.
    pub fn new(file: Option<(String, Figure)>, all: &Figure, data: &[String]) -> Self {
        let file = file.map(|(name, figure)| (name, words(&figure)));
        Self {
            file,
            all: words(all),
            data: data.first().cloned().unwrap_or_default(),
        }
    }

    /// The same figure with other data.
    pub fn with_data(self, data: &str) -> Self {
        Self {
            data: data.to_owned(),
            ..self
        }
    }

    /// The first file of the data.
    pub fn data(&self) -> &str {
        &self.data
    }

    /// A failure that begins with the file that it is about.
    pub fn of(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Run(e) => {
                let own = self
                    .file
                    .as_ref()
                    .filter(|(_, words)| e.keys().iter().any(|key| is_given(words, &self.all, "", key)));
                let name = own.map_or(&self.data, |(name, _)| name);
                Failure::Run(e.of_file(name))
            }
            Failure::Usage(..) => failure,
        }
    }
}

fn words(figure: &Figure) -> Value {
    serde_json::to_value(figure).unwrap_or_default()
}

/// Whether a table `under` this name, or one inside it, gives a key, and no flag has given another value: `vmin` in any table,
/// `view.x` in `view` alone.
fn is_given(table: &Value, all: &Value, under: &str, key: &str) -> bool {
    let (parent, leaf) = key
        .split_once('.')
        .map_or((None, key), |(parent, leaf)| (Some(parent), leaf));
    table.as_object().into_iter().flatten().any(|(name, value)| {
        let now = &all[name.as_str()];
        let named = name == leaf && parent.is_none_or(|p| p == under);
        named && !value.is_null() && (value.is_object() || value == now) || is_given(value, now, name, key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::figure::PanelSpec;
    use crate::input::InputError;
    use crate::resolve::ResolveError;
    use crate::scale::LimitsError;

    fn origin() -> Origin {
        let mut file = Figure::default();
        (file.color.vmin, file.color.vmax, file.size.dpi) = (Some(5.0), Some(9.0), Some(72.0));
        file.view.x = Some("0:9".parse().unwrap());
        file.panels.insert(
            "a.b".to_owned(),
            PanelSpec {
                norm: Some("log".parse().unwrap()),
                ..PanelSpec::default()
            },
        );
        let mut all = file.clone();
        all.color.vmin = Some(20.0);
        all.size.dpi = Some(0.5);
        all.size.width = Some("3in".parse().unwrap());
        Origin::new(
            Some(("f.toml".to_owned(), file)),
            &all,
            &["d.csv".to_owned(), "e.csv".to_owned()],
        )
    }

    fn begins(origin: &Origin, e: Error) -> String {
        let Failure::Run(e) = origin.of(e.into()) else {
            panic!("a failure of another kind")
        };
        e.to_string().split(':').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn the_file_that_gives_the_value_is_named() {
        let with = origin();
        let key = |key: &str| Error::Figure(ResolveError::Key(key.to_owned(), "is wrong".to_owned()));
        for word in ["vmax", "norm", "view.x", "panels.a.b", "color.vmax", "size"] {
            assert_eq!(begins(&with, key(word)), "f.toml", "{word}");
        }
        // Given by a flag, by none, or by the file in another table.
        for word in [
            "vmin",
            "dpi",
            "width",
            "color.vmin",
            "fmt",
            "view_x",
            "view.y",
            "x.x",
            "panels.b",
            "",
        ] {
            assert_eq!(begins(&with, key(word)), "d.csv", "{word}");
        }
        let limits = || {
            Error::Figure(ResolveError::Limits(LimitsError::Reversed {
                vmin: 9.0,
                vmax: 5.0,
            }))
        };
        assert_eq!(begins(&with, limits()), "f.toml", "vmax is the file's");
        assert_eq!(
            begins(&with, Error::Figure(ResolveError::Dpi(0.5))),
            "d.csv",
            "dpi is a flag's"
        );
        assert_eq!(
            begins(
                &with,
                Error::Figure(ResolveError::Data("nothing is positive".to_owned()))
            ),
            "d.csv"
        );
        assert_eq!(
            begins(&with, InputError::refused("", "panels.a.b", "is no panel").into()),
            "f.toml"
        );
        assert_eq!(
            begins(&with, InputError::refused("mask.csv", "", "is empty").into()),
            "mask.csv"
        );
        assert_eq!(
            begins(&with.clone().with_data("base.csv"), Error::limit("too much")),
            "base.csv"
        );
        let without = Origin::new(None, &Figure::default(), &["d.csv".to_owned()]);
        assert_eq!(begins(&without, limits()), "d.csv");
    }
}
