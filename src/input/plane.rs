//! Numbers in rows and columns of a file, read by position: no part of the file is held that nobody looks at.

use super::bytes::read_exact_at;
use super::npy_dtype::Dtype;
use crate::grid::{Buffer, CellSource, SourceError};
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

/// Bytes decoded at once where the file's numbers are not of the buffer's kind.
const CHUNK: usize = 1 << 16;
/// Parts of rows not farther apart than so many bytes are read with what lies between them.
const NEAR: usize = 4096;
/// Elements read at once then.
const SPAN: usize = 1 << 18;

/// How numbers lie in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The number type.
    pub dtype: Dtype,
    /// Whether numbers are big-endian.
    pub big_endian: bool,
    /// The byte where element 0 begins.
    pub start: u64,
}

/// Rows of numbers in a file, the numbers of a row in even steps.
#[derive(Debug)]
pub struct Plane {
    file: Arc<File>,
    name: String,
    laid: Laid,
    /// The element that row 0 begins with.
    first: u64,
    /// Elements from row to row.
    stride: u64,
    /// Elements from column to column.
    step: u64,
    rows: usize,
    columns: usize,
}

impl Plane {
    /// Rows x columns numbers of a file, from element `first` on, `steps` elements from row to row and from column to column:
    /// the end of a row does not lie behind the beginning of the next.
    pub fn new(
        file: &Arc<File>,
        name: &str,
        laid: Laid,
        first: u64,
        steps: (usize, usize),
        shape: (usize, usize),
    ) -> Self {
        let (stride, step) = (steps.0 as u64, steps.1.max(1) as u64);
        Self {
            file: file.clone(),
            name: name.to_owned(),
            laid,
            first,
            stride,
            step,
            rows: shape.0,
            columns: shape.1,
        }
    }

    /// Where a cell stands in the file.
    fn byte(&self, row: usize, column: usize) -> u64 {
        let element = self.first + row as u64 * self.stride + column as u64 * self.step;
        self.laid.start + element * self.laid.dtype.size() as u64
    }

    fn fill(&self, at: u64, into: &mut [u8]) -> Result<(), SourceError> {
        read_exact_at(&self.file, into, at).map_err(|e| {
            let what = match e.kind() {
                std::io::ErrorKind::UnexpectedEof => {
                    let len = self.file.metadata().map_or(0, |m| m.len());
                    format!("ends at byte {len}, within the cells: it was cut while it was read")
                }
                _ => format!("cannot be read: {e}"),
            };
            SourceError {
                file: self.name.clone(),
                what,
            }
        })
    }

    /// Runs of cells that lie side by side: where each begins, and how many cells it has.
    fn runs(&self, rows: Range<usize>, columns: Range<usize>) -> Vec<(u64, usize)> {
        if columns.len() as u64 == self.stride {
            return vec![(self.byte(rows.start, columns.start), rows.len() * columns.len())];
        }
        rows.map(|r| (self.byte(r, columns.start), columns.len()))
            .collect()
    }

    /// Numbers that stand in the file as they stand in memory.
    fn plain<T: bytemuck::Pod>(
        &self,
        runs: &[(u64, usize)],
        out: &mut Vec<T>,
        turn: impl Fn(T) -> T,
    ) -> Result<(), SourceError> {
        out.resize(runs.iter().map(|r| r.1).sum(), T::zeroed());
        let mut rest = out.as_mut_slice();
        for (at, len) in runs {
            let (run, next) = rest.split_at_mut(*len);
            self.fill(*at, bytemuck::cast_slice_mut(run))?;
            rest = next;
        }
        if self.laid.big_endian != cfg!(target_endian = "big") {
            out.iter_mut().for_each(|v| *v = turn(*v));
        }
        Ok(())
    }

    /// Numbers that are widened on the way.
    fn widened<const N: usize, T>(
        &self,
        runs: &[(u64, usize)],
        out: &mut Vec<T>,
        from: impl Fn([u8; N]) -> T,
    ) -> Result<(), SourceError> {
        out.clear();
        out.reserve(runs.iter().map(|r| r.1).sum());
        let mut bytes = [0u8; CHUNK];
        for (at, len) in runs {
            let mut left = len * N;
            while left > 0 {
                let part = &mut bytes[..left.min(CHUNK)];
                self.fill(at + (len * N - left) as u64, part)?;
                out.extend(part.chunks_exact(N).map(|chunk| {
                    let mut b: [u8; N] = chunk.try_into().expect("a chunk is one number");
                    if self.laid.big_endian {
                        b.reverse();
                    }
                    from(b)
                }));
                left -= part.len();
            }
        }
        Ok(())
    }
}

