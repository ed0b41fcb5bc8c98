//! The places of an array's elements as numbers: what is beside an array, element by element, goes where its elements go.

use super::source::ArraySource;
use super::window::{Window, strides};
use gridscope_core::grid::{Buffer, SourceError};
use std::sync::Arc;

/// An array of the shape and with the axes of another one, whose elements count from 0 in C order.
#[derive(Debug)]
pub(crate) struct Places(pub Arc<dyn ArraySource>);

impl ArraySource for Places {
    fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    fn buffer(&self) -> Buffer {
        Buffer::I64(Vec::new())
    }

    fn read(&self, window: &Window, into: &mut Buffer) -> Result<(), SourceError> {
        let (first, down, across) = window.steps(&strides(self.shape(), false));
        let row =
            |row: usize| (0..window.columns).map(move |column| (first + row * down + column * across) as i64);
        *into = Buffer::I64((0..window.rows).flat_map(row).collect());
        Ok(())
    }

    fn axis_name(&self, axis: usize) -> &str {
        self.0.axis_name(axis)
    }

    fn coordinates(&self, axis: usize) -> Option<Vec<f64>> {
        self.0.coordinates(axis)
    }

    fn levels(&self, axis: usize) -> Vec<Vec<String>> {
        self.0.levels(axis)
    }

    fn unit(&self, axis: usize) -> String {
        self.0.unit(axis)
    }
}
