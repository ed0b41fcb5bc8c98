//! The file that an error is about: the figure file if it gives the wrong value, otherwise the data.

use super::diagnostics::Failure;
use gridscope_core::figure::Figure;
use gridscope_draw::error::Error;
use serde_json::Value;
use std::io;
use std::path::Path;

/// The files of a run, and the values that each of flags and figure file gives.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The figure file and its keys, if there is one.
    file: Option<(String, Value)>,
    /// The keys in force: those of the file, overridden by flags.
    all: Value,
    /// The first file of the data.
    data: String,
}

impl Origin {
    /// `file` is the figure file as it was read, `all` the figure after the flags were applied.
    pub(super) fn new(file: Option<(String, Figure)>, all: &Figure, data: &[String]) -> Self {
        let file = file.map(|(name, figure)| (name, keys(&figure)));
        Self { file, all: keys(all), data: data.first().cloned().unwrap_or_default() }
    }

    /// The same figure with other data.
    pub(super) fn with_data(self, data: &str) -> Self {
        Self { data: data.to_owned(), ..self }
    }

    /// The first file of the data.
    pub(super) fn data(&self) -> &str {
        &self.data
    }

    /// A missing file that the figure file names, with the name of that file and the folder where it should be.
    fn asked_for(&self, e: Error) -> Error {
        let (mut missing, (asks, keys)) = match (e, &self.file) {
            (Error::Input(missing), Some(file)) => (missing, file),
            (e, _) => return e,
        };
        let cause = std::error::Error::source(&missing).and_then(|c| c.downcast_ref::<io::Error>());
        if cause.is_some_and(|c| c.kind() == io::ErrorKind::NotFound) && names(keys, &missing.file) {
            let folder = Path::new(&missing.file).parent().unwrap_or(Path::new(""));
            let folder = std::path::absolute(folder.join(".")).unwrap_or_else(|_| folder.to_owned());
            missing.what = format!("{}; {asks} asks for it, in {}", missing.what, folder.display());
        }
        Error::Input(missing)
    }

    /// The failure with the file that it is about, unless it names one.
    pub(super) fn of(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Run(e) => {
                let e = self.asked_for(e);
                let own = self
                    .file
                    .as_ref()
                    .filter(|(_, keys)| e.keys().iter().any(|key| is_given(keys, &self.all, "", key)));
                let name = own.map_or(&self.data, |(name, _)| name);
                Failure::Run(e.of_file(name))
            }
            Failure::Usage(..) => failure,
        }
    }
}

/// Whether a text of a figure file is the end of this path.
fn names(table: &Value, path: &str) -> bool {
    match table {
        Value::String(name) => !name.is_empty() && Path::new(path).ends_with(name),
        Value::Array(list) => list.iter().any(|v| names(v, path)),
        Value::Object(table) => table.values().any(|v| names(v, path)),
        _ => false,
    }
}

/// A figure's keys and values, as in a figure file.
fn keys(figure: &Figure) -> Value {
    serde_json::to_value(figure).unwrap_or_default()
}

/// Whether a table of the name `under`, or a table inside it, gives a key whose value no flag has overridden:
/// `vmin` in any table, `view.x` only in `view`.
fn is_given(table: &Value, all: &Value, under: &str, key: &str) -> bool {
    let (parent, leaf) = key.split_once('.').map_or((None, key), |(parent, leaf)| (Some(parent), leaf));
    table.as_object().into_iter().flatten().any(|(name, value)| {
        let now = &all[name.as_str()];
        let named = name == leaf && parent.is_none_or(|p| p == under);
        named && !value.is_null() && (value.is_object() || value == now) || is_given(value, now, name, key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::PanelSpec;
    use gridscope_core::scale::LimitsError;
    use gridscope_draw::resolve::ResolveError;
    use gridscope_read::InputError;

    fn origin() -> Origin {
        let mut file = Figure::default();
        (file.color.vmin, file.color.vmax, file.size.dpi) = (Some(5.0), Some(9.0), Some(72.0));
        file.view.x = Some("0:9".parse().unwrap());
        file.panels.insert(
            "a.b".to_owned(),
            PanelSpec { norm: Some("log".parse().unwrap()), ..PanelSpec::default() },
        );
        let mut all = file.clone();
        all.color.vmin = Some(20.0);
        all.size.dpi = Some(0.5);
        all.size.width = Some("3in".parse().unwrap());
        Origin::new(Some(("f.toml".to_owned(), file)), &all, &["d.csv".to_owned(), "e.csv".to_owned()])
    }

    fn begins(origin: &Origin, e: Error) -> String {
        let Failure::Run(e) = origin.of(e.into()) else { panic!("a failure of another kind") };
        e.to_string().split(':').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_missing_file_is_said_to_be_asked_for_by_the_figure_file() {
        let mut file = Figure::default();
        file.data.file =
            Some(toml::from_str::<Figure>("data.file = 'runs/d.npy'").unwrap().data.file.unwrap());
        let here = Origin::new(Some(("f.toml".to_owned(), file.clone())), &file, &[]);
        let said = |name: &str, kind| {
            let e =
                InputError::refused(name, "", "no such file").with_source(io::Error::new(kind, "of a test"));
            let Failure::Run(e) = here.of(Error::Input(e).into()) else {
                panic!("a failure of another kind")
            };
            e.to_string()
        };
        assert_eq!(
            said("/a/runs/d.npy", io::ErrorKind::NotFound),
            "/a/runs/d.npy: no such file; f.toml asks for it, in /a/runs"
        );
        assert_eq!(said("/a/e.npy", io::ErrorKind::NotFound), "/a/e.npy: no such file");
        assert_eq!(said("/a/runs/d.npy", io::ErrorKind::InvalidData), "/a/runs/d.npy: no such file");
    }

    #[test]
    fn the_file_that_gives_the_value_is_named() {
        let with = origin();
        let key = |key: &str| Error::Figure(ResolveError::key(key, "is wrong"));
        for word in ["vmax", "norm", "view.x", "panels.a.b", "color.vmax", "size"] {
            assert_eq!(begins(&with, key(word)), "f.toml", "{word}");
        }
        // Given by a flag, nowhere, or by the file in another table.
        for word in ["vmin", "dpi", "width", "color.vmin", "fmt", "view_x", "view.y", "x.x", "panels.b", ""] {
            assert_eq!(begins(&with, key(word)), "d.csv", "{word}");
        }
        let limits = || Error::Figure(ResolveError::Limits(LimitsError::Reversed { vmin: 9.0, vmax: 5.0 }));
        assert_eq!(begins(&with, limits()), "f.toml", "vmax is the file's");
        assert_eq!(begins(&with, Error::Figure(ResolveError::Dpi(0.5))), "d.csv", "dpi is a flag's");
        assert_eq!(
            begins(&with, Error::Figure(ResolveError::Data("nothing is positive".to_owned()))),
            "d.csv"
        );
        assert_eq!(begins(&with, InputError::refused("", "panels.a.b", "is not a panel").into()), "f.toml");
        assert_eq!(begins(&with, InputError::refused("mask.csv", "", "is empty").into()), "mask.csv");
        assert_eq!(begins(&with.clone().with_data("base.csv"), Error::limit("too much")), "base.csv");
        let without = Origin::new(None, &Figure::default(), &["d.csv".to_owned()]);
        assert_eq!(begins(&without, limits()), "d.csv");
    }
}
