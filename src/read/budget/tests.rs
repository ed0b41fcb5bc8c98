//! Reservations of a budget: taken, given back and refused.

use super::*;

#[test]
fn what_is_taken_is_gone_until_it_is_given_back() {
    let budget = Budget::new(1000);
    let held = budget.reserve(600).unwrap();
    assert_eq!(budget.take(401), Err(OverBudget { need: 401, left: 400, limit: 1000 }));
    assert!(budget.take(400).is_ok() && budget.left() == 0 && budget.take(0).is_ok());
    drop(held);
    assert_eq!(budget.left(), 600);
    budget.reserve(500).unwrap().keep();
    assert_eq!((budget.left(), budget.limit()), (100, 1000));
    assert!(budget.take(u64::MAX).is_err());
}

#[test]
fn portions_are_owed_and_sizes_reached() {
    let budget = Budget::new(10 * PORTION);
    let mut taken = budget.nothing();
    (0..PORTION - 1).for_each(|_| taken.owe(1).unwrap());
    assert_eq!(budget.left(), 10 * PORTION);
    taken.owe(1).unwrap();
    assert_eq!(budget.left(), 9 * PORTION);
    taken.owe(5).unwrap();
    taken.settle().unwrap();
    taken.reach(3 * PORTION).unwrap();
    taken.reach(PORTION).unwrap();
    assert_eq!(budget.left(), 7 * PORTION);
    taken.shrink_to(PORTION);
    assert_eq!(budget.left(), 9 * PORTION);
    assert!(taken.owe(u64::MAX).is_err() && taken.more(10 * PORTION).is_err());
    drop(taken);
    assert_eq!(budget.left(), 10 * PORTION);
}

#[test]
fn only_more_than_the_default_is_raised() {
    assert!(
        !Budget::given(1).is_raised()
            && !Budget::given(usual_limit()).is_raised()
            && !Budget::usual().is_raised()
    );
    assert!(Budget::given(usual_limit() + 1).is_raised() && !Budget::new(u64::MAX).is_raised());
    assert_eq!(
        (Budget::new(100).shares(5), Budget::new(100).shares(1000), Budget::new(9).shares(0)),
        (2, 1, 1)
    );
}

#[test]
fn threads_share_it_to_the_last_byte() {
    let budget = Budget::new(100_000);
    let shared = &budget;
    let taken = std::thread::scope(|s| {
        let work = move || (0..100_000).filter(|_| shared.take(1).is_ok()).count();
        let threads: Vec<_> = (0..4).map(|_| s.spawn(work)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum::<usize>()
    });
    assert_eq!((taken, budget.left()), (100_000, 0));
}

#[test]
fn a_refusal_says_what_is_needed_and_what_is_left() {
    let e = Budget::new(100 << 20).take(743 << 20).unwrap_err().of("a.npz", "6 elements");
    assert_eq!(
        e.to_string(),
        "a.npz: 6 elements: 743 MiB more would be needed, 100 MiB of the memory limit of 100 MiB are left"
    );
    assert_eq!((e.kind, e.hint.as_deref()), (crate::error::ErrorKind::Limit, Some(OverBudget::HINT)));
    assert_eq!(
        (size(999), size(70_000), size(5 << 30)),
        ("999 bytes".into(), "68 KiB".into(), "5120 MiB".into())
    );
}

#[test]
fn sizes_in_words() {
    for (text, bytes) in [
        ("1", 1),
        ("1536", 1536),
        ("512M", 512 << 20),
        ("1.5 GiB", 3 << 29),
        ("4g", 4 << 30),
        ("2TB", 2 << 40),
    ] {
        assert_eq!(parse_size(text), Some(bytes), "{text}");
    }
    for text in ["", "0", "0.5", "-1", "4X", "G", "1e9", "4 G x", "."] {
        assert_eq!(parse_size(text), None, "{text}");
    }
}
