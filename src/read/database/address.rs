//! Addresses of databases: `duckdb:runs.duckdb`, `postgresql://host/name`, `profile://lab`, or `DRIVER:ADDRESS` of any driver.

use crate::error::InputError;
use adbc_core::options::{OptionDatabase, OptionValue};

/// What answers queries. They differ in how a session is read-only and where names of tables stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    DuckDb,
    Sqlite,
    Postgres,
    Other,
}

impl Engine {
    /// A statement that makes a session read-only; the files of `DuckDB` and `SQLite` are opened so.
    pub(super) fn makes_read_only(self) -> Option<&'static str> {
        (self == Self::Postgres).then_some("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
    }

    /// Whether rows are grouped by it: what its words mean was tried.
    pub(super) fn groups(self) -> bool {
        self != Self::Other
    }

    /// Behind a column of texts: equal are those of the same letters, whatever the column's own rule is.
    pub(super) fn exact_texts(self) -> &'static str {
        match self {
            Self::Postgres => " COLLATE \"C\"",
            Self::Sqlite => " COLLATE BINARY",
            Self::DuckDb | Self::Other => "",
        }
    }

    /// Whether a column holds what it is given, whatever its type.
    pub(super) fn is_untyped(self) -> bool {
        self == Self::Sqlite
    }

    /// Whether it has the sample's variance.
    pub(super) fn has_variance(self) -> bool {
        self != Self::Sqlite
    }

    /// The sum of values: of whole ones exactly, or refused; of others with what each addition loses, where it has such a sum.
    pub(super) fn sum(self, value: &str, is_real: bool) -> String {
        match (self, is_real) {
            (Self::DuckDb, true) => format!("FSUM({value})"),
            (Self::Sqlite, _) | (_, true) => format!("SUM({value})"),
            (_, false) => format!("CAST(SUM({value}) AS BIGINT)"),
        }
    }

    /// The query for the names of tables and views.
    pub(super) fn tables(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                 ORDER BY name"
            }
            _ => {
                "SELECT CAST(table_name AS VARCHAR) AS name FROM information_schema.tables \
                 WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY table_name"
            }
        }
    }
}

/// A database and how it is opened.
#[derive(Debug)]
pub(super) struct Address {
    pub engine: Engine,
    /// The name of its driver, or the path of its library or manifest; none for a profile.
    pub driver: Option<String>,
    /// The name of a profile.
    pub profile: Option<String>,
    pub options: Vec<(OptionDatabase, OptionValue)>,
}

/// The name of a database in memory.
const MEMORY: &str = ":memory:";
/// Words of an address that hold a secret.
const SECRETS: [&str; 6] = ["password=", "passwd=", "pwd=", "token=", "secret=", "motherduck_token="];

impl Address {
    /// A file, which nobody may change through it.
    pub(super) fn of_file(path: &str, engine: Engine) -> Self {
        let text = |key: OptionDatabase, value: String| (key, OptionValue::String(value));
        let (driver, options) = match engine {
            Engine::DuckDb => {
                let mode = OptionDatabase::Other("access_mode".to_owned());
                let file = OptionDatabase::Other("path".to_owned());
                let mut options = vec![text(file, path.to_owned())];
                // A database in memory, whose queries name files, is nobody else's.
                if path != MEMORY {
                    options.push(text(mode, "READ_ONLY".to_owned()));
                }
                ("duckdb", options)
            }
            _ => ("sqlite", vec![text(OptionDatabase::Uri, format!("file:{}?mode=ro", escaped(path)))]),
        };
        Self { engine, driver: Some(driver.to_owned()), profile: None, options }
    }

    /// Reads an address.
    ///
    /// # Errors
    /// No driver before a colon, or a password.
    pub(super) fn parse(text: &str) -> Result<Self, InputError> {
        let Some((scheme, rest)) =
            text.split_once(':').filter(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty())
        else {
            let e = InputError::usage("--db", format!("{text}: names no driver before a colon"));
            return Err(
                e.with_hint("duckdb:runs.duckdb, postgresql://host/name, profile://NAME, or DRIVER:ADDRESS")
            );
        };
        if holds_secret(rest) {
            // It is not repeated.
            let e =
                InputError::usage("--db", format!("{scheme}:…: a password in an address is seen by others"));
            return Err(e.with_hint("the environment, as PGPASSWORD, or a profile: --db profile://NAME"));
        }
        let path = rest.strip_prefix("//").unwrap_or(rest);
        let uri = |driver: &str, engine: Engine, uri: &str| Self {
            engine,
            driver: Some(driver.to_owned()),
            profile: None,
            options: vec![(OptionDatabase::Uri, OptionValue::String(uri.to_owned()))],
        };
        Ok(match scheme {
            "duckdb" => Self::of_file(path, Engine::DuckDb),
            "sqlite" => Self::of_file(path, Engine::Sqlite),
            "postgresql" | "postgres" => uri("postgresql", Engine::Postgres, text),
            "grpc" | "grpc+tls" | "grpc+tcp" | "grpc+unix" => uri("flightsql", Engine::Other, text),
            "profile" => Self {
                engine: Engine::Other,
                driver: None,
                profile: Some(text.to_owned()),
                options: Vec::new(),
            },
            // The scheme is the driver's own.
            driver if rest.starts_with("//") => uri(driver, Engine::Other, text),
            driver => uri(driver, Engine::Other, rest),
        })
    }
}

/// Whether the part of an address after its scheme has a password or a token.
fn holds_secret(rest: &str) -> bool {
    let lower = rest.to_ascii_lowercase();
    let authority = rest.strip_prefix("//").and_then(|r| r.split(['/', '?']).next()).unwrap_or_default();
    let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
    user.contains(':') || SECRETS.iter().any(|word| lower.contains(word))
}

/// A path within an address: what has a meaning there is written in hexadecimals.
fn escaped(path: &str) -> String {
    path.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(a: &Address, i: usize) -> String {
        match &a.options[i].1 {
            OptionValue::String(text) => text.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn addresses_name_their_driver() {
        let parse = |text: &str| Address::parse(text).unwrap();
        for (text, driver, engine, first) in [
            ("duckdb:a.db", "duckdb", Engine::DuckDb, "a.db"),
            ("duckdb:///tmp/a.db", "duckdb", Engine::DuckDb, "/tmp/a.db"),
            ("sqlite:a?b#.db", "sqlite", Engine::Sqlite, "file:a%3fb%23.db?mode=ro"),
            ("postgres://h/d", "postgresql", Engine::Postgres, "postgres://h/d"),
            ("grpc+tls://h:1", "flightsql", Engine::Other, "grpc+tls://h:1"),
            ("snowflake://h/d", "snowflake", Engine::Other, "snowflake://h/d"),
            ("/opt/lib/libx.so:there", "/opt/lib/libx.so", Engine::Other, "there"),
        ] {
            let a = parse(text);
            assert_eq!(
                (a.driver.as_deref(), a.engine, option(&a, 0).as_str()),
                (Some(driver), engine, first)
            );
        }
        assert_eq!(parse("profile://lab").profile.as_deref(), Some("profile://lab"));
        for text in ["runs", ":x", "duckdb:"] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn passwords_are_refused_and_not_repeated() {
        for text in [
            "postgresql://me:hush@host/db",
            "postgresql://host/db?password=hush",
            "x:Server=h;PWD=hush",
            "grpc://h:1?token=hush",
        ] {
            let e = Address::parse(text).unwrap_err();
            assert!(!format!("{e} {:?}", e.hint).contains("hush"), "{e}");
        }
        assert!(Address::parse("postgresql://me@host:5432/db").is_ok());
    }
}
