//! Pages that are what their headers say, and those that are not.

use super::*;

/// A header: kind, sizes, then the fields of a data page of the first version.
fn header(kind: u8, size: u8, compressed: u8, values: u8, encoding: u8) -> Vec<u8> {
    let field = |v: u8| [0x15, v << 1];
    let mut out: Vec<u8> = [kind, size, compressed].into_iter().flat_map(field).collect();
    out.push(if kind == 2 { 0x4c } else { 0x2c });
    out.extend([values, encoding, 3, 3].into_iter().flat_map(field));
    out.extend([0, 0]);
    out
}

fn pages(bytes: Vec<u8>, left: u64) -> Pages {
    let end = bytes.len() as u64;
    let source = Arc::new(Content::Memory(bytes));
    Pages::new(&source, (0, end), left, None, (false, 32), &Budget::new(1 << 20))
}

#[test]
fn pages_are_what_their_headers_say() {
    let mut bytes = header(2, 4, 4, 1, 0);
    bytes.extend(b"\x07\0\0\0");
    bytes.extend(header(0, 8, 8, 2, 0));
    bytes.extend(b"\x01\0\0\0\x02\0\0\0");
    let mut p = pages(bytes, 2);
    assert!(matches!(p.next_page(), Ok(Some(Page::DictionaryPage { num_values: 1, .. }))));
    let page = p.next_page().unwrap().unwrap();
    assert_eq!((page.num_values(), page.buffer().len()), (2, 8));
    assert!(p.next_page().unwrap().is_none());
}

#[test]
fn pages_are_passed_over_unread() {
    let mut bytes = header(2, 4, 4, 1, 0);
    bytes.extend(b"\x07\0\0\0");
    bytes.extend(header(0, 8, 8, 2, 0));
    // Passed over, a page is not looked at.
    bytes.extend(b"\xff\0\0\0\x02\0\0\0");
    bytes.extend(header(1, 3, 3, 0, 0));
    bytes.extend(b"abc");
    bytes.extend(header(0, 4, 4, 1, 0));
    bytes.extend(b"\x09\0\0\0");
    let mut p = pages(bytes, 3);
    assert!(p.peek().unwrap().unwrap().is_dict);
    assert!(p.next_page().unwrap().is_some());
    assert_eq!(p.peek().unwrap().unwrap().num_levels, Some(2));
    p.pass_page().unwrap();
    // The page of an index is neither.
    assert_eq!(p.peek().unwrap().unwrap().num_levels, Some(1));
    assert_eq!(p.next_page().unwrap().unwrap().buffer().as_ref(), b"\x09\0\0\0");
    assert!(p.peek().unwrap().is_none() && p.next_page().unwrap().is_none());
}

#[test]
fn what_a_header_must_not_say() {
    let of = |head: Vec<u8>, body: usize, left| {
        let mut bytes = head;
        bytes.resize(bytes.len() + body, 0);
        pages(bytes, left).next_page().map(|_| ())
    };
    assert_eq!(of(header(0, 8, 8, 2, 0), 8, 2), Ok(()));
    let wrong = [
        (header(0, 8, 9, 2, 0), 8, 2),
        (header(0, 9, 8, 2, 0), 8, 2),
        (header(0, 8, 8, 3, 0), 8, 2),
        (header(2, 8, 8, 3, 0), 8, 2),
        (header(0, 8, 8, 2, 8), 8, 2),
        (header(0, 8, 8, 2, 1), 8, 2),
        (Vec::new(), 0, 2),
        (vec![0x15], 0, 2),
    ];
    for (head, body, left) in wrong {
        assert!(of(head.clone(), body, left).is_err(), "{head:?}");
    }
    let negative = vec![0x15, 0, 0x15, 1, 0x15, 1, 0];
    assert!(of(negative, 100, 2).unwrap_err().at("f", "").to_string().contains("a page of -1 bytes"));
}
