//! The distinct keys of one column, and their order.

use super::budget::{Budget, Short};
use super::error::InputError;
use super::field::{MISSING, parse_number, shown};
use super::time::parse_times;
use crate::figure::{List, Order, OrderWord};
use crate::grid::Number;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The code of a row whose key is empty.
pub const EMPTY: u32 = u32::MAX;
/// The code of a row outside the domain.
pub const OUTSIDE: u32 = u32::MAX - 1;
/// Whole numbers that a domain `A:B` may span.
const MAX_STEPS: f64 = 1e6;
/// Bytes that a key of a domain takes until it is a label of an axis.
const SEED: u64 = 400;

/// How a column's texts become keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// Every text is its own key, numbers too.
    pub as_text: bool,
    /// Texts that count as empty.
    pub missing: &'a [String],
    /// Keys that are shown even where empty; others are outside.
    pub domain: Option<&'a List>,
    /// The order that the file gives its keys.
    pub order: Option<&'a [String]>,
    /// What the keys of a domain are taken off; those of the texts were before.
    pub budget: Option<&'a Budget>,
}

/// The keys of a column, by id in the order of their first appearance (those of the domain first).
#[derive(Clone, Debug, PartialEq)]
pub struct Keys {
    /// The column's name.
    pub name: String,
    /// The text of each key: the shortest of those seen.
    pub labels: Vec<String>,
    /// The number of each key, when all are numbers.
    pub numbers: Option<Vec<f64>>,
    /// The key's id of each row, or [`EMPTY`], or [`OUTSIDE`].
    pub codes: Vec<u32>,
    /// Ids below this belong to the domain.
    pub seeded: usize,
    /// Keys that look like numbers among others that do not.
    pub number_like: usize,
    /// The place of each key in the order of the file, where it gives one; those it does not name come last.
    given: Option<Vec<u32>>,
}

/// What makes two numbers one key: equal to 12 significant digits, whole numbers exactly.
type Canonical = (bool, i128);

fn canonical(n: Number) -> Canonical {
    const EXACT: u64 = 1_000_000_000_000;
    let v = match n {
        Number::I64(v) if v.unsigned_abs() >= EXACT => return (true, i128::from(v)),
        Number::U64(v) if v >= EXACT => return (true, i128::from(v)),
        _ => n.as_f64(),
    };
    let rounded = if v.is_finite() { format!("{v:.11e}").parse().unwrap_or(v) } else { v };
    let whole = |v: &f64| v.fract() == 0.0 && (1e12..1e18).contains(&v.abs());
    if let Some(w) = [v, rounded].into_iter().find(whole) {
        return (true, w as i128);
    }
    // Adding 0 makes -0 and 0 one key.
    (false, i128::from((rounded + 0.0).to_bits()))
}

enum Domain<'a> {
    All,
    Range(f64, f64),
    List(&'a [String]),
}

fn parse_domain(domain: Option<&List>) -> Domain<'_> {
    let Some(List(keys)) = domain else { return Domain::All };
    let ends = |t: &str| {
        let (a, b) = t.split_once(':')?;
        let (a, b) = (parse_number(a)?.as_f64(), parse_number(b)?.as_f64());
        Some(Domain::Range(a.min(b), a.max(b)))
    };
    match keys.as_slice() {
        [one] => ends(one).unwrap_or(Domain::List(keys)),
        _ => Domain::List(keys),
    }
}

