//! Tables and arrays in an object: which of its parts is meant, and how its rows are written as records.

use super::asv::is_asv;
use super::outline::{Elements, Kind, Node};
use super::shape::READ_AS_DATA;
use super::tokenizer::{JsonFault, Tokenizer};
use crate::shell_word::flag;
use crate::table::{listed, nearest};
use gridscope_core::figure::{Figure, List};
use gridscope_core::lint::{LintName, Lints};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A table or an array in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form<'n, 'a> {
    /// A list of objects.
    Records(&'n Node<'a>),
    /// A list of numbers or of such lists.
    Array(&'n Node<'a>),
    /// An object with a list of values for each column; these keys have as many each.
    Columns(&'n Node<'a>, Vec<String>),
    /// An object of objects, a row each under its key.
    Rows(&'n Node<'a>),
    /// An object of objects of objects with the same keys, a row each under two keys.
    Nested(&'n Node<'a>),
    /// An object of numbers, a row each.
    Pairs(&'n Node<'a>),
    /// An object of lists of objects, whose rows have its keys in front.
    Groups(&'n Node<'a>),
    /// An object that is a row.
    Record(&'n Node<'a>),
    /// The values `z` of a picture, with `x` and `y`.
    Picture(&'n Node<'a>),
    /// A list of traces of plotly.
    Traces(&'n Node<'a>),
    /// A table of observations in BIOM 1.
    Biom(&'n Node<'a>),
    /// A file of results of asv.
    Asv(&'n Node<'a>),
}

/// Names of arrays before all others.
const NAMED: [&str; 3] = ["z", "values", "data"];
/// Paths in a hint.
const MOST_PATHS: usize = 8;

/// The form of a value, whatever is around it.
fn of_value<'n, 'a>(node: &'n Node<'a>, asked: &[&str], several: bool) -> Option<Form<'n, 'a>> {
    let members = match &node.kind {
        Kind::List(1.., Elements::Objects) => return Some(Form::Records(node)),
        Kind::List(1.., Elements::Numbers | Elements::Numeric) => return Some(Form::Array(node)),
        Kind::Object(members) if !members.is_empty() => members,
        _ => return None,
    };
    let member = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, node)| node);
    let is_biom = ["matrix_type", "shape", "rows", "columns", "data"].iter().all(|key| member(key).is_some());
    if is_biom {
        return Some(Form::Biom(node));
    }
    if member("z").is_some_and(is_matrix) {
        return Some(Form::Picture(node));
    }
    let has = |name: &&str| node.find(name).is_some_and(Node::is_scalar);
    if several && asked.iter().any(has) {
        return Some(Form::Record(node));
    }
    let numbers = members.iter().filter(|(_, n)| matches!(n.kind, Kind::Number | Kind::Truth)).count();
    if members.iter().all(|(_, n)| matches!(n.kind, Kind::Number | Kind::Truth | Kind::Null)) && numbers > 0 {
        return Some(Form::Pairs(node));
    }
    let columns = columns(members);
    if columns.len() > 1 && columns.len() * 2 >= members.len() {
        return Some(Form::Columns(node, columns));
    }
    are_rows(members).then(|| if are_nested(members) { Form::Nested(node) } else { Form::Rows(node) })
}

/// Whether a value is a matrix: lists of numbers, or typed numbers in base64.
fn is_matrix(node: &Node) -> bool {
    matches!(node.kind, Kind::List(1.., Elements::Numeric)) || node.find("bdata").is_some()
}

