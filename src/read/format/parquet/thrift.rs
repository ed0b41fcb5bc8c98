//! Thrift's compact protocol, as far as Parquet's headers need it: every length is checked against the bytes that follow.

use crate::format::decoding::Fault;

/// Structures inside each other; Parquet's own have six.
const DEPTH: u32 = 32;

pub(super) const STRUCT: u8 = 12;
const LIST: u8 = 9;

/// Bytes that are read from the front.
#[derive(Clone, Debug)]
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn ends() -> Fault {
    Fault::damaged("a header ends early")
}

/// A whole number of any length at a place, which moves past it.
pub(super) fn varint_of(bytes: &[u8], at: &mut usize) -> Result<u64, Fault> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let b = *bytes.get(*at).ok_or_else(ends)?;
        *at += 1;
        value |= u64::from(b & 0x7f) << shift;
        if b < 0x80 {
            return Ok(value);
        }
    }
    Err(Fault::damaged("a number in a header has no end"))
}

impl<'a> Thrift<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes read so far.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let b = self.bytes.get(self.at).copied().ok_or_else(ends)?;
        self.at += 1;
        Ok(b)
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        varint_of(self.bytes, &mut self.at)
    }

    /// A whole number of any width.
    pub(super) fn int(&mut self) -> Result<i64, Fault> {
        let v = self.varint()?;
        Ok((v >> 1) as i64 ^ -((v & 1) as i64))
    }

    /// The next field of a structure, by its type and id, or its end; `id` is that of the field before.
    pub(super) fn field(&mut self, id: &mut i64) -> Result<Option<u8>, Fault> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        *id = if head >> 4 == 0 { self.int()? } else { *id + i64::from(head >> 4) };
        Ok(Some(head & 15))
    }

    /// The type and number of a list's elements.
    pub(super) fn list(&mut self) -> Result<(u8, u64), Fault> {
        let head = self.byte()?;
        let n = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        if n > (self.bytes.len() - self.at) as u64 {
            return Err(Fault::damaged(format!("a header declares a list of {n}")));
        }
        Ok((head & 15, n))
    }

    /// Passes over a value of a type.
    pub(super) fn skip(&mut self, kind: u8, depth: u32) -> Result<(), Fault> {
        if depth > DEPTH {
            return Err(Fault::damaged("a header is nested too deeply"));
        }
        let most = (self.bytes.len() - self.at) as u64;
        match kind {
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.varint()?),
            7 => self.at += if most < 8 { return Err(ends()) } else { 8 },
            8 => {
                let n = self.varint()?;
                self.at += if n > most { return Err(ends()) } else { n as usize };
            }
            LIST | 10 => {
                let (kind, n) = self.list()?;
                for _ in 0..n {
                    // A truth value in a list takes a byte.
                    self.skip(if kind <= 2 { 3 } else { kind }, depth + 1)?;
                }
            }
            11 => {
                let n = self.varint()?;
                if n > most {
                    return Err(ends());
                }
                let kinds = if n > 0 { self.byte()? } else { 0 };
                for _ in 0..n {
                    for kind in [kinds >> 4, kinds & 15] {
                        self.skip(if kind <= 2 { 3 } else { kind }, depth + 1)?;
                    }
                }
            }
            STRUCT => {
                let mut id = 0;
                while let Some(kind) = self.field(&mut id)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            _ => return Err(Fault::damaged(format!("a header has a value of type {kind}"))),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_passed_over() {
        // {1: 5 (i32), 3: [1, -1] (i32), 20: "ab", 21: {}}
        let bytes = [0x15, 0x0a, 0x29, 0x25, 0x02, 0x01, 0x08, 0x28, 0x02, b'a', b'b', 0x1c, 0x00, 0x00];
        let mut t = Thrift::new(&bytes);
        let mut id = 0;
        assert_eq!((t.field(&mut id), id), (Ok(Some(5)), 1));
        assert_eq!(t.int(), Ok(5));
        assert_eq!((t.field(&mut id), id), (Ok(Some(9)), 3));
        t.skip(9, 0).unwrap();
        assert_eq!((t.field(&mut id), id), (Ok(Some(8)), 20));
        t.skip(8, 0).unwrap();
        assert_eq!(t.field(&mut id), Ok(Some(STRUCT)));
        t.skip(STRUCT, 0).unwrap();
        assert_eq!((t.field(&mut id), t.at()), (Ok(None), bytes.len()));
    }

    #[test]
    fn lengths_past_the_end_and_depth_are_refused() {
        for bytes in [
            &[0x18, 0x7f][..],
            &[0x19, 0xf5, 0xff, 0xff, 0xff, 0x7f],
            &[0x17, 1],
            &[0x16],
            &[0x1b, 9, 0x55],
            &[0x1d],
        ] {
            assert!(Thrift::new(bytes).skip(STRUCT, 0).is_err(), "{bytes:?}");
        }
        assert!(Thrift::new(&[0x1c; 100_000]).skip(STRUCT, 0).is_err());
        assert!(Thrift::new(&[0xff; 20]).varint().is_err());
    }
}
