//! Names of months and weekdays, in the order of the calendar.

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Weeks begin on Monday, as in ISO 8601.
const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// Short forms of more than three letters.
const LONGER: [&str; 4] = ["sept", "tues", "thur", "thurs"];

/// The place in the calendar of each label, where all are names of months, or all of weekdays: English, in full or by three
/// letters, in any case. `None` for fewer than two labels.
pub(super) fn calendar_places(labels: &[String]) -> Option<Vec<u32>> {
    if labels.len() < 2 {
        return None;
    }
    let all =
        |names: &[&str]| -> Option<Vec<u32>> { labels.iter().map(|label| place(label, names)).collect() };
    all(&MONTHS).or_else(|| all(&DAYS))
}

/// The place of a month in the year, by its name.
pub(super) fn month(label: &str) -> Option<u32> {
    place(label, &MONTHS)
}

/// The place of a label among names.
fn place(label: &str, names: &[&str]) -> Option<u32> {
    let label = label.trim().trim_end_matches('.');
    let short = label.len() == 3 || LONGER.iter().any(|l| l.eq_ignore_ascii_case(label));
    let is = |name: &&str| {
        let head = if short {
            name.get(..label.len())
        } else {
            Some(*name)
        };
        head.is_some_and(|head| head.eq_ignore_ascii_case(label))
    };
    names.iter().position(is).map(|at| at as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(labels: &[&str]) -> Option<Vec<u32>> {
        calendar_places(&labels.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_of_one_kind_have_places() {
        assert_eq!(
            places(&["Apr", "jan", "DECEMBER", "may"]),
            Some(vec![3, 0, 11, 4])
        );
        assert_eq!(
            places(&["Sunday", "Mon", "Thur", "thursday", "Tues."]),
            Some(vec![6, 0, 3, 3, 1])
        );
        assert_eq!(places(&["Sept", "Aug"]), Some(vec![8, 7]));
        for other in [
            &["Jan", "Mon"][..],
            &["Jan", "total"],
            &["Janu", "Feb"],
            &["May"],
            &["März", "Jan"],
            &["", "Jan"],
            &["ju", "Jan"],
        ] {
            assert_eq!(places(other), None, "{other:?}");
        }
    }
}
