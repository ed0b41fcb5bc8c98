//! Tables of databases, through drivers of ADBC (Arrow Database Connectivity): an engine answers a query, and the record batches of
//! its answer are read as those of a file.
//!
//! Where the engine can add values as they are added here, it groups the rows, and only groups travel; else the rows of the columns that
//! the figure needs. A session is read-only where the engine has such sessions. Passwords stand
//! in the environment or in a profile, never in an address.

mod address;
mod driver;
mod grouped;
mod query;

use super::budget::Budget;
use super::error::InputError;
use super::format::arrow::{BatchOptions, RecordBatchStream, RecordBatches};
use super::format::decoding::{Listed, project};
use super::format::{Contents, Input, ReadFile, Request};
use super::loaded::Query;
use super::shell_word::flag;
use super::table::{Grouping, listed};
use adbc_core::{Connection, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedStatement};
use address::{Address, Engine};
use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Field, SchemaRef};
use gridscope_core::cancel::{Cancellable, cancel_all};
use gridscope_core::lint::Lints;
use grouped::Grouped;
use query::{Quotes, Rows};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The table of a file of `SQLite`.
///
/// # Errors
/// As [`read`].
pub(super) fn open_sqlite(input: &mut Input) -> Result<Contents, InputError> {
    open_file(input, Engine::Sqlite)
}

/// The table of a file of `DuckDB`.
///
/// # Errors
/// As [`read`].
pub(super) fn open_duckdb(input: &mut Input) -> Result<Contents, InputError> {
    open_file(input, Engine::DuckDb)
}

fn open_file(input: &mut Input, engine: Engine) -> Result<Contents, InputError> {
    let request = input.request;
    if request.file == "-" || input.file().is_none() {
        let what = "a database is read from its file, not from a stream";
        return Err(InputError::refused(request.file, "", what));
    }
    let (contents, query) = read(&Address::of_file(request.file, engine), &request)?;
    input.query = Some(query);
    Ok(contents)
}

/// The table that a figure asks for by `data.db`.
///
/// # Errors
/// As [`read`].
pub(super) fn open_address(request: Request) -> Result<ReadFile, InputError> {
    let (contents, query) = read(&Address::parse(request.file)?, &request)?;
    let lints = Lints::default();
    Ok(ReadFile { contents, lints, fingerprint: None, query: Some(query) })
}

/// The answer to the figure's query.
///
/// # Errors
/// No driver, no connection, no table of the name or several without one, a query that the engine refuses, columns that are not
/// read.
fn read(address: &Address, request: &Request) -> Result<(Contents, Query), InputError> {
    let Request { file, figure, needs, budget } = *request;
    let connection = driver::connect(address, file)?;
    // An engine elsewhere would go on when this process has ended.
    let handle = connection.get_cancel_handle();
    let going_on = Cancellable::new(move || {
        let _ = handle.try_cancel();
    });
    let mut session = Session { file, connection, going_on };
    session.make_read_only(address.engine)?;
    if figure.data.sql.is_some() && figure.data.from.is_some() {
        return Err(InputError::usage(file, "--sql and --from both say which rows are read"));
    }
    let only = match (&figure.data.sql, &figure.data.from) {
        (None, None) => Some(session.only_table(address.engine)?),
        _ => None,
    };
    let named = |quotes: Quotes| match (&figure.data.sql, figure.data.from.as_ref().or(only.as_ref())) {
        (None, Some(table)) => Rows::of_table(table, quotes),
        (sql, _) => Rows::of_query(sql.as_deref().unwrap_or_default(), quotes),
    };
    let mut rows = named(Quotes::Standard);
    let mut head = session.ask(&rows.without_rows());
    if address.engine == Engine::Other && head.is_err() {
        // To some engines what the standard has for names are texts.
        let others = named(Quotes::Backticks);
        if let Ok(found) = session.ask(&others.without_rows()) {
            (rows, head) = (others, Ok(found));
        }
    }
    let head = head.map_err(|e| match &figure.data.from {
        Some(_) => session.with_tables(e, address.engine),
        None => e,
    })?;
    let names = head.schema();
    drop(head);
    let column = |field: &Arc<arrow_schema::Field>| Listed { name: field.name().clone(), left_out: None };
    let listed: Vec<Listed> = names.fields().iter().map(column).collect();
    let (needed, schema) = project(request, &listed, u64::MAX, &mut budget.nothing(), &mut Lints::default())?;
    let fields: Vec<&Field> = needed.iter().map(|i| names.field(*i)).collect();
    let moved = Arc::<AtomicU64>::default();
    let open =
        |stream: RecordBatchStream, sql: String, grouping: Option<Grouping>, why: Option<&'static str>| {
            let (options, mut lints) = (BatchOptions::default(), Lints::default());
            let table = RecordBatches::new(file, stream, options, (figure, needs), budget, &mut lints)?;
            let table = table.of_query(schema.partial, grouping.map(Arc::new));
            let notice = format!("{file}: {sql}");
            let query = Query { file: file.to_owned(), sql, rows: Arc::clone(&moved), why };
            Ok((Contents::table(table, lints, notice, false), query))
        };
    let why = match Grouped::new(figure, needs, &fields, &rows, address.engine) {
        Err(why) => why,
        Ok(grouped) => match session.groups(&grouped, &rows, address.engine, budget)? {
            Some((batches, grouping)) => {
                moved.store(grouping.rows.len() as u64, Ordering::Relaxed);
                let names = batches.first().map_or(names, RecordBatch::schema);
                let stream = RecordBatchIterator::new(batches.into_iter().map(Ok), names);
                return open(Box::new(stream), grouped.sql, Some(grouping), None);
            }
            None => "the engine does not add these values as they are added here",
        },
    };
    let some: Vec<&str> = needed.iter().map(|i| listed[*i].name.as_str()).collect();
    let sql = rows.columns((some.len() < listed.len()).then_some(&some));
    let mut stream = session.ask(&sql)?;
    stream.moved = Arc::clone(&moved);
    open(Box::new(stream), sql, None, Some(why))
}

