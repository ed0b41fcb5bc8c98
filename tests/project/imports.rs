//! The imports of each module, followed through re-exports to the modules that define the items.

use super::source::Source;
use std::collections::HashMap;

/// The names of a path: `["crate", "grid", "Grid"]`.
type Names = Vec<String>;

/// One module of the program.
struct Module {
    /// The child modules in the order of their `mod` lines.
    children: Vec<String>,
    /// The paths of `use` lines, and the name that each is bound to.
    uses: Vec<(Names, String)>,
    /// All other paths that begin with `crate`, `super` or `self`.
    paths: Vec<Names>,
    code: String,
}

/// The modules of a program.
pub struct Modules(HashMap<Names, Module>);

/// The target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The module that defines the item.
    pub module: Vec<String>,
    /// The name of the item; `None` for the module itself and for all items of it.
    pub name: Option<String>,
}

impl Modules {
    pub fn of(list: &[Source]) -> Self {
        let library = list.iter().filter(|s| !s.path.ends_with("src/main.rs"));
        Self(library.map(|s| (s.module.clone(), module(&s.code))).collect())
    }

    /// The child modules of a module, in order.
    pub fn children(&self, module: &[String]) -> &[String] {
        self.0.get(module).map_or(&[], |m| &m.children)
    }

    /// Each module, and all targets outside of it that its code names.
    pub fn imports(&self) -> Vec<(&Names, Target)> {
        let mut out = Vec::new();
        for (at, module) in &self.0 {
            let uses = module.uses.iter().map(|(path, _)| path);
            for path in uses.chain(&module.paths) {
                out.extend(self.target(at, path).map(|t| (at, t)));
            }
        }
        out.sort_by(|a, b| (a.0, &a.1.module, &a.1.name).cmp(&(b.0, &b.1.module, &b.1.name)));
        out.dedup();
        out
    }

    /// Whether a target is a function.
    pub fn is_function(&self, target: &Target) -> bool {
        let module = self.0.get(&target.module);
        module
            .zip(target.name.as_ref())
            .is_some_and(|(m, name)| defines(&m.code, &["fn"], name))
    }

    /// The target of a path in a module; `None` for those in other crates.
    fn target(&self, at: &[String], path: &[String]) -> Option<Target> {
        let (base, rest) = self.absolute(at, path)?;
        self.follow(base, rest, 0)
    }

    /// The module at which a path begins, and the rest of the path.
    fn absolute<'a>(&self, at: &[String], path: &'a [String]) -> Option<(Names, &'a [String])> {
        let ups = path.iter().take_while(|n| *n == "super").count();
        match path.first()?.as_str() {
            "crate" => Some((Vec::new(), &path[1..])),
            "self" => Some((at.to_vec(), &path[1..])),
            "super" => Some((at[..at.len().checked_sub(ups)?].to_vec(), &path[ups..])),
            first => {
                let child = self.children(at).iter().any(|c| c == first);
                child.then(|| (at.to_vec(), path))
            }
        }
    }

    fn follow(&self, mut base: Names, mut rest: &[String], depth: usize) -> Option<Target> {
        while let Some(first) = rest.first().filter(|f| self.children(&base).contains(f)) {
            base.push(first.clone());
            rest = &rest[1..];
        }
        let whole = |module| Target { module, name: None };
        let Some(name) = rest.first().filter(|n| !matches!(n.as_str(), "self" | "*")) else {
            return Some(whole(base));
        };
        let module = self.0.get(&base)?;
        let own = Target {
            module: base.clone(),
            name: Some(name.clone()),
        };
        // Chains of re-exports are short; a circular one would never end.
        if depth > 16 {
            return Some(own);
        }
        if let Some((path, _)) = module.uses.iter().find(|(_, bound)| bound == name) {
            let (base, rest) = self.absolute(&base, path)?;
            return self.follow(base, rest, depth + 1);
        }
        if defines(&module.code, &ITEMS, name) {
            return Some(own);
        }
        let all = module.uses.iter().filter(|(_, bound)| bound == "*");
        let found = all.filter_map(|(path, _)| {
            let (base, rest) = self.absolute(&base, &path[..path.len() - 1])?;
            let path = [rest, std::slice::from_ref(name)].concat();
            let target = self.follow(base, &path, depth + 1)?;
            let module = self.0.get(&target.module)?;
            defines(&module.code, &ITEMS, target.name.as_ref()?).then_some(target)
        });
        Some(found.into_iter().next().unwrap_or(own))
    }
}

