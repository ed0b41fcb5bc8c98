//! Formulas as `TeX` and matplotlib write them, to marked text.

use super::marks::{END, LOWER, PLACE, RAISE, STACK, is_mark};
use super::symbols::{Class, accent, symbol, variant, written};
use std::iter::Peekable;
use std::str::Chars;

/// Braces in braces end here.
const DEEPEST: usize = 12;

/// Space around operators, and after names and commas.
const MEDIUM: char = '\u{205f}';
const THIN: char = '\u{2009}';
/// A space that no line is broken at.
const FIXED: char = '\u{a0}';

/// The marked text of what lies between two dollar signs; `None` when a part of it is not understood.
pub(super) fn formula(source: &str) -> Option<String> {
    let mut parser = Parser { rest: source.chars().peekable(), depth: 0 };
    let out = parser.list(false, true)?;
    (!out.is_empty()).then_some(out)
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    depth: usize,
}

/// A part of a formula while it is read.
struct Output {
    text: String,
    /// Spaces are set around operators: not in scripts.
    spaced: bool,
    /// The class of the last part; nothing yet: none.
    last: Option<Class>,
    /// A space that the next part brings, if another one follows.
    owed: Option<char>,
    /// The scripts of the last part: those that it has already.
    raised: bool,
    lowered: bool,
}

impl Output {
    fn push(&mut self, class: Class, text: &str) {
        let operand = matches!(self.last, Some(Class::Ordinary | Class::Function));
        // Without an operand before it, a sign belongs to what follows.
        let class = if class == Class::Binary && !operand { Class::Opening } else { class };
        if self.spaced {
            let before = match class {
                Class::Binary | Class::Relation if self.last.is_some() => Some(MEDIUM),
                Class::Function if operand => Some(THIN),
                _ => None,
            };
            let digits = |t: &str| t.starts_with(|c: char| c.is_ascii_digit());
            let owed = self.owed.filter(|_| match self.last {
                Some(Class::Punctuation) => !digits(text),
                Some(Class::Function) => class == Class::Ordinary,
                _ => true,
            });
            self.text.extend(owed.or(before));
            self.owed = match class {
                Class::Binary | Class::Relation => Some(MEDIUM),
                Class::Punctuation | Class::Function => Some(THIN),
                Class::Ordinary | Class::Opening => None,
            };
        }
        self.text.push_str(text);
        self.last = Some(class);
        (self.raised, self.lowered) = (false, false);
    }

    /// Adds a script; `None` when the last part has one there already.
    fn script(&mut self, mark: char, text: &str) -> Option<()> {
        let known = if mark == RAISE { &mut self.raised } else { &mut self.lowered };
        if std::mem::replace(known, true) {
            return None;
        }
        if self.raised && self.lowered {
            self.text.push(STACK);
        }
        self.text.push(mark);
        self.text.push_str(text);
        self.text.push(END);
        // A name with a script still has its space; after another part with one an operator is between operands.
        if self.last != Some(Class::Function) {
            self.last = Some(Class::Ordinary);
        }
        Some(())
    }
}

