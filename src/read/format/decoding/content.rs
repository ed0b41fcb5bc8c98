//! Bytes of a columnar file by position; positions outside the file are refused.

use super::fault::Fault;
use crate::bytes::read_exact_at;

use crate::bytes::Content;

impl Content {
    /// The bytes from `at` on; memory is taken only for what is there.
    ///
    /// # Errors
    /// When they are not inside, or can no longer be read.
    pub(in crate::format) fn read(&self, at: u64, len: u64) -> Result<Vec<u8>, Fault> {
        let end = at.checked_add(len).filter(|end| *end <= self.len());
        let (Some(_), Ok(size)) = (end, usize::try_from(len)) else {
            return Err(Fault::damaged(format!(
                "{len} bytes at {at} are not inside its {} bytes",
                self.len()
            )));
        };
        match self {
            Content::Memory(bytes) => Ok(bytes[at as usize..at as usize + size].to_vec()),
            Content::File(file, _) => {
                let mut out = Vec::new();
                out.try_reserve_exact(size)
                    .map_err(|_| Fault::Limit(format!("no memory for {len} bytes")))?;
                out.resize(size, 0);
                read_exact_at(file, &mut out, at)
                    .map_err(|e| Fault::damaged(format!("cannot be read at byte {at}: {e}")))?;
                Ok(out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::Arc;

    #[test]
    fn only_what_is_inside_is_read() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let file = Arc::new(file);
        for source in [Content::Memory(b"0123456789".to_vec()), Content::File(file.clone(), 10)] {
            assert_eq!(source.read(3, 4).unwrap(), b"3456");
            assert_eq!(source.read(10, 0).unwrap(), b"");
            for (at, len) in [(8, 3), (11, 0), (u64::MAX, 2), (0, u64::MAX)] {
                assert!(matches!(source.read(at, len), Err(Fault::Damaged(_))));
            }
        }
        // A file that has shrunk since.
        assert!(Content::File(file, 99).read(5, 20).is_err());
    }
}