impl CellSource for Plane {
    fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn buffer(&self) -> Buffer {
        self.laid.dtype.buffer()
    }

    fn read(&self, rows: Range<usize>, columns: Range<usize>, into: &mut Buffer) -> Result<(), SourceError> {
        let far = |step: u64| step.saturating_mul(self.laid.dtype.size() as u64) > NEAR as u64;
        if self.step == 1 && (columns.len() as u64 == self.stride || far(self.stride) || rows.len() < 2)
            || columns.is_empty()
        {
            return self.read_runs(&self.runs(rows, columns), into);
        }
        if far(self.step) {
            // Number by number: between any two lies more than is worth reading.
            let alone = rows.flat_map(|r| columns.clone().map(move |c| (r, c)));
            return self.read_runs(
                &alone.map(|(r, c)| (self.byte(r, c), 1usize)).collect::<Vec<_>>(),
                into,
            );
        }
        let (stride, step) = (self.stride as usize, self.step as usize);
        // What lies between the numbers asked for is read too, and left out: several short rows at once, a long one in parts.
        let short = !far(self.stride) && rows.len() > 1;
        let lines = if short { (SPAN / stride).max(1) } else { 1 };
        let most = if short {
            columns.len()
        } else {
            (SPAN / step).max(1)
        };
        let (mut all, mut part) = (self.buffer(), self.buffer());
        for from in rows.clone().step_by(lines) {
            let more = (from + lines).min(rows.end) - from - 1;
            for left in columns.clone().step_by(most) {
                let width = most.min(columns.end - left);
                let span = (width - 1) * step + 1;
                self.read_runs(&[(self.byte(from, left), more * stride + span)], &mut part)?;
                all.take(&part, if more == 0 { span } else { stride }, width, step);
            }
        }
        *into = all;
        Ok(())
    }
}