impl Parser<'_> {
    /// All parts up to the end, or to a closing brace.
    fn list(&mut self, braced: bool, spaced: bool) -> Option<String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut out =
            Output { text: String::new(), spaced, last: None, owed: None, raised: false, lowered: false };
        loop {
            let Some(c) = self.rest.next() else {
                if braced {
                    return None;
                }
                break;
            };
            match c {
                '}' if braced => break,
                '}' => return None,
                // Nothing is closed that was not opened: prose between two amounts of money.
                ')' | ']' if out.last.is_none() && !braced => return None,
                '{' => {
                    let inner = self.list(true, spaced)?;
                    out.push(Class::Ordinary, &inner);
                }
                '^' | '_' => {
                    let script = self.argument()?;
                    match (c, script.as_str()) {
                        ('^', "∘" | "°") => out.push(Class::Ordinary, "°"),
                        ('^', script) => out.script(RAISE, script)?,
                        (_, script) => out.script(LOWER, script)?,
                    }
                }
                '\\' => self.command(&mut out)?,
                '~' => out.text.push(FIXED),
                c if c.is_whitespace() => {}
                c if c == PLACE => out.push(Class::Ordinary, c.encode_utf8(&mut [0; 4])),
                c if is_mark(c) || c.is_control() || c == '$' => return None,
                c => {
                    let (class, drawn) = written(c);
                    out.push(class, drawn.encode_utf8(&mut [0; 4]));
                }
            }
        }
        self.depth -= 1;
        Some(out.text)
    }

    /// Argument of a script or a command: braces, a command or a character. In scripts nothing is spaced.
    fn argument(&mut self) -> Option<String> {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
        match self.rest.next()? {
            '{' => self.list(true, false),
            '\\' => {
                let mut out = Output {
                    text: String::new(),
                    spaced: false,
                    last: None,
                    owed: None,
                    raised: false,
                    lowered: false,
                };
                self.command(&mut out)?;
                Some(out.text)
            }
            c if c == PLACE => Some(c.to_string()),
            c if is_mark(c) || c.is_control() || matches!(c, '}' | '^' | '_' | '$') => None,
            c => Some(written(c).1.to_string()),
        }
    }

    fn command(&mut self, out: &mut Output) -> Option<()> {
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(char::is_ascii_alphabetic) {
            name.push(c);
        }
        if name.is_empty() {
            match self.rest.next()? {
                c @ ('$' | '%' | '#' | '&' | '_' | '}') => {
                    out.push(Class::Ordinary, c.encode_utf8(&mut [0; 4]));
                }
                '{' => out.push(Class::Opening, "{"),
                '|' => out.push(Class::Ordinary, "‖"),
                ',' => out.text.push(THIN),
                ':' | '>' | ';' => out.text.push(MEDIUM),
                ' ' => out.text.push(FIXED),
                '!' => {}
                _ => return None,
            }
            return Some(());
        }
        if let Some((class, sign)) = symbol(&name) {
            out.push(class, sign);
            return Some(());
        }
        if let Some(mark) = accent(&name) {
            let base = self.argument()?;
            let one = base.chars().count() == 1 && !base.contains(PLACE);
            out.push(Class::Ordinary, &format!("{}{mark}", one.then_some(base)?));
            return Some(());
        }
        match name.as_str() {
            // Brackets have one size.
            "left" | "right" | "big" | "Big" | "displaystyle" | "textstyle" | "limits" => {
                if name == "left" || name == "right" {
                    self.rest.next_if_eq(&'.');
                }
            }
            "text" | "textrm" | "mbox" | "operatorname" => {
                let words = self.words()?;
                let class = if name == "operatorname" { Class::Function } else { Class::Ordinary };
                out.push(class, &words);
            }
            // All letters are upright.
            "mathrm" | "mathit" | "mathsf" | "mathregular" | "mathdefault" => {
                let inner = self.argument()?;
                out.push(Class::Ordinary, &inner);
            }
            "mathbb" | "mathcal" | "mathscr" => {
                let base = self.argument()?;
                let letters: Option<String> = base.chars().map(|c| variant(&name, c)).collect();
                out.push(Class::Ordinary, &letters?);
            }
            "frac" | "tfrac" | "dfrac" => {
                let (over, under) = (self.argument()?, self.argument()?);
                out.push(Class::Ordinary, &format!("{}/{}", grouped(&over), grouped(&under)));
            }
            "sqrt" if self.rest.peek() != Some(&'[') => {
                let inner = self.argument()?;
                out.push(Class::Ordinary, &format!("√{}", grouped(&inner)));
            }
            _ => return None,
        }
        Some(())
    }

    /// Words in braces, their spaces kept.
    fn words(&mut self) -> Option<String> {
        self.rest.next_if_eq(&'{')?;
        let mut out = String::new();
        loop {
            match self.rest.next()? {
                '}' => return Some(out),
                '{' => return None,
                '\\' => {
                    out.push(self.rest.next_if(|c| matches!(c, '$' | '%' | '#' | '&' | '_' | '{' | '}'))?);
                }
                c if c.is_whitespace() => out.push(FIXED),
                c if c == '$' || is_mark(c) && c != PLACE || c.is_control() => return None,
                c => out.push(c),
            }
        }
    }
}

/// A part of a formula beside a stroke: in brackets unless it is one name or number.
fn grouped(text: &str) -> String {
    let simple = text.chars().all(|c| c.is_alphanumeric() || is_mark(c) || c == '.');
    if simple || text.chars().count() == 1 { text.to_owned() } else { format!("({text})") }
}

#[cfg(test)]
mod tests;