/// Cancels the queries that databases are answering, on whatever thread, and waits a moment for them.
pub fn cancel_queries() {
    cancel_all(Duration::from_secs(1));
}

/// A connection, and how messages call the database.
struct Session<'a> {
    file: &'a str,
    connection: ManagedConnection,
    going_on: Cancellable,
}

impl Session<'_> {
    /// Refuses writing, where the engine has not refused it when it was opened.
    fn make_read_only(&mut self, engine: Engine) -> Result<(), InputError> {
        let Some(sql) = engine.makes_read_only() else { return Ok(()) };
        self.statement(sql)?.execute_update().map(|_| ()).map_err(|e| refused(self.file, &e))
    }

    fn statement(&mut self, sql: &str) -> Result<ManagedStatement, InputError> {
        let made = self.connection.new_statement().and_then(|mut statement| {
            statement.set_sql_query(sql)?;
            Ok(statement)
        });
        made.map_err(|e| refused(self.file, &e))
    }

    /// Asks a query. The answer comes as it is read.
    fn ask(&mut self, sql: &str) -> Result<Answer, InputError> {
        let mut statement = self.statement(sql)?;
        let batches = statement.execute().map_err(|e| refused(self.file, &e))?;
        Ok(Answer {
            batches,
            moved: Arc::default(),
            _statement: statement,
            _connection: self.connection.clone(),
            _going_on: self.going_on.clone(),
        })
    }

    /// The answer to a query that groups rows; `None` where the engine refuses it, as sums that it has no type for.
    ///
    /// # Errors
    /// More groups than memory holds.
    fn groups(
        &mut self,
        grouped: &Grouped,
        rows: &Rows,
        engine: Engine,
        budget: &Arc<Budget>,
    ) -> Result<Option<(Vec<RecordBatch>, Grouping)>, InputError> {
        if let Some(odd) = grouped.odd_values(rows, engine) {
            let Ok(answer) = self.ask(&odd) else { return self.no_groups() };
            if answer.into_iter().any(|batch| batch.is_ok_and(|batch| batch.num_rows() > 0)) {
                return Ok(None);
            }
        }
        let Ok(answer) = self.ask(&grouped.sql) else { return self.no_groups() };
        let mut room = budget.nothing();
        let mut batches = Vec::new();
        for batch in answer {
            let Ok(batch) = batch else { return self.no_groups() };
            // The batches, and what is read of them.
            let more = room.more(2 * batch.get_array_memory_size() as u64);
            more.map_err(|s| s.of(self.file, "the groups of its rows"))?;
            batches.push(batch);
        }
        room.keep();
        Ok(grouped.split(&batches))
    }

    /// No groups: rows are asked for instead, unless the run has ended.
    fn no_groups<T>(&self) -> Result<Option<T>, InputError> {
        match self.going_on.is_cancelled() {
            true => Err(InputError::refused(self.file, "", "the query was cancelled")),
            false => Ok(None),
        }
    }

    /// The names of the tables and views.
    fn tables(&mut self, engine: Engine) -> Result<Vec<String>, InputError> {
        let mut names = Vec::new();
        for batch in self.ask(engine.tables())? {
            let batch = batch.map_err(|e| InputError::refused(self.file, "", e.to_string()))?;
            let column = batch.columns().first();
            names.extend(
                column
                    .and_then(|c| c.as_string_opt::<i32>())
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(str::to_owned),
            );
        }
        Ok(names)
    }

    /// The only table.
    fn only_table(&mut self, engine: Engine) -> Result<String, InputError> {
        let mut tables = self.tables(engine)?;
        match tables.len() {
            0 => Err(InputError::refused(self.file, "", "the database has no table")),
            1 => Ok(tables.remove(0)),
            n => {
                let first = flag("--from", &tables[0]);
                let e = InputError::usage(self.file, format!("{n} tables: {}", listed(&tables)));
                Err(e.with_hint(format!("{first}, or --sql 'SELECT …'")))
            }
        }
    }

    /// The refusal of a table, with those that there are.
    fn with_tables(&mut self, error: InputError, engine: Engine) -> InputError {
        match self.tables(engine) {
            Ok(tables) if !tables.is_empty() => error.with_hint(format!("tables: {}", listed(&tables))),
            _ => error,
        }
    }
}

/// The refusal of an engine or its driver.
fn refused(file: &str, error: &adbc_core::error::Error) -> InputError {
    InputError::refused(file, "", format!("the database refuses: {}", own_words(error)))
}

/// What an engine or a driver says, on one line.
fn own_words(error: &adbc_core::error::Error) -> String {
    error.message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The record batches of an answer. What they come from lives as long as they do.
struct Answer {
    batches: Box<dyn RecordBatchReader + Send>,
    /// Rows that have come.
    moved: Arc<AtomicU64>,
    _statement: ManagedStatement,
    _connection: ManagedConnection,
    _going_on: Cancellable,
}

impl Iterator for Answer {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next()?;
        if let Ok(batch) = &batch {
            self.moved.fetch_add(batch.num_rows() as u64, Ordering::Relaxed);
        }
        Some(batch)
    }
}

impl RecordBatchReader for Answer {
    fn schema(&self) -> SchemaRef {
        self.batches.schema()
    }
}