impl Plane {
    /// Reads runs one after the other.
    fn read_runs(&self, runs: &[(u64, usize)], into: &mut Buffer) -> Result<(), SourceError> {
        match into {
            Buffer::F32 { bits, .. } => match self.laid.dtype {
                Dtype::Bool => self.widened(runs, bits, |[b]: [u8; 1]| f32::from(u8::from(b != 0)).to_bits()),
                Dtype::I8 => self.widened(runs, bits, |b| f32::from(i8::from_le_bytes(b)).to_bits()),
                Dtype::U8 => self.widened(runs, bits, |b| f32::from(u8::from_le_bytes(b)).to_bits()),
                Dtype::I16 => self.widened(runs, bits, |b| f32::from(i16::from_le_bytes(b)).to_bits()),
                Dtype::U16 => self.widened(runs, bits, |b| f32::from(u16::from_le_bytes(b)).to_bits()),
                Dtype::F16 => self.widened(runs, bits, |b| half::f16::from_le_bytes(b).to_f32().to_bits()),
                _ => self.plain(runs, bits, u32::swap_bytes),
            },
            Buffer::F64(v) => self.plain(runs, v, |v| f64::from_bits(v.to_bits().swap_bytes())),
            Buffer::I64(v) => match self.laid.dtype {
                Dtype::I32 => self.widened(runs, v, |b| i64::from(i32::from_le_bytes(b))),
                Dtype::U32 => self.widened(runs, v, |b| i64::from(u32::from_le_bytes(b))),
                _ => self.plain(runs, v, i64::swap_bytes),
            },
            Buffer::U64(v) => self.plain(runs, v, u64::swap_bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn plane(
        dtype: Dtype,
        big_endian: bool,
        bytes: &[u8],
        first: u64,
        steps: (usize, usize),
        shape: (usize, usize),
    ) -> (Plane, tempfile::NamedTempFile) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"head").unwrap();
        file.write_all(bytes).unwrap();
        let laid = Laid {
            dtype,
            big_endian,
            start: 4,
        };
        (
            Plane::new(
                &Arc::new(file.reopen().unwrap()),
                "a.npy",
                laid,
                first,
                steps,
                shape,
            ),
            file,
        )
    }

    fn read(p: &Plane, rows: Range<usize>, columns: Range<usize>) -> Buffer {
        let mut buffer = p.buffer();
        // What stood in the buffer before is gone.
        p.read(0..1, 0..1, &mut buffer).unwrap();
        p.read(rows, columns, &mut buffer).unwrap();
        buffer
    }

    #[test]
    fn windows_of_any_type_and_order_are_read() {
        let floats: Vec<u8> = (0..12).flat_map(|i| (i as f32).to_be_bytes()).collect();
        let (p, _file) = plane(Dtype::F32, true, &floats, 0, (4, 1), (3, 4));
        let bits = |v: &[f32]| Buffer::F32 {
            bits: v.iter().map(|v| v.to_bits()).collect(),
            integer: false,
        };
        assert_eq!(read(&p, 1..3, 1..3), bits(&[5.0, 6.0, 9.0, 10.0]));
        assert_eq!(
            read(&p, 0..2, 0..4),
            bits(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
        );
        let ints: Vec<u8> = (0..40_000i32).flat_map(|i| (-i).to_le_bytes()).collect();
        let (p, _file) = plane(Dtype::I32, false, &ints, 5, (200, 1), (100, 100));
        assert_eq!(read(&p, 99..100, 98..100), Buffer::I64(vec![-19_903, -19_904]));
        let Buffer::I64(all) = read(&p, 0..100, 0..100) else {
            panic!("not i64")
        };
        assert_eq!((all.len(), all[100]), (10_000, -205));
        // The same from rows far apart.
        let (far, _other) = plane(Dtype::I32, false, &ints, 5, (2000, 1), (10, 1500));
        assert_eq!(read(&far, 3..5, 1499..1500), Buffer::I64(vec![-7504, -9504]));
        assert_eq!(
            read(&p, 10..12, 3..5),
            Buffer::I64(vec![-2008, -2009, -2208, -2209])
        );
        let (p, _file) = plane(Dtype::U64, false, &u64::MAX.to_le_bytes(), 0, (1, 1), (1, 1));
        assert_eq!(read(&p, 0..1, 0..1), Buffer::U64(vec![u64::MAX]));
        let (p, _file) = plane(Dtype::I16, true, &[0xff, 0xfe], 0, (1, 1), (1, 1));
        assert_eq!(
            read(&p, 0..1, 0..1),
            Buffer::F32 {
                bits: vec![(-2f32).to_bits()],
                integer: true
            }
        );
    }

    #[test]
    fn steps_of_any_length_give_the_same_numbers() {
        let ints: Vec<u8> = (0..400_000i32).flat_map(i32::to_le_bytes).collect();
        // Short rows, long rows, rows of more than is read at once, and numbers that are far apart.
        for (steps, shape) in [
            ((12, 3), (5000, 4)),
            ((9000, 3), (40, 3000)),
            ((399_999, 1), (1, 399_000)),
            ((1, 1), (1, 7)),
            ((399_996, 3), (1, 133_000)),
            ((60_000, 1500), (6, 40)),
        ] {
            let (p, _file) = plane(Dtype::I32, false, &ints, 2, steps, shape);
            for (rows, columns) in [
                (0..shape.0, 0..shape.1),
                (0..1, 1..3),
                (shape.0 - 1..shape.0, shape.1 - 2..shape.1),
                (shape.0 / 2..shape.0, 1..shape.1 - 1),
            ] {
                let want: Vec<i64> = rows
                    .clone()
                    .flat_map(|r| {
                        columns
                            .clone()
                            .map(move |c| (2 + r * steps.0 + c * steps.1) as i64)
                    })
                    .collect();
                assert!(
                    read(&p, rows.clone(), columns.clone()) == Buffer::I64(want),
                    "{steps:?} {shape:?} {rows:?} {columns:?}"
                );
            }
        }
    }

    #[test]
    fn a_file_that_shrinks_is_an_error() {
        let (p, file) = plane(Dtype::F32, false, &[0; 64], 0, (4, 1), (4, 4));
        file.as_file().set_len(30).unwrap();
        let mut buffer = p.buffer();
        let e = p.read(0..4, 0..4, &mut buffer).unwrap_err();
        assert!(e.to_string().starts_with("a.npy: ends at byte 30"), "{e}");
    }
}