impl Keys {
    /// Reads a column's texts.
    ///
    /// # Errors
    /// When a domain spans too many steps, or more than the memory holds.
    pub fn read<'t>(name: &str, texts: impl Iterator<Item = &'t str>, reading: Reading, file: &str) -> Result<Self, InputError> {
        let mut ids: HashMap<&str, u32> = HashMap::new();
        let mut distinct: Vec<&str> = Vec::new();
        let mut last = ("", u32::MAX);
        let mut codes: Vec<u32> = Vec::with_capacity(texts.size_hint().0);
        for t in texts {
            // Neighbouring rows often share a key.
            if last.1 == u32::MAX || last.0 != t {
                let next = distinct.len() as u32;
                let id = *ids.entry(t).or_insert(next);
                if id == next {
                    distinct.push(t);
                }
                last = (t, id);
            }
            codes.push(last.1);
        }
        let domain = parse_domain(reading.domain);
        let is_empty = |t: &str| t.trim().is_empty() || reading.missing.iter().any(|m| m == t.trim());
        let mut state: Vec<u32> = distinct.iter().map(|t| if is_empty(t) { EMPTY } else { inside(&domain, t) }).collect();
        let kept = |state: &[u32]| -> Vec<usize> { (0..distinct.len()).filter(|&i| state[i] == 0).collect() };
        let number = |i: &usize| parse_number(distinct[*i]);
        let mut numeric = kept(&state);
        numeric.retain(|&i| !MISSING.contains(&distinct[i].trim()));
        // Among numbers a `NaN` or `NA` is an empty key; among texts it is a text.
        if !reading.as_text && numeric.iter().all(|i| number(i).is_some()) && !numeric.is_empty() {
            for i in kept(&state) {
                if number(&i).is_none() {
                    state[i] = EMPTY;
                }
            }
        }
        let kept = kept(&state);
        let whole = !reading.as_text && kept.iter().all(|i| number(i).is_some_and(|n| n.as_f64().fract() == 0.0));
        let seeds: Vec<String> = match domain {
            Domain::List(keys) => keys.to_vec(),
            Domain::Range(a, b) if whole && a.fract() == 0.0 && b.fract() == 0.0 => {
                if b - a >= MAX_STEPS {
                    return Err(InputError::limit(file, format!("a domain of {} steps; at most {MAX_STEPS}", b - a + 1.0)));
                }
                let short = |s: Short| s.of(file, format_args!("a domain of {} steps", b - a + 1.0));
                reading.budget.map_or(Ok(()), |budget| budget.take(SEED * ((b - a) as u64 + 1))).map_err(short)?;
                (0..=(b - a) as i64).map(|i| (a as i64 + i).to_string()).collect()
            }
            _ => Vec::new(),
        };
        let mut keys = Self { name: name.to_owned(), labels: Vec::new(), numbers: None, codes, seeded: 0, number_like: 0, given: None };
        let texts: Vec<&str> = seeds.iter().map(String::as_str).chain(kept.iter().map(|&i| distinct[i])).collect();
        let assigned = keys.assign(&texts, reading.as_text);
        keys.seeded = assigned[..seeds.len()].iter().map(|&i| i as usize + 1).max().unwrap_or(0);
        for (at, &i) in kept.iter().enumerate() {
            state[i] = assigned[seeds.len() + at];
        }
        for c in &mut keys.codes {
            *c = state[*c as usize];
        }
        keys.given = reading.order.map(|order| {
            let places: HashMap<&str, u32> = order.iter().zip(0..).map(|(t, i)| (t.as_str(), i)).collect();
            keys.labels.iter().map(|l| places.get(l.as_str()).copied().unwrap_or(u32::MAX)).collect()
        });
        Ok(keys)
    }

    /// Gives each text a key's id, and fills labels and numbers.
    fn assign(&mut self, texts: &[&str], as_text: bool) -> Vec<u32> {
        let numbers: Vec<Option<Number>> = texts.iter().map(|t| parse_number(t)).collect();
        let found = numbers.iter().flatten().count();
        let all = found == texts.len() && found > 0;
        let merge = all && !as_text;
        self.number_like = if all || as_text { 0 } else { found };
        let mut by_text: HashMap<&str, u32> = HashMap::new();
        let mut by_number: HashMap<Canonical, u32> = HashMap::new();
        let mut values = Vec::new();
        let mut assigned = Vec::with_capacity(texts.len());
        for (t, n) in texts.iter().zip(&numbers) {
            let next = self.labels.len() as u32;
            let id = match n {
                Some(n) if merge => *by_number.entry(canonical(*n)).or_insert(next),
                _ => *by_text.entry(t).or_insert(next),
            };
            let label = if merge { t.trim() } else { t };
            if id == next {
                self.labels.push(label.to_owned());
                values.extend(n.map(Number::as_f64));
            } else if merge && label.len() < self.labels[id as usize].len() {
                self.labels[id as usize] = label.to_owned();
            }
            assigned.push(id);
        }
        self.numbers = all.then_some(values);
        assigned
    }

    /// All ids in order; `means` are the values that [`OrderWord::Value`] goes by.
    pub fn order(&self, order: Option<&Order>, means: Option<&[f64]>) -> Vec<u32> {
        let mut ids: Vec<u32> = (0..self.labels.len() as u32).collect();
        let label = |id: u32| self.labels[id as usize].as_str();
        match order {
            None => self.automatic(),
            Some(Order::Word(OrderWord::Data)) => ids,
            Some(Order::Word(OrderWord::Alpha)) => {
                ids.sort_by(|&a, &b| label(a).cmp(label(b)));
                ids
            }
            Some(Order::Word(OrderWord::Natural)) if self.numbers.is_some() && self.given.is_none() => self.automatic(),
            Some(Order::Word(OrderWord::Natural)) => {
                ids.sort_by(|&a, &b| natural(label(a), label(b)));
                ids
            }
            Some(Order::Word(OrderWord::Value)) => {
                let mut ids = self.automatic();
                let mean = |id: u32| means.map_or(f64::NAN, |m| m[id as usize]);
                // Keys without a value come last.
                let rank = |id: u32| if mean(id).is_nan() { f64::NEG_INFINITY } else { mean(id) };
                ids.sort_by(|&a, &b| mean(a).is_nan().cmp(&mean(b).is_nan()).then(rank(b).total_cmp(&rank(a))));
                ids
            }
            Some(Order::Keys(List(named))) => {
                let mut out: Vec<u32> = Vec::with_capacity(ids.len());
                let mut taken = vec![false; ids.len()];
                let first = named.iter().filter_map(|n| self.find(n));
                for id in first.chain(self.automatic()) {
                    if !std::mem::replace(&mut taken[id as usize], true) {
                        out.push(id);
                    }
                }
                out
            }
        }
    }

    /// The id of a key by its text, or by an equal number.
    pub fn find(&self, text: &str) -> Option<u32> {
        let exact = self.labels.iter().position(|l| l == text);
        let equal = || {
            let wanted = canonical(parse_number(text)?);
            self.numbers.as_ref()?;
            self.labels.iter().position(|l| parse_number(l).map(canonical) == Some(wanted))
        };
        exact.or_else(equal).map(|i| i as u32)
    }

    fn automatic(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = (0..self.labels.len() as u32).collect();
        if let Some(places) = &self.given {
            ids.sort_by_key(|&id| places[id as usize]);
            return ids;
        }
        let units;
        let by = match &self.numbers {
            Some(n) => n,
            None => match parse_times(self.labels.iter().map(String::as_str), false).or_else(|| one_number_each(&self.labels)) {
                Some(n) => {
                    units = n;
                    &units
                }
                None => return ids,
            },
        };
        ids.sort_by(|&a, &b| by[a as usize].total_cmp(&by[b as usize]));
        ids
    }

    /// What is wrong with these keys as numbers: a text among them.
    pub fn first_text(&self) -> Option<String> {
        self.labels.iter().find(|l| parse_number(l).is_none()).map(|l| shown(l))
    }
}

