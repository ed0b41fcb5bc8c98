//! Archives that are damaged, lie or are too large: nothing of them is drawn as if they were whole.

use super::*;
use gridscope_random::{Random, cases};

/// Drawn values, in words that only the same values share.
fn drawn(bytes: &[u8], key: Option<&str>) -> Result<Vec<String>, InputError> {
    let npz = read(bytes, |f| f.data.key = key.map(str::to_owned))?;
    let row = |g: &Grid, r: usize| format!("{:?}", (0..g.width()).map(|c| g.at(r, c)).collect::<Vec<_>>());
    let all = |g: &Grid| (0..g.height()).map(|r| row(g, r)).collect::<Vec<_>>().join("\n");
    Ok(npz.grids.iter().map(|g| format!("{}: {}", g.name(), all(g))).collect())
}

#[test]
fn a_damaged_member_is_never_passed_over() {
    // Beside an array of two dimensions, one that a single byte can give others.
    let archives = [
        vec![("accuracy.npy", npy("(2, 3)", 6)), ("losses.npy", npy("(6, 1)", 6))],
        vec![
            ("across.npy", npy("(3,)", 3)),
            ("notes.txt", b"hi".to_vec()),
            ("field.npy", npy("(2, 3)", 6)),
            ("down.npy", npy("(2,)", 2)),
        ],
        vec![("field.npy", npy("(2, 2)", 4)), ("cube.npy", npy("(2, 2, 1)", 4))],
    ];
    let rounds = (cases(400) as usize / 400).max(1);
    let mut random = Random(11);
    let (mut refused, mut drawn_by_key) = (0, 0);
    for (members, key) in archives.iter().zip(["losses", "field", "field"]) {
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let good = packed(members, method);
            let wanted = [None, Some(key)].map(|key| drawn(&good, key).map_err(|e| e.kind));
            // 0x11 and 0x13 make a blank of the digits 1 and 3.
            let masks = |n: usize| [1u8 << (n % 8), 1 + (n % 255) as u8, 0x11, 0x13];
            for (at, mask) in (0..good.len() * rounds)
                .flat_map(|i| masks(random.below(1 << 20)).map(|m| (i % good.len(), m)))
            {
                let mut bad = good.clone();
                bad[at] ^= mask;
                let got = [None, Some(key)].map(|key| drawn(&bad, key));
                drawn_by_key += usize::from(got[0].is_err() && got[1].is_ok());
                for (got, wanted) in got.into_iter().zip(&wanted) {
                    match got {
                        Ok(got) => assert_eq!(Ok(&got), wanted.as_ref(), "byte {at}, {mask:#x}"),
                        Err(e) => {
                            let message =
                                format!("{e} {}", e.hint.as_deref().unwrap_or_default()).to_lowercase();
                            let named =
                                members.iter().any(|m| message.contains(m.0.trim_end_matches(".npy")));
                            assert!(
                                named || message.contains("zip archive"),
                                "byte {at}, {mask:#x}: {message}"
                            );
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 0 && drawn_by_key > 0, "{refused}, {drawn_by_key}");
}

#[test]
fn a_member_with_a_damaged_name_is_named() {
    let good =
        packed(&[("acc.npy", npy("(2, 3)", 6)), ("loss.npy", npy("(2, 3)", 6))], CompressionMethod::Stored);
    let places: Vec<usize> = (0..good.len() - 7).filter(|&i| good[i..].starts_with(b"acc.npy")).collect();
    assert_eq!(places.len(), 2);
    let renamed = |which: &[usize], at: usize, byte: u8| {
        let mut bytes = good.clone();
        which.iter().for_each(|&w| bytes[places[w] + at] = byte);
        bytes
    };
    for (bytes, word) in [
        (renamed(&[0], 0, b'x'), "array 'acc': is called 'xcc.npy' before its data"),
        (renamed(&[1], 0, b'x'), "array 'xcc': is called 'acc.npy' before its data"),
        (renamed(&[1], 5, b'q'), "array 'acc.nqy': is called 'acc.npy' before its data"),
    ] {
        let e = read(&bytes, |_| {}).err().unwrap();
        assert!(e.kind == ErrorKind::Refused && e.to_string().contains(word), "{e}");
        assert_eq!(e.hint.as_deref(), Some("--key draws another: loss (2 x 3, u8)"));
        let npz = read(&bytes, |f| f.data.key = Some("loss".into())).unwrap();
        assert!(
            npz.summary.contains("; passed over: ") && npz.summary.contains(" (unreadable: is called '"),
            "{}",
            npz.summary
        );
        // Whoever asks for it by its right name, or by a pattern, gets no other array.
        for key in ["acc", "a*", "*"] {
            assert!(keyed(&bytes, key).unwrap_err().to_string().contains(word), "{key}");
        }
    }
    // An array is one by what it holds, too.
    let e = read(&renamed(&[0, 1], 5, b'q'), |_| {}).err().unwrap();
    assert_eq!(e.what, "holds 2 arrays, say which: acc.nqy (2 x 3, u8), loss (2 x 3, u8)");
}

#[test]
fn archives_that_lie_are_refused() {
    let refused = |bytes: &[u8]| read(bytes, |_| {}).err().unwrap();
    let good = packed(&[("z.npy", npy("(20, 30)", 600))], CompressionMethod::Stored);
    let mut wrong = good.clone();
    wrong[300] ^= 1;
    assert_eq!(refused(&wrong).to_string(), "a.npz: array 'z': cannot be read: Invalid checksum");
    for n in 0..good.len() {
        assert!(read(&good[..n], |_| {}).is_err(), "{n} bytes");
    }
    for name in ["../z.npy", "/z.npy", "a/../../z.npy", "c:\\z.npy", "..\\z.npy"] {
        assert!(refused(&zipped(&[(name, npy("(1, 1)", 1))])).what.contains("outside it"), "{name}");
    }
    assert!(
        refused(&zipped(&[("a.csv", b"1,2".to_vec())])).what.contains("is a zip archive, which is not read")
    );
    let huge = refused(&zipped(&[("z.npy", npy("(1048576, 1048576, 8)", 9))]));
    assert!(huge.to_string().contains("array 'z', data: shape [1048576, 1048576, 8] declares"), "{huge}");
    let mut twice = zipped(&[("a.npy", npy("(1, 1)", 1)), ("b.npy", npy("(1, 1)", 1))]);
    (0..twice.len() - 5)
        .filter(|&i| twice[i..].starts_with(b"b.npy"))
        .collect::<Vec<_>>()
        .into_iter()
        .for_each(|i| twice[i] = b'a');
    assert!(refused(&twice).what.contains("two members of one name"));
}

#[test]
fn bombs_are_refused_by_their_ratio_and_their_declared_size() {
    let zeros = [npy("(60000, 1000)", 0), vec![0; 60_000_000]].concat();
    let bytes = zipped(&[("z.npy", zeros)]);
    let with = |budget| {
        read_npz(Cursor::new(&bytes), "a.npz", &Figure::default(), &ReadOptions::default(), &budget)
            .err()
            .unwrap()
    };
    let e = with(Budget::new(u64::MAX));
    assert!(e.kind == ErrorKind::Limit && e.what.contains("over 1000 times"), "{e}");
    // Who raises the limit is held to it alone; a lower one does not raise it.
    let e = with(Budget::with(100 << 20, true));
    assert!(
        e.kind == ErrorKind::Limit
            && e.what.contains("60000000 elements: 743 MiB more would be needed, 99 MiB of"),
        "{e}"
    );
    assert!(with(Budget::given(100 << 20)).what.contains("over 1000 times"));
    // Declares 560 bytes, and goes on.
    let mut liar = zipped(&[("z.npy", [npy("(20, 20)", 400), vec![0; 100_000]].concat())]);
    let size = (100_000 + npy("(20, 20)", 400).len()) as u32;
    let places: Vec<usize> =
        (0..liar.len() - 4).filter(|&i| liar[i..].starts_with(&size.to_le_bytes())).collect();
    places.iter().for_each(|&i| liar[i..i + 4].copy_from_slice(&560u32.to_le_bytes()));
    assert!(
        places.len() >= 2 && read(&liar, |_| {}).err().unwrap().what.contains("declared uncompressed size")
    );
}

#[test]
fn too_many_members_are_refused_before_they_are_listed() {
    let names: Vec<String> = (0..10_001).map(|i| format!("{i}.npy")).collect();
    let bytes = packed(
        &names.iter().map(|n| (n.as_str(), Vec::new())).collect::<Vec<_>>(),
        CompressionMethod::Stored,
    );
    let e = read(&bytes, |_| {}).err().unwrap();
    assert!(e.kind == ErrorKind::Limit && e.what.contains("10001 members"), "{e}");
}

#[test]
fn changed_and_cut_archives_never_panic() {
    let mut random = Random(3);
    for good in [heads(), packed(&[("z.npy", npy("(5, 7)", 35))], CompressionMethod::Stored)] {
        for _ in 0..3000 {
            let mut bytes = good.clone();
            for _ in 0..=random.below(3) {
                let byte = &mut bytes[random.below(good.len())];
                *byte =
                    if random.chance(0.5) { *byte ^ 1 << random.below(8) } else { random.pick(&[0, 255]) };
            }
            bytes.truncate(good.len() - if random.below(4) == 0 { random.below(good.len()) } else { 0 });
            if let Ok(npz) = read(&bytes, |f| f.data.key = Some("*".into())) {
                assert!(npz.grids.iter().all(|g| g.len() < 1000));
            }
        }
    }
}