/// The keys of the longest lists of values, of which most have the same length.
fn columns(members: &[(Cow<'_, str>, Node)]) -> Vec<String> {
    let len = |node: &Node| match node.kind {
        Kind::List(n, Elements::Numbers | Elements::Texts | Elements::Scalars | Elements::Nothing)
            if n > 0 =>
        {
            Some(n)
        }
        _ => None,
    };
    let mut lens: Vec<usize> = members.iter().filter_map(|(_, n)| len(n)).collect();
    // Lists of one value are settings beside longer ones.
    let is_long = members.iter().any(|(_, n)| matches!(n.kind, Kind::List(2.., _)));
    lens.retain(|len| *len > 1 || !is_long);
    lens.sort_unstable();
    let most = lens.chunk_by(|a, b| a == b).max_by_key(|run| (run.len(), run[0])).map(|run| run[0]);
    let of = |(key, node): &(Cow<'_, str>, Node)| {
        (len(node).is_some() && len(node) == most).then(|| key.clone().into_owned())
    };
    members.iter().filter_map(of).collect()
}

/// Whether all members are objects that share a key with the first, and hold a number; not more values may be beside them.
fn are_rows(members: &[(Cow<'_, str>, Node)]) -> bool {
    let inner = |node: &Node<'_>| -> Option<Vec<(String, bool)>> {
        let Kind::Object(members) = &node.kind else { return None };
        let one = |(key, n): &(Cow<'_, str>, Node)| (key.clone().into_owned(), n.is_scalar());
        Some(members.iter().map(one).collect())
    };
    let (rows, others): (Vec<_>, Vec<_>) = members.iter().map(|(_, n)| n).partition(|n| inner(n).is_some());
    let Some(first) = rows.first().and_then(|n| inner(n)) else {
        return false;
    };
    let are_few = others.len() <= rows.len() && others.iter().all(|n| n.is_scalar());
    let holds_number = |node: &Node| {
        let mut found = false;
        node.walk("", &mut |_, n| found |= n.kind == Kind::Number);
        found
    };
    let alike = |node: &Node| inner(node).is_some_and(|own| own.iter().any(|k| first.contains(k)));
    rows.len() > 1 && are_few && rows.iter().all(|n| alike(n)) && rows.iter().any(|n| holds_number(n))
}

/// The members of an object.
fn members<'n, 'a>(node: &'n Node<'a>) -> Option<&'n [(Cow<'a, str>, Node<'a>)]> {
    if let Kind::Object(members) = &node.kind { Some(members) } else { None }
}

/// Whether all members are objects of several objects of values, which have the same keys everywhere, and numbers.
fn are_nested(rows: &[(Cow<'_, str>, Node)]) -> bool {
    let Some(inner) = rows.iter().map(|(_, node)| members(node)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let Some(leaves) = inner.iter().copied().flatten().map(|(_, n)| members(n)).collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let keys = |leaf: &[(Cow<'_, str>, Node)]| -> Vec<String> {
        let mut keys: Vec<String> = leaf.iter().map(|(key, _)| key.clone().into_owned()).collect();
        keys.sort_unstable();
        keys
    };
    let first = leaves.first().map(|leaf| keys(leaf)).unwrap_or_default();
    let is_leaf =
        |leaf: &&[(Cow<'_, str>, Node)]| leaf.iter().all(|(_, n)| n.is_scalar()) && keys(leaf) == first;
    inner.iter().any(|row| row.len() > 1)
        && !first.is_empty()
        && leaves.iter().all(is_leaf)
        && leaves.iter().any(|leaf| leaf.iter().any(|(_, n)| n.kind == Kind::Number))
}

/// The form of an object of which all members are lists of objects.
fn groups<'n, 'a>(node: &'n Node<'a>) -> Option<Form<'n, 'a>> {
    let is_list = |(_, n): &(Cow<'a, str>, Node<'a>)| {
        matches!(n.kind, Kind::List(_, Elements::Objects | Elements::Nothing))
    };
    let lists = members(node).filter(|members| members.len() > 1 && members.iter().all(is_list))?;
    lists.iter().any(|(_, n)| matches!(n.kind, Kind::List(1.., _))).then_some(Form::Groups(node))
}

/// The form of an object of lists of objects, the first of which have the same keys in all lists.
pub(super) fn alike_groups<'n, 'a>(text: &str, node: &'n Node<'a>) -> Option<Form<'n, 'a>> {
    let found = groups(node)?;
    let keys = |list: &Node| -> Option<Vec<String>> {
        let (mut keys, mut first) = (Vec::new(), true);
        let read = Tokenizer::new(&text[list.range.clone()], true).list(&mut |r| {
            if !std::mem::take(&mut first) {
                return r.skip();
            }
            r.object(&mut |r, key, _| {
                keys.push(key.into_owned());
                r.skip()
            })
        });
        keys.sort_unstable();
        read.ok().filter(|()| !keys.is_empty()).map(|()| keys)
    };
    let mut all = members(node)?.iter().map(|(_, list)| keys(list));
    let first = all.next().flatten()?;
    all.all(|keys| keys.as_ref() == Some(&first)).then_some(found)
}

/// The only key that all rows have, each with an object: the rows are within it.
fn shared_key<'n>(rows: &'n [(Cow<'_, str>, Node)]) -> Option<&'n str> {
    let own = |node: &'n Node| match members(node)? {
        [(key, inner)] => members(inner).map(|_| &**key),
        _ => None,
    };
    let first = own(&rows.first()?.1)?;
    rows.iter().all(|(_, node)| own(node) == Some(first)).then_some(first)
}

/// Whether the only member is an object with a number of its own, a row under its key.
fn is_row_alone(members: &[(Cow<'_, str>, Node)]) -> bool {
    match members {
        [(_, Node { kind: Kind::Object(inner), .. })] => inner.iter().any(|(_, n)| n.kind == Kind::Number),
        _ => false,
    }
}

/// Names of columns that a figure asks for, without those of expressions and patterns.
pub(super) fn asked(figure: &Figure) -> Vec<&str> {
    let data = &figure.data;
    let lists = [&data.x, &data.y, &data.value, &figure.x.column, &figure.y.column, &data.panel];
    lists.into_iter().flatten().flat_map(|List(names)| names).map(String::as_str).collect()
}

/// The table or the array of an object: that under the key, or the only one.
///
/// # Errors
/// No such key; none or several tables.
pub(super) fn find<'n, 'a>(
    top: &'n Node<'a>,
    key: Option<&str>,
    figure: &Figure,
    several: bool,
) -> Result<Form<'n, 'a>, JsonFault> {
    let asked = asked(figure);
    if let Some(key) = key {
        let Some(node) = top.find(key) else {
            return Err(no_key(top, key));
        };
        let rows = |node: &'n Node<'a>| match node.kind {
            // Under a key, an object of objects is rows, however unlike they are.
            Kind::Object(ref members)
                if is_row_alone(members)
                    || members.len() > 1
                        && members.iter().all(|(_, n)| matches!(n.kind, Kind::Object(_))) =>
            {
                Some(Form::Rows(node))
            }
            _ => None,
        };
        let found = of_value(node, &asked, several).or_else(|| groups(node));
        let found = found.or_else(|| rows(node)).or_else(|| within(node, &asked));
        let record = || matches!(node.kind, Kind::Object(_)).then_some(Form::Record(node));
        let found = found.or_else(record).or(match node.kind {
            Kind::Object(_) => Some(Form::Rows(node)),
            _ => None,
        });
        return found.ok_or_else(|| {
            let what = format!("'{key}' is neither a table nor an array of numbers");
            JsonFault::new(node.range.start, what).with_hint(READ_AS_DATA)
        });
    }
    // A figure of plotly.
    if let Some(traces) = top.find("data").filter(|n| matches!(n.kind, Kind::List(1.., Elements::Objects)))
        && top.find("layout").is_some()
    {
        return Ok(Form::Traces(traces));
    }
    // pandas' orient="table".
    if let Some(data) = top.find("data").filter(|n| matches!(n.kind, Kind::List(1.., Elements::Objects)))
        && top.find("schema.fields").is_some()
    {
        return Ok(Form::Records(data));
    }
    if is_asv(top) {
        return Ok(Form::Asv(top));
    }
    if let Some(url) = top.find("data.url").filter(|node| node.kind == Kind::Text)
        && top.find("encoding").is_some()
    {
        let what = "is a chart whose data are elsewhere, under its 'data.url'";
        return Err(JsonFault::new(url.range.start, what).with_hint("draw the file that it names"));
    }
    let own = of_value(top, &asked, several);
    if let Some(own) = own {
        return Ok(match own {
            Form::Pairs(node) if several => Form::Record(node),
            Form::Columns(node, _) if several => Form::Record(node),
            own => own,
        });
    }
    if let Some(one) = within(top, &asked) {
        return Ok(one);
    }
    let candidates = candidates(top, &asked);
    let scalars = || {
        let mut found = false;
        top.walk("", &mut |_, n| found |= n.kind == Kind::Number);
        found
    };
    if several && scalars() {
        return Ok(Form::Record(top));
    }
    let mut paths: Vec<String> = candidates.into_iter().map(|(path, _)| path).collect();
    if paths.is_empty() {
        paths = small(top);
    }
    if paths.is_empty() {
        let what = "is an object in which no table is found, and no figure file";
        return Err(JsonFault::new(0, what).with_hint(READ_AS_DATA));
    }
    let n = paths.len();
    let paths = parents_of(paths, top);
    let hint = paths.iter().take(MOST_PATHS).map(|p| flag("--key", p)).collect::<Vec<_>>().join(" or ");
    let what = match n {
        1 => "is an object that holds one row of a table".to_owned(),
        n => format!("is an object that holds {n} tables or arrays"),
    };
    Err(JsonFault { keys: paths, ..JsonFault::new(0, what).with_hint_text(hint) })
}

/// The only list of objects within an object, else its only matrix, else its only object of objects.
fn within<'n, 'a>(top: &'n Node<'a>, asked: &[&str]) -> Option<Form<'n, 'a>> {
    let all = candidates(top, asked);
    let of = |is: fn(&Form) -> bool| {
        let mut found = all.iter().filter(|(_, form)| is(form));
        let first = found.next()?;
        found.next().is_none().then(|| first.1.clone())
    };
    let lists = all.iter().filter(|(_, form)| matches!(form, Form::Records(_))).count();
    if lists > 0 {
        return of(|form| matches!(form, Form::Records(_)));
    }
    let named = |name: &str| {
        let mut found = all
            .iter()
            .filter(|(path, form)| matches!(form, Form::Array(_)) && path.rsplit('.').next() == Some(name));
        let first = found.next()?;
        found.next().is_none().then(|| first.1.clone())
    };
    let pictures = of(|form| matches!(form, Form::Picture(_) | Form::Biom(_)));
    let arrays = || NAMED.iter().find_map(|name| named(name));
    pictures
        .or_else(arrays)
        .or_else(|| of(|form| matches!(form, Form::Array(_))))
        .or_else(|| if all.len() == 1 { Some(all[0].1.clone()) } else { None })
}

/// The tables and matrices in an object, by their paths; those within another one are not named.
pub(super) fn candidates<'n, 'a>(top: &'n Node<'a>, asked: &[&str]) -> Vec<(String, Form<'n, 'a>)> {
    let mut found: Vec<(String, Form<'n, 'a>)> = Vec::new();
    top.walk("", &mut |path, node| {
        // What is inside the last one follows it at once.
        let last = found.last().map_or("", |(outer, _)| outer.as_str());
        if path.strip_prefix(last).is_some_and(|rest| rest.starts_with('.')) {
            return;
        }
        match of_value(node, asked, false) {
            // A list of numbers alone is a property more often than a table.
            Some(Form::Array(n)) if !is_matrix(n) => {}
            Some(Form::Pairs(n)) if matches!(&n.kind, Kind::Object(m) if m.len() < 2) => {}
            Some(form) => found.push((path.to_owned(), form)),
            None => {}
        }
    });
    found
}

/// These paths, with that of an object of objects in place of those of its members.
fn parents_of(paths: Vec<String>, top: &Node) -> Vec<String> {
    let all: HashSet<&str> = paths.iter().map(String::as_str).collect();
    // The keys of objects, and whether they are tables together.
    let mut parents: HashMap<&str, (HashSet<&str>, bool)> = HashMap::new();
    let (mut found, mut met): (Vec<String>, HashSet<&str>) = (Vec::new(), HashSet::new());
    for path in &paths {
        // Keys may have dots.
        let whole = path.match_indices('.').find_map(|(cut, _)| {
            let (parent, key) = (&path[..cut], &path[cut + 1..]);
            let (keys, whole) = parents.entry(parent).or_insert_with(|| {
                let members = top.find(parent).and_then(members).unwrap_or_default();
                let keys = members.iter().map(|(key, _)| &**key).collect();
                let is_found =
                    |(key, _): &&(Cow<'_, str>, Node)| all.contains(format!("{parent}.{key}").as_str());
                let are_tables = members.iter().all(|(_, node)| matches!(node.kind, Kind::Object(_)))
                    || members.iter().all(|(_, node)| matches!(node.kind, Kind::List(_, Elements::Objects)));
                (keys, are_tables && members.iter().filter(is_found).count() > 1)
            });
            keys.contains(key).then_some(*whole).map(|whole| whole.then_some(parent))
        });
        let path = whole.flatten().unwrap_or(path);
        if met.insert(path) {
            found.push(path.to_owned());
        }
    }
    found
}

/// Reports what of an object is not in the table or array that was found: other tables, and members beside its rows or columns.
pub(super) fn report_rest(top: &Node, form: &Form, figure: &Figure, file: &str, lints: &mut Lints) {
    let of_members = |node: &Node, is_out: &dyn Fn(&str, &Node) -> bool| -> Vec<String> {
        let out = members(node).unwrap_or_default().iter().filter(|(key, node)| is_out(key, node));
        out.map(|(key, _)| key.clone().into_owned()).collect()
    };
    let mut members_left_out = |what: &str, out: &[String]| {
        if !out.is_empty() {
            let what = format!("{file}: {what} are left out: {}", listed(out));
            lints.add(LintName::ColumnsLeftOut, out.len() as u64, what);
        }
    };
    let node = match form {
        Form::Columns(node, names) => {
            let out = of_members(node, &|key, node| {
                matches!(node.kind, Kind::List(1.., _)) && !names.iter().any(|name| name == key)
            });
            members_left_out("lists of another length", &out);
            node
        }
        Form::Rows(node) => {
            let out = of_members(node, &|_, node| node.is_scalar());
            members_left_out("values beside the rows", &out);
            node
        }
        Form::Records(node)
        | Form::Pairs(node)
        | Form::Array(node)
        | Form::Picture(node)
        | Form::Biom(node)
        | Form::Nested(node) => node,
        Form::Traces(Node { kind: Kind::List(n @ 2.., _), .. }) => {
            let what = format!("{file}: the first heatmap of its {n} traces is drawn");
            lints.add(LintName::TablesLeftOut, *n as u64 - 1, what);
            return;
        }
        _ => return,
    };
    if figure.data.key.is_some() || node.range == top.range {
        return;
    }
    let all = candidates(top, &asked(figure));
    let Some((own, _)) = all.iter().find(|(path, _)| top.find(path).is_some_and(|n| n.range == node.range))
    else {
        return;
    };
    // Beside a list of records, objects of numbers describe it.
    let are_records = matches!(form, Form::Records(_));
    let counts = |other: &Form| !are_records || !matches!(other, Form::Pairs(_));
    let mut others: Vec<String> =
        all.iter().filter(|(path, form)| path != own && counts(form)).map(|(path, _)| path.clone()).collect();
    // Beside an object of numbers, another with texts among its numbers is as good.
    if matches!(form, Form::Pairs(_)) {
        top.walk("", &mut |path, node| {
            let is_known = |known: &str| {
                path == known || path.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'))
            };
            let holds_number = members(node).is_some_and(|m| m.iter().any(|(_, n)| n.kind == Kind::Number));
            let is_new = !is_known(own) && !others.iter().any(|known| is_known(known));
            if holds_number && is_new && others.len() < MOST_PATHS {
                others.push(path.to_owned());
            }
        });
    }
    if !others.is_empty() {
        let all = others.len() + 1;
        let others = parents_of(others, top);
        let what = format!("{file}: '{own}' of {all} tables is drawn, beside it are {}", listed(&others));
        lints.add(LintName::TablesLeftOut, all as u64 - 1, what).hint(flag("--key", &others[0]));
    }
}

/// Lists beside a matrix: the object that holds it.
pub(super) fn around<'n, 'a>(top: &'n Node<'a>, matrix: &Node) -> Option<&'n Node<'a>> {
    let members = members(top)?;
    if members.iter().any(|(_, node)| node.range == matrix.range) {
        return Some(top);
    }
    members.iter().find_map(|(_, node)| around(node, matrix))
}

/// The paths of objects that are tables of one row or one number.
fn small(top: &Node) -> Vec<String> {
    let mut paths = Vec::new();
    top.walk("", &mut |path, node| {
        let is_small = match &node.kind {
            Kind::Object(members) => {
                is_row_alone(members) || matches!(members.as_slice(), [(_, n)] if n.kind == Kind::Number)
            }
            _ => false,
        };
        let is_within =
            |outer: &String| path.strip_prefix(outer.as_str()).is_some_and(|p| p.starts_with('.'));
        if is_small && !path.is_empty() && !paths.iter().any(is_within) {
            paths.push(path.to_owned());
        }
    });
    paths
}

fn no_key(top: &Node, key: &str) -> JsonFault {
    let mut paths = Vec::new();
    top.walk("", &mut |path, node| {
        if !node.is_scalar() && paths.len() < 1000 {
            paths.push(path.to_owned());
        }
    });
    let near = nearest(key, &paths).map(|near| format!("did you mean --key {near}?"));
    let list = || format!("its keys: {}", listed(&paths));
    JsonFault::new(0, format!("no key '{key}'")).with_hint_text(near.unwrap_or_else(list))
}

/// The rows of a form as records, one a line; `file` becomes a further column. `None` where it has none.
pub(super) fn lines(text: &str, form: &Form, file: Option<&str>) -> Option<Vec<u8>> {
    let mut out = String::new();
    let file = file.map(|file| (quoted("file"), quoted(file)));
    let mut row = |first: &[(&str, &str)], object: Option<&str>| {
        out.push('{');
        let mut comma = "";
        let inner = object.map(|o| o[1..o.len() - 1].trim()).filter(|inner| !inner.is_empty());
        let is_key =
            |at: usize, name: &str, inner: &str| inner[at + name.len()..].trim_start().starts_with(':');
        let taken = |name: &str| {
            inner.is_some_and(|inner| inner.match_indices(name).any(|(at, _)| is_key(at, name, inner)))
        };
        let of_file = file.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in of_file.chain(first.iter().copied()) {
            out.push_str(comma);
            // A key of the object itself is not hidden.
            let name = if taken(name) { format!("\"_{}", &name[1..]) } else { name.to_owned() };
            out.push_str(&name);
            out.push(':');
            out.push_str(value);
            comma = ",";
        }
        if let Some(inner) = inner {
            out.push_str(comma);
            out.push_str(inner);
        }
        out.push_str("}\n");
    };
    let slice = |node: &Node| &text[node.range.clone()];
    match form {
        Form::Record(node) => row(&[], Some(slice(node))),
        Form::Pairs(node) => {
            for (key, value) in members(node)? {
                row(&[("\"key\"", &quoted(key)), ("\"value\"", slice(value))], None);
            }
        }
        Form::Rows(node) => {
            let members = members(node)?;
            let is_row = |node: &Node| matches!(node.kind, Kind::Object(_) | Kind::Deep);
            let only = members.iter().any(|(_, node)| is_row(node));
            let shared = shared_key(members);
            // Numbers beside rows are none.
            for (key, value) in members.iter().filter(|(_, node)| !only || is_row(node)) {
                let value = shared.and_then(|shared| value.find(shared)).unwrap_or(value);
                let object = matches!(value.kind, Kind::Object(_) | Kind::Deep).then(|| slice(value));
                row(&[("\"key\"", &quoted(key))], object);
            }
        }
        Form::Nested(node) => {
            for (outer, inner) in members(node)? {
                for (key, leaf) in members(inner)? {
                    let keys = [quoted(outer), quoted(key)];
                    row(&[("\"key\"", &keys[0]), ("\"key 2\"", &keys[1])], Some(slice(leaf)));
                }
            }
        }
        Form::Records(node) => each_record(text, node, |record| row(&[], Some(record)))?,
        Form::Groups(node) => {
            for (key, list) in members(node)? {
                let key = quoted(key);
                each_record(text, list, |record| row(&[("\"key\"", &key)], Some(record)))?;
            }
        }
        _ => return None,
    }
    Some(out.into_bytes())
}

/// Gives `take` the objects of a list; `None` where it is none.
fn each_record(text: &str, list: &Node, mut take: impl FnMut(&str)) -> Option<()> {
    let list = &text[list.range.clone()];
    let read = Tokenizer::new(list, true).list(&mut |r| {
        if r.peek() != Some(b'{') {
            return Err(r.unexpected("an object"));
        }
        take(&list[r.passed()?]);
        Ok(())
    });
    read.ok()
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