/// Refuses an order of which no name is a key: a misspelt `natural` reads as a list of one.
///
/// # Errors
/// When the list names no key of these columns.
pub fn check_order(columns: &[Keys], order: Option<&Order>, file: &str) -> Result<(), InputError> {
    let Some(Order::Keys(List(named))) = order else { return Ok(()) };
    if named.is_empty() || named.iter().any(|n| columns.iter().any(|k| k.find(n).is_some())) {
        return Ok(());
    }
    let names: Vec<&str> = columns.iter().map(|k| k.name.as_str()).collect();
    let what = format!("order of {}: no key is {}", shown(&names.join(", ")), shown(&named[0]));
    Err(InputError::usage(file, what).with_hint("data, natural, alpha, value, or a list of keys"))
}

/// Whether a domain holds a text.
pub fn in_domain(domain: &List, text: &str) -> bool {
    inside(&parse_domain(Some(domain)), text) != OUTSIDE
}

fn inside(domain: &Domain, text: &str) -> u32 {
    let yes = match domain {
        Domain::All => true,
        Domain::Range(a, b) => parse_number(text).is_some_and(|n| (*a..=*b).contains(&n.as_f64())),
        Domain::List(keys) => {
            let number = parse_number(text).map(canonical);
            keys.iter().any(|k| k == text || (number.is_some() && parse_number(k).map(canonical) == number))
        }
    };
    if yes { 0 } else { OUTSIDE }
}

