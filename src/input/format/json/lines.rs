//! JSON Lines as a table: blocks of records are decoded by all cores, and only those being worked on are in memory.

use super::blocks::Source;
use super::chosen::{Candidate, check_options, choose};
use super::column_type::ColumnType;
use super::line_block::LineBlock;
use super::shape::{Shape, shape};
use super::survey::{Survey, survey};
use crate::figure::Figure;
use crate::input::budget::Budget;
use crate::input::bytes::Content;
use crate::input::error::InputError;
use crate::input::ordered::threads;
use crate::input::table::{Part, Parts, Schema, TableSource};
use crate::lint::Lints;
use std::sync::Arc;

/// Bytes of a block.
const BLOCK: u64 = 512 << 10;

/// What a thread holds while it works on a block: its text, its cells, what is made of them.
const THREAD: u64 = 4 << 20;

/// Records one after the other in a file or in memory.
pub(in crate::input) struct JsonLinesTable {
    source: Source,
    /// Whether `NaN` and `Infinity` are numbers.
    not_finite: bool,
    survey: Survey,
    /// Of each column of the table, its place among all that the records name.
    columns: Vec<usize>,
    schema: Schema,
}

/// A table of records, what was noticed in its names, and what was left out, in words.
pub(in crate::input) type Opened = (JsonLinesTable, Lints, String);

/// Whether the first bytes of a text hold a record and the beginning of a further one.
pub(in crate::input) fn begins_lines(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(),
    };
    shape(text, &|_| true, bytes.len()) == Shape::Lines
}

impl JsonLinesTable {
    /// Reads all records once for their columns and types.
    ///
    /// # Errors
    /// Text that is not JSON, with line and column; a column of lists that the figure asks for; too little memory.
    pub fn open(
        content: Content,
        file: &str,
        figure: &Figure,
        budget: &Arc<Budget>,
    ) -> Result<Opened, InputError> {
        Self::open_by(content, file, figure, budget, BLOCK)
    }

    /// The same in blocks of about `block` bytes.
    pub(super) fn open_by(
        content: Content,
        file: &str,
        figure: &Figure,
        budget: &Arc<Budget>,
        block: u64,
    ) -> Result<Opened, InputError> {
        let marked = content.read_up_to(0, 3, file)? == "\u{feff}".as_bytes();
        let source = Source {
            content,
            file: file.to_owned(),
            from: if marked { 3 } else { 0 },
            budget: Arc::clone(budget),
        };
        let not_finite = figure.data.json_nan == Some(true);
        let parts = usize::try_from(source.content.len() / block.max(1)).unwrap_or(usize::MAX);
        let threads = threads().min(budget.shares(THREAD)).min(parts + 1);
        let survey = survey(&source, not_finite, block, threads)?;
        check_options(figure, file)?;
        let mut candidates = Vec::with_capacity(survey.columns.len());
        candidates.extend(survey.columns.iter().enumerate().map(|(i, c)| Candidate {
            name: survey.names.get(i),
            empty: c.first_rows.column_type() == ColumnType::Empty,
            list: c.list_at.is_some(),
        }));
        let (columns, notice) = choose(&candidates, figure, file)
            .map_err(|(i, fault)| source.refused(survey.columns[i].list_at.unwrap_or(source.from), fault))?;
        if columns.is_empty() || survey.rows == 0 {
            return Err(InputError::refused(file, "", "no data rows"));
        }
        let mut lints = Lints::default();
        let names = columns.iter().map(|&c| survey.names.get(c).to_owned()).collect();
        let schema = Schema::typed(file, names, &figure.data, &mut lints);
        let table = Self {
            source,
            not_finite,
            survey,
            columns,
            schema,
        };
        Ok((table, lints, notice))
    }
}

impl TableSource for JsonLinesTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn parts(&self) -> Parts<'_> {
        Box::new(self.survey.blocks.iter().map(|place| {
            let block = LineBlock::new(
                &self.source,
                &self.schema,
                &self.survey,
                &self.columns,
                self.not_finite,
                *place,
            );
            Ok(Box::new(block) as Box<dyn Part>)
        }))
    }

    fn threads(&self) -> usize {
        threads()
            .min(self.survey.blocks.len())
            .min(self.source.budget.shares(THREAD))
    }
}
