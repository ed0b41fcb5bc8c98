//! Flags of columns as a shell takes them, for hints that can be copied.

use crate::table::Schema;
use gridscope_core::figure::List;

pub(super) use crate::shell_word::flag;

/// A column as an item of a list: by its name, or by its place where the name does not say which column it is.
pub(super) fn name(column: usize, schema: &Schema) -> String {
    let header = &schema.headers[column];
    let by_name = schema.column(header).is_ok_and(|c| c == column);
    let plain = !header.contains(gridscope_core::text::steers);
    let placed = format!("column {}", column + 1);
    if by_name && plain || schema.column(&placed).is_ok_and(|c| c != column) {
        List::to_flag(&[header])
    } else {
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridscope_core::figure::Data;
    use gridscope_core::lint::Lints;

    #[test]
    fn columns_are_named_so_that_they_are_found() {
        let names = ["v", "v", "", "a,b", "c\\", "-x", " d", "\"e\"", "\"f, g"].map(str::to_owned).to_vec();
        let schema = Schema::named("t.csv", names, &Data::default(), &mut Lints::default());
        for column in 0..schema.width() {
            let List(read) = List::from_flag(&name(column, &schema));
            assert_eq!(schema.column(&read.join("|")), Ok(column), "{read:?}");
        }
        assert_eq!((flag("--x", "-x"), flag("--y", "a b")), ("--x=-x".into(), "--y 'a b'".into()));
    }
}