/// The number in each label, when all share the text before and after it: `0.5b`, `1.5b`, `14b`.
pub fn one_number_each(labels: &[String]) -> Option<Vec<f64>> {
    let (first, rest) = labels.split_first()?;
    if rest.is_empty() {
        return None;
    }
    let numeric = |c: char| c.is_ascii_digit() || c == '.';
    let shared =
        |a: &str, b: &str| a.char_indices().zip(b.chars()).take_while(|((_, x), y)| x == y).map(|((i, x), _)| i + x.len_utf8()).last();
    let head = rest.iter().fold(first.as_str(), |p, l| &p[..shared(p, l).unwrap_or(0)]).trim_end_matches(numeric);
    // A sign belongs to the number where no word stands before it.
    let head = head.strip_suffix('-').filter(|h| h.is_empty() || h.ends_with(' ')).unwrap_or(head);
    let tail = |l: &str| l.trim_start_matches(|c| !numeric(c)).trim_start_matches(numeric).to_owned();
    let tail = tail(first[head.len()..].trim_start_matches('-'));
    labels.iter().map(|l| parse_number(l.strip_prefix(head)?.strip_suffix(tail.as_str())?).map(Number::as_f64)).collect()
}

/// Compares texts with the whole numbers inside them as numbers.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let digits = |t: &str| t.len() - t.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (da, db) = (digits(a), digits(b));
        let order = if da > 0 && db > 0 {
            let (x, y) = (a[..da].trim_start_matches('0'), b[..db].trim_start_matches('0'));
            (a, b) = (&a[da..], &b[db..]);
            x.len().cmp(&y.len()).then(x.cmp(y))
        } else {
            let (x, y) = (a.chars().next(), b.chars().next());
            if x.is_none() && y.is_none() {
                return Ordering::Equal;
            }
            (a, b) = (&a[x.map_or(0, char::len_utf8)..], &b[y.map_or(0, char::len_utf8)..]);
            x.cmp(&y)
        };
        if order.is_ne() {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(texts: &[&str], domain: Option<&[&str]>) -> Keys {
        let list = domain.map(|d| List(d.iter().map(|s| (*s).to_owned()).collect()));
        Keys::read("k", texts.iter().copied(), Reading { domain: list.as_ref(), ..Reading::default() }, "f").unwrap()
    }

    fn ordered(texts: &[&str], order: Option<Order>) -> Vec<String> {
        let k = keys(texts, None);
        k.order(order.as_ref(), None).into_iter().map(|i| k.labels[i as usize].clone()).collect()
    }

    #[test]
    fn equal_numbers_are_one_key_with_the_shortest_text() {
        let k = keys(&["1.0e+00", "1", "1.0", "0.30000000000000004", "0.3", "01"], None);
        assert_eq!(k.labels, ["1", "0.3"]);
        assert_eq!(k.codes, [0, 0, 0, 1, 1, 0]);
        assert_eq!(keys(&["1700000000001", "1700000000002", "1700000000001.0"], None).labels.len(), 2);
        assert_eq!(keys(&["-0", "0", "0.0"], None).labels, ["0"]);
    }

    #[test]
    fn an_order_names_a_key() {
        let order = |names: &str| Some(Order::Keys(List::from_flag(names)));
        let check = |names| check_order(&[keys(&["a", "b"], None)], order(names).as_ref(), "f");
        assert!(check("b").is_ok() && check("z,a").is_ok());
        assert_eq!(check("natrual").unwrap_err().what, "order of 'k': no key is 'natrual'");
    }

    #[test]
    fn among_texts_numbers_are_texts() {
        let k = keys(&["1", "01", "a", "1.0"], None);
        assert_eq!((k.labels.len(), k.number_like, k.numbers), (4, 3, None));
    }

    #[test]
    fn empty_keys_have_no_id() {
        assert_eq!(keys(&["", "a", "  ", "None"], None).codes, [EMPTY, 0, EMPTY, 1]);
        assert_eq!(keys(&["1", "nan", "2"], None).codes, [0, EMPTY, 1]);
        assert_eq!(keys(&["", ""], None).labels.len(), 0);
    }

    #[test]
    fn keys_stand_in_their_automatic_order() {
        assert_eq!(ordered(&["10", "9", "1e1", "2.5"], None), ["2.5", "9", "10"]);
        assert_eq!(ordered(&["14b", "0.5b", "1.5b"], None), ["0.5b", "1.5b", "14b"]);
        assert_eq!(ordered(&["layer10", "layer2", "layer1"], None), ["layer1", "layer2", "layer10"]);
        assert_eq!(ordered(&["LLaMA-2 13B", "LLaMA-2 7B"], None), ["LLaMA-2 7B", "LLaMA-2 13B"]);
        assert_eq!(ordered(&["-1b", "-2b", "3b"], None), ["-2b", "-1b", "3b"]);
        assert_eq!(ordered(&["t=10s", "t=9s", "t=1.5s"], None), ["t=1.5s", "t=9s", "t=10s"]);
        assert_eq!(ordered(&["–", "~", ">", "a"], None), ["–", "~", ">", "a"]);
        assert_eq!(ordered(&["7B", "7B Chat", "13B"], None), ["7B", "7B Chat", "13B"]);
    }

    #[test]
    fn the_order_of_a_file_is_the_automatic_one() {
        let order = ["low", "mid", "high", "10"].map(str::to_owned);
        let reading = Reading { order: Some(&order), ..Reading::default() };
        let k = Keys::read("k", ["high", "?", "10", "low", "high"].into_iter(), reading, "f").unwrap();
        let of = |order: Option<Order>| {
            k.order(order.as_ref(), None).iter().map(|&i| k.labels[i as usize].as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(None), "low high 10 ?");
        assert_eq!(of(Some(Order::Word(OrderWord::Data))), "high ? 10 low");
        assert_eq!(of(Some(Order::Word(OrderWord::Alpha))), "10 ? high low");
        assert_eq!(of(Some(Order::Keys(List(vec!["10".into()])))), "10 low high ?");
    }

    #[test]
    fn orders_can_be_asked_for() {
        let word = |w| Some(Order::Word(w));
        assert_eq!(ordered(&["3", "1", "2"], word(OrderWord::Data)), ["3", "1", "2"]);
        assert_eq!(ordered(&["b10", "a", "b9"], word(OrderWord::Alpha)), ["a", "b10", "b9"]);
        assert_eq!(ordered(&["b10", "a", "b9", "b09x"], word(OrderWord::Natural)), ["a", "b9", "b09x", "b10"]);
        assert_eq!(ordered(&["3", "1", "2"], Some(Order::Keys(List(vec!["2.0".into(), "9".into()])))), ["2", "1", "3"]);
        let k = keys(&["a", "b", "c"], None);
        assert_eq!(k.order(word(OrderWord::Value).as_ref(), Some(&[1.0, f64::NAN, 5.0])), [2, 0, 1]);
    }

    #[test]
    fn a_domain_keeps_empty_keys_and_leaves_others_out() {
        let k = keys(&["7", "5.0", "20", "total"], Some(&["5:8"]));
        assert_eq!(k.labels, ["5", "6", "7", "8"]);
        assert_eq!((k.codes.clone(), k.seeded), (vec![2, 0, OUTSIDE, OUTSIDE], 4));
        let k = keys(&["0.5", "2.5"], Some(&["0:1"]));
        assert_eq!((k.labels.clone(), k.codes.clone()), (vec!["0.5".to_owned()], vec![0, OUTSIDE]));
        let k = keys(&["b", "x", "a"], Some(&["a", "b", "c"]));
        assert_eq!((k.labels.join(""), k.codes.clone()), ("abc".into(), vec![1, OUTSIDE, 0]));
        let far = List(vec!["0:1e12".into()]);
        assert!(Keys::read("k", ["1"].into_iter(), Reading { domain: Some(&far), ..Reading::default() }, "f").is_err());
    }

    #[test]
    fn texts_stay_apart_when_asked() {
        let k = Keys::read("k", ["01", "1", "10", "9"].into_iter(), Reading { as_text: true, ..Reading::default() }, "f").unwrap();
        assert_eq!(k.labels, ["01", "1", "10", "9"]);
        assert_eq!(k.order(None, None), [0, 1, 3, 2]);
    }
}