const ITEMS: [&str; 9] = [
    "struct",
    "enum",
    "fn",
    "trait",
    "type",
    "const",
    "static",
    "union",
    "macro_rules!",
];

/// Whether code defines an item of this name.
fn defines(code: &str, items: &[&str], name: &str) -> bool {
    code.match_indices(name).any(|(i, _)| {
        let before = code[..i].trim_end();
        let ends = !code[i + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let own = before.len() < i && items.iter().any(|item| before.ends_with(item));
        ends && own
    })
}

fn module(code: &str) -> Module {
    let mut uses = Vec::new();
    let mut rest = String::new();
    let mut from = 0;
    for (i, _) in code.match_indices("use ") {
        if i < from || is_in_word(code, i) {
            continue;
        }
        let end = code[i..].find(';').map_or(code.len(), |n| i + n);
        tree(&code[i + 4..end], &[], &mut uses);
        rest += &code[from..i];
        from = end;
    }
    rest += &code[from..];
    Module {
        children: children(code),
        uses,
        paths: paths(&rest),
        code: code.to_owned(),
    }
}

fn is_in_word(text: &str, at: usize) -> bool {
    text[..at]
        .chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
}

/// The `mod` lines of a text.
fn children(code: &str) -> Vec<String> {
    let name = |line: &str| {
        let line = line.trim();
        let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
        let line = line.strip_prefix("pub(super) ").unwrap_or(line);
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
    };
    code.lines().filter_map(name).collect()
}

/// All paths of a `use` tree, and the name that each is bound to.
fn tree(text: &str, base: &[String], out: &mut Vec<(Names, String)>) {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('{') {
        let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
        let (mut depth, mut from) = (0, 0);
        for (i, c) in inner.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if c == ',' && depth == 0 {
                tree(&inner[from..i], base, out);
                from = i + 1;
            }
        }
        tree(&inner[from..], base, out);
        return;
    }
    if let Some((first, rest)) = text.split_once("::") {
        tree(rest, &[base, &[first.trim().to_owned()]].concat(), out);
        return;
    }
    let (name, bound) = text.split_once(" as ").unwrap_or((text, text));
    if !name.is_empty() {
        let bound = match bound.trim() {
            "self" => base.last().map_or("", String::as_str),
            other => other,
        };
        out.push(([base, &[name.trim().to_owned()]].concat(), bound.to_owned()));
    }
}

/// The paths of a text that begin with `crate::`, `super::` or `self::`.
fn paths(code: &str) -> Vec<Names> {
    let mut out = Vec::new();
    for keyword in ["crate::", "super::", "self::"] {
        for (i, _) in code.match_indices(keyword) {
            if !is_in_word(code, i) {
                let path: String = code[i..]
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
                    .collect();
                let names = path.split("::").filter(|n| !n.is_empty());
                out.push(names.map(str::to_owned).collect());
            }
        }
    }
    out
}

fn program(files: &[(&str, &str)]) -> Modules {
    let modules = files.iter().map(|(path, code)| {
        let names = path.split("::").filter(|n| !n.is_empty());
        let at: Names = names.map(str::to_owned).collect();
        (at, module(code))
    });
    Modules(modules.collect())
}

#[test]
fn imports_lead_to_the_module_that_defines_them() {
    let modules = program(&[
        (
            "",
            "pub mod grid;\nmod input;\npub use input::{open, csv::{self, Table as Rows}};\n",
        ),
        ("grid", "mod axis;\npub use axis::*;\npub struct Grid;\n"),
        ("grid::axis", "pub enum Axis {}\nfn f() { crate::Rows::new() }\n"),
        (
            "input",
            "mod error;\npub(crate) mod csv;\npub use error::InputError;\npub fn open() {}\n",
        ),
        ("input::error", "use super::open;\npub struct InputError;\n"),
        (
            "input::csv",
            "use super::{InputError, super::grid::{Axis, Grid}};\nuse std::fs::File;\npub struct Table;\n",
        ),
    ]);
    let found: Vec<String> = modules
        .imports()
        .into_iter()
        .map(|(at, t)| {
            format!(
                "{} {}.{}",
                at.join("::"),
                t.module.join("::"),
                t.name.unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            " input.open",
            " input::csv.",
            " input::csv.Table",
            "grid grid::axis.",
            "grid::axis input::csv.Table",
            "input input::error.InputError",
            "input::csv grid.Grid",
            "input::csv grid::axis.Axis",
            "input::csv input::error.InputError",
            "input::error input.open",
        ]
    );
    let open = Target {
        module: vec!["input".to_owned()],
        name: Some("open".to_owned()),
    };
    assert!(modules.is_function(&open));
}
