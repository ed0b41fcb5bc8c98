//! Automatic formats of values that people have, and of hostile ones.

use super::*;

fn texts(v: &[f64], units: bool) -> (Vec<String>, i32) {
    let n = NumberFormat::auto(v.iter().map(|v| Number::F64(*v)), units);
    (v.iter().map(|v| n.format(Number::F64(*v))).collect(), n.power())
}

fn auto(v: &[f64]) -> Vec<String> {
    texts(v, false).0
}

#[test]
fn automatic_formats_are_alike_in_all_cells() {
    assert_eq!(auto(&[100.0, 99.7]), ["100.0", "99.7"]);
    assert_eq!(auto(&[100.0, 200.0]), ["100", "200"]);
    assert_eq!(auto(&[0.123456, 0.9]), ["0.123", "0.900"]);
    assert_eq!(auto(&[1234.5678, 3.25]), ["1235", "3"]);
    assert_eq!(auto(&[1e-7, 2.5e-7]), ["1.00e-07", "2.50e-07"]);
    assert_eq!(auto(&[0.25, 0.5]), ["0.25", "0.50"]);
    assert_eq!(auto(&[0.0098, 1.2345, 100.0]), ["0.00980", "1.23", "100"]);
    assert_eq!(auto(&[38.0, 29.7, 1e6]), ["38.0", "29.7", "1000000"]);
    assert_eq!(auto(&[0.5, 0.0312, 4.82e-7]), ["0.50", "0.031", "4.8e-07"]);
    assert_eq!(auto(&[9.523, 28.0, 0.00013]), ["9.52", "28.0", "0.000130"]);
}

#[test]
fn a_few_large_numbers_leave_the_others_their_digits() {
    let loss = [0.6813, 1.3021, 2.7177, 646.2234];
    assert_eq!(auto(&loss), ["0.681", "1.30", "2.72", "646"]);
    assert_eq!(auto(&[0.5123, 2.25, 3.5, 1.6e12]), ["0.512", "2.25", "3.50", "1.60e+12"]);
    assert_eq!(auto(&[12.347, 18.219, 646.2234]), ["12", "18", "646"]);
    // As a range of its own, without much larger ones.
    assert_eq!(auto(&[1.25678, 9.75321]), ["1.26", "9.75"]);
}

#[test]
fn differences_have_common_decimals_or_powers() {
    let of = |v: &[f64]| {
        let n = NumberFormat::of_differences(v.iter().map(|v| Number::F64(*v)), false);
        v.iter().map(|v| n.format(Number::F64(*v))).collect::<Vec<_>>()
    };
    assert_eq!(of(&[0.6813, -2.7177, 646.2234]), ["+1", "-3", "+646"]);
    assert_eq!(of(&[0.5123, 2.25, 1.6e12]), ["+5.12e-01", "+2.25e+00", "+1.60e+12"]);
}

#[test]
fn the_digits_of_values_tell_them_apart() {
    assert_eq!(auto(&[1234567.5, 1234577.5]), ["1234567.5", "1234577.5"]);
    assert_eq!(auto(&[1000001.5, 1000006.0]), ["1000001.5", "1000006.0"]);
    assert_eq!(auto(&[1.000212, 0.999889]), ["1.00021", "0.99989"]);
    assert_eq!(auto(&[1000.00044, 1000.00002]), ["1000.00044", "1000.00002"]);
    assert_eq!(auto(&[999999998.25, 1000001225.0]), ["999999998", "1000001225"]);
    // Numbers that differ in their last digits alone have all of them; beside others they are rounding errors.
    assert_eq!(auto(&[0.3, 0.1 + 0.2]), ["0.29999999999999999", "0.30000000000000004"]);
    assert_eq!(auto(&[0.3, 0.1 + 0.2, 0.5]), ["0.3", "0.3", "0.5"]);
    assert_eq!(auto(&[1.0, 1.0 + 1e-14]), ["1.0000000000000000", "1.0000000000000100"]);
    assert_eq!(auto(&[1.7e9, 1.7e9 + 1e-6]), ["1700000000.00000000", "1700000000.00000095"]);
}

#[test]
fn large_whole_numbers_have_exponents() {
    assert_eq!(auto(&[5489250.0, 3.0]), ["5489250", "3"]);
    assert_eq!(auto(&[1685370000000.0, 5489250.0]), ["1.69e+12", "5.49e+06"]);
    assert_eq!(auto(&[5489250.125, 3.0625, 0.0]), ["5489250", "3", "0"]);
    assert_eq!(auto(&[50000000.0, 3.0, 0.0]), ["5.00e+07", "3", "0"]);
    assert_eq!(auto(&[9.26e-21, 3e-24]), ["9.3e-21", "3.0e-24"]);
    assert_eq!(auto(&[1e300, 0.0, -1e-300]), ["1.00e+300", "0", "-1.00e-300"]);
}

#[test]
fn numbers_of_one_size_are_multiples_of_a_power() {
    let of = |v: &[f64]| texts(v, true);
    let list = |t: &[&str]| t.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    assert_eq!(of(&[1.68537e12, 1.2e11]), (list(&["1.69", "0.12"]), 12));
    assert_eq!(of(&[-1.76e-6, 2e-6, 0.0]), (list(&["-1.76", "2.00", "0.00"]), -6));
    assert_eq!(of(&[3.0646e-8, 3.0648e-8]), (list(&["3.0646", "3.0648"]), -8));
    assert_eq!(of(&[-2.77782933e11, -2.778055878e11]), (list(&["-2.77783", "-2.77806"]), 11));
    assert_eq!(of(&[-1.5e-6, -1.4e-6]), (list(&["-1.50", "-1.40"]), -6));
    assert_eq!(of(&[5e8, 7e5]), (list(&["5.000", "0.007"]), 8));
    // Too far apart, too close together, or short as they are.
    assert_eq!(of(&[1.6e12, 5e6]).1, 0);
    assert_eq!(of(&[1234567.5, 1234577.5]).1, 0);
    assert_eq!(of(&[999_999.0, 1.0]).1, 0);
    assert_eq!(of(&[]), (Vec::new(), 0));
}

#[test]
fn no_value_breaks_them() {
    let hostile = [f64::MAX, f64::MIN, 5e-324, -0.0, 1e300, -1e-300, 1e15, 0.1, f64::NAN];
    for a in hostile {
        for b in hostile {
            for units in [false, true] {
                let (texts, _) = texts(&[a, b, f64::INFINITY], units);
                assert!(texts.iter().all(|t| !t.is_empty()), "{a} {b}");
            }
        }
    }
}
