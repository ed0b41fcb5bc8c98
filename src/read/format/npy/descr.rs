//! The element types of NPY files: plain numbers are read, every other type is refused by its name.

use crate::array::{Dtype, Encoding, Fault, TimeUnit};

/// The type and byte order that a `descr` means.
///
/// # Errors
/// Why it is not a plain number, numpy's word for the type included.
pub(crate) fn parse_descr(descr: &str) -> Result<Encoding, Fault> {
    let name = descr.strip_prefix(['<', '>', '|', '=']).unwrap_or(descr);
    let dtype = Dtype::from_descr(name).ok_or_else(|| refusal(descr, name))?;
    Ok(Encoding { dtype, big_endian: descr.starts_with('>') })
}

/// The byte order and the unit of times that a `descr` means; their numbers are whole.
///
/// # Errors
/// Any other type.
pub(super) fn parse_time_descr(descr: &str) -> Result<(Encoding, TimeUnit), Fault> {
    let name = descr.strip_prefix(['<', '>', '|', '=']).unwrap_or(descr);
    let unit = TimeUnit::parse(name).ok_or_else(|| refusal(descr, name))?;
    let encoding = Encoding { dtype: Dtype::I64, big_endian: descr.starts_with('>') };
    Ok((encoding, unit))
}

/// Why a dtype is refused, with numpy's word for it.
fn refusal(descr: &str, name: &str) -> Fault {
    let word = match (name.as_bytes().first(), name) {
        (Some(b'O'), _) => {
            let addition = "; Python pickles are never loaded";
            return Fault::no_numbers(format!("dtype '{descr}' (object)"), addition);
        }
        (_, "c8") => "complex64",
        (_, "c16") => "complex128",
        (Some(b'c'), _) => "complex",
        (_, "f16" | "f12" | "f10") => "longdouble",
        (Some(b'S' | b'a'), _) => "byte strings",
        (Some(b'U'), _) => "strings",
        (Some(b'V'), _) => "void",
        (Some(b'M'), _) => "datetime64",
        (Some(b'm'), _) => "timedelta64",
        _ => return Fault::unsupported(format!("unknown dtype '{descr}'")),
    };
    let use_of_times = if word == "datetime64" { "; times are read as --x-values or --y-values" } else { "" };
    Fault::no_numbers(format!("dtype '{descr}' ({word})"), use_of_times)
}
