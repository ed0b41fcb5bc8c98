//! Exact sums against the rule in Python's fractions, and in any order.

use super::super::{Axis, Grid, Sum, Values};

/// Sum, mean and deviation.
type Found = (f64, f64, f64);

/// Those of a row of numbers.
fn of(values: Values) -> Found {
    let n = values.len();
    let g = Grid::new(Axis::index("", 1), Axis::index("", n), values, &[]).unwrap();
    let s = g.block_statistics(0..1, 0..n, 1, &|| true).unwrap().unwrap();
    (s.sum.as_f64(), s.mean, s.std)
}

fn floats(v: &[f64]) -> Found {
    of(Values::F64(v.to_vec()))
}

#[test]
fn sums_are_rounded_once() {
    // What addition in this order loses.
    assert_eq!(floats(&[1e308, 1.0, -1e308, 2f64.powi(-1070)]), (1.0, 0.25, 8.16496580927726e307));
    assert_eq!(floats(&[0.1; 10]).0, 1.0);
    assert_eq!(floats(&[0.1; 10]).2, 0.0);
    assert_eq!(floats(&[f64::MAX, f64::MAX]), (f64::INFINITY, f64::MAX, 0.0));
    assert_eq!(floats(&[f64::MAX, -f64::MAX]).1, 0.0);
    assert_eq!(floats(&[5e-324, -0.0, 5e-324]), (1e-323, 5e-324, 5e-324));
    assert_eq!(floats(&[5e-324, 0.0]).2, 5e-324);
}

#[test]
fn sums_are_those_of_fractions() {
    // By Python's fractions, rounded at the end.
    let truths: [(&[f64], Found); 4] = [
        (
            &[0.7417869892607294, -0.8403481205226678, -0.6489745531369242],
            (-0.7475356843988626, -0.24917856146628756, 0.8635192543419408),
        ),
        (
            &[
                -60.391299002580915,
                1.5102716521296988,
                -0.20555726994611082,
                -36.00906961911182,
                -0.002058272548032854,
                0.00012984438014588428,
                -0.0041113136859572096,
            ],
            (-95.10169398136298, -13.585956283051855, 24.678053099157083),
        ),
        (
            &[
                1000000000.6145555,
                1000000000.8243494,
                1000000000.1111559,
                1000000000.8948466,
                1000000000.9940531,
            ],
            (5000000003.43896, 1000000000.6877921, 0.3511367998800215),
        ),
        (
            &[7.057739192098e-311, 4.3797040097215e-311, 1.830858484701e-311, 1.852860630597e-311],
            (1.51211623171176e-310, 3.7802905792797e-311, 2.491066543251e-311),
        ),
    ];
    for (numbers, want) in truths {
        assert_eq!(floats(numbers), want, "{numbers:?}");
        let turned: Vec<f64> = numbers.iter().rev().copied().collect();
        assert_eq!(floats(&turned), want, "{numbers:?}");
        let stored: Vec<f32> = numbers.iter().map(|v| *v as f32).collect();
        let wide: Vec<f64> = stored.iter().map(|v| f64::from(*v)).collect();
        let narrow = Values::F32 { data: stored, integer: false };
        assert_eq!(of(narrow), floats(&wide), "{numbers:?}");
    }
}

#[test]
fn integers_have_all_their_digits() {
    let many = vec![i64::MIN; 100_000];
    assert_eq!(of(Values::I64(many)), (-1e5 * 2f64.powi(63), i64::MIN as f64, 0.0));
    assert_eq!(
        of(Values::U64(vec![u64::MAX, u64::MAX - 2])),
        (u64::MAX as f64 * 2.0, u64::MAX as f64, 2f64.sqrt())
    );
    let g = Grid::from_rows(1, 3, vec![-5.0, 2.0, 1.0]).unwrap();
    let s = g.block_statistics(0..1, 0..3, 1, &|| true).unwrap().unwrap();
    assert!(matches!(s.sum, Sum::Float(v) if v == -2.0), "{:?}", s.sum);
}
