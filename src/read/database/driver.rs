//! Drivers: libraries that other packages install, found where those put them.

use super::address::{Address, Engine};
use super::{own_words, refused};
use crate::error::{ErrorKind, InputError};
use adbc_core::error::{Error, Status};
use adbc_core::options::AdbcVersion;
use adbc_core::{Database, Driver, LOAD_FLAG_DEFAULT};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase, ManagedDriver};
use std::env;
use std::path::{Path, PathBuf};

/// Opens a connection to a database; messages call it `file`.
///
/// # Errors
/// No driver, or one that cannot open the database.
pub(super) fn connect(address: &Address, file: &str) -> Result<ManagedConnection, InputError> {
    let database = match (&address.profile, &address.driver) {
        (Some(profile), _) => {
            let opened = ManagedDatabase::from_uri(profile, None, AdbcVersion::V110, LOAD_FLAG_DEFAULT, None);
            opened.map_err(|e| refused(file, &e))?
        }
        (None, driver) => {
            let name = driver.as_deref().unwrap_or_default();
            let mut driver = load(name, address.engine).map_err(|e| missing(file, name, &e))?;
            driver.new_database_with_opts(address.options.clone()).map_err(|e| refused(file, &e))?
        }
    };
    database.new_connection().map_err(|e| refused(file, &e))
}

/// The driver of a name: by its manifest or as a library that the system finds, else where Python's and Node's packages are.
fn load(name: &str, engine: Engine) -> Result<ManagedDriver, Error> {
    let entry: Option<&[u8]> = (engine == Engine::DuckDb).then_some(b"duckdb_adbc_init");
    let found = ManagedDriver::load_from_name(name, entry, AdbcVersion::V110, LOAD_FLAG_DEFAULT, None);
    let error = match found {
        Ok(driver) => return Ok(driver),
        // A library that is there and does not load says why.
        Err(e) if Path::new(name).is_absolute() => return Err(e),
        Err(e) => e,
    };
    let mut libraries = packages(name).into_iter().filter(|path| path.is_file());
    match libraries.next() {
        Some(path) => ManagedDriver::load_dynamic_from_filename(path, entry, AdbcVersion::V110),
        None => Err(error),
    }
}

/// The paths of a driver's library in packages of Python and Node, those of the current environment first.
fn packages(name: &str) -> Vec<PathBuf> {
    if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-+".contains(&b)) {
        return Vec::new();
    }
    let (before, after) = (env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let mut paths: Vec<PathBuf> = Vec::new();
    if name == "duckdb" {
        let here = env::current_dir().unwrap_or_default();
        let scope = |folder: &Path| folder.join("node_modules").join("@duckdb");
        let bindings = here.ancestors().flat_map(|folder| folders(&scope(folder), "node-bindings-"));
        paths.extend(bindings.map(|folder| folder.join(format!("{before}duckdb{after}"))));
    }
    let module = format!("adbc_driver_{name}");
    for prefix in prefixes() {
        paths.push(prefix.join("lib").join(format!("{before}{module}{after}")));
        let mut pythons = folders(&prefix.join("lib"), "python3");
        // Windows.
        pythons.push(prefix.join("Lib"));
        for python in pythons {
            for packages in ["site-packages", "dist-packages"] {
                let folder = python.join(packages).join(&module);
                paths.push(folder.join(format!("{before}{module}{after}")));
                // Wheels have this name on every system.
                paths.push(folder.join(format!("lib{module}.so")));
            }
        }
    }
    paths
}

/// The folders under which environments of Python lie: the active one, those of the interpreters on the path, the user's.
fn prefixes() -> Vec<PathBuf> {
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(env::var_os).map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let of_path = env::split_paths(&path).filter(|folder| folder.join("python3").exists());
    let of_path = of_path.filter_map(|folder| folder.parent().map(Path::to_path_buf));
    let user = env::home_dir().map(|home| home.join(".local"));
    let mut all: Vec<PathBuf> = Vec::new();
    for prefix in active.chain(of_path).chain(user) {
        if !all.contains(&prefix) {
            all.push(prefix);
        }
    }
    all
}

/// The folders in a folder whose names begin so, in order.
fn folders(within: &Path, begins: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(within).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(begins));
    let mut all: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
    all.sort();
    all
}

/// The refusal where a driver is missing, with the line that installs it.
fn missing(file: &str, name: &str, error: &Error) -> InputError {
    let why = match error.status {
        Status::NotFound => String::new(),
        _ => format!(": {}", own_words(error)),
    };
    let what = format!("no driver '{name}' of ADBC is found{why}");
    let hint = match name {
        "duckdb" => "npm install @duckdb/node-bindings-linux-x64, or: pip install dbc && dbc install duckdb"
            .to_owned(),
        "sqlite" | "postgresql" | "flightsql" | "snowflake" | "bigquery" => {
            format!("pip install adbc_driver_{name}")
        }
        _ => format!("pip install dbc && dbc install {name}; ADBC_DRIVER_PATH names folders of drivers"),
    };
    InputError { kind: ErrorKind::Unavailable, ..InputError::refused(file, "", what) }.with_hint(hint)
}
