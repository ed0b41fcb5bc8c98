//! Formulas as `TeX` and matplotlib write them, to marked text.

use super::rich::{END, LOWER, PLACE, RAISE, STACK, is_mark};
use Class::{Binary, Function, Opening, Ordinary, Relation};
use std::iter::Peekable;
use std::str::Chars;

/// Braces in braces end here.
const DEEPEST: usize = 12;

/// Space around operators, and after names and commas.
const MEDIUM: char = '\u{205f}';
const THIN: char = '\u{2009}';
/// A space that no line is broken at.
const FIXED: char = '\u{a0}';

/// The marked text of a formula between two dollar signs; `None` when a part of it is not understood.
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

/// How a symbol is spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter, a digit, a closing bracket: no space of its own.
    Ordinary,
    /// Between two operands: space on both sides.
    Binary,
    /// Between two sides of a formula: space on both sides.
    Relation,
    /// An opening bracket.
    Opening,
    /// A comma or a semicolon: space after it.
    Punctuation,
    /// The name of a function: space before an operand.
    Function,
}

/// The commands with one character each.
const SYMBOLS: &[(Class, &str)] = &[
    (
        Ordinary,
        "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ \
         lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ \
         varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ \
         Omega Ω infty ∞ degree ° circ ∘ partial ∂ nabla ∇ forall ∀ exists ∃ neg ¬ emptyset ∅ \
         varnothing ∅ ell ℓ hbar ℏ prime ′ ldots … dots … cdots ⋯ vdots ⋮ Re ℜ Im ℑ aleph ℵ top ⊤ bot ⊥ dagger † \
         ddagger ‡ bullet • rangle ⟩ rfloor ⌋ rceil ⌉ Vert ‖ vert | backslash \\ checkmark ✓ star ⋆ square □ \
         triangle △ angle ∠ S § P ¶",
    ),
    (
        Binary,
        "times × cdot · pm ± mp ∓ div ÷ ast ∗ cup ∪ cap ∩ wedge ∧ land ∧ vee ∨ lor ∨ oplus ⊕ ominus ⊖ otimes ⊗ \
         odot ⊙ setminus ∖",
    ),
    (
        Relation,
        "leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ sim ∼ simeq ≃ cong ≅ equiv ≡ propto ∝ ll ≪ gg ≫ lesssim ≲ \
         gtrsim ≳ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ to → rightarrow → leftarrow ← gets ← \
         leftrightarrow ↔ Rightarrow ⇒ implies ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ mapsto ↦ uparrow ↑ \
         downarrow ↓ mid ∣ parallel ∥ perp ⊥ lt < gt >",
    ),
    (Function, "sum ∑ prod ∏ int ∫"),
    (Opening, "langle ⟨ lfloor ⌊ lceil ⌈"),
];

/// The names of functions, set as they are.
const FUNCTIONS: &str = "log ln lg exp sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth min max arg \
                         argmin argmax sup inf lim det dim ker deg gcd Pr";

/// Accents: the character that combines with the one before it.
const ACCENTS: &str = "hat \u{302} widehat \u{302} bar \u{304} tilde \u{303} widetilde \u{303} dot \u{307} ddot \u{308} \
                       vec \u{20d7} check \u{30c} acute \u{301} grave \u{300} breve \u{306}";

/// Spaces of some width.
const SPACES: &str = "quad \u{2003} qquad \u{2003}\u{2003} thinspace \u{2009}";

fn of_list<'a>(list: &'a str, name: &str) -> Option<&'a str> {
    let mut words = list.split(' ').filter(|w| !w.is_empty());
    while let Some(known) = words.next() {
        let sign = words.next()?;
        if known == name {
            return Some(sign);
        }
    }
    None
}

/// Meaning of a command without arguments.
pub(super) fn symbol(name: &str) -> Option<(Class, &'static str)> {
    if let Some(function) = FUNCTIONS.split(' ').find(|f| *f == name) {
        return Some((Function, function));
    }
    let space = of_list(SPACES, name).map(|s| (Opening, s));
    space.or_else(|| SYMBOLS.iter().find_map(|(class, list)| Some((*class, of_list(list, name)?))))
}

/// What a command of mathematics without arguments shows: `×` of `times`.
pub fn sign(name: &str) -> Option<&'static str> {
    symbol(name).map(|(_, sign)| sign)
}

/// The combining character of an accent.
fn accent(name: &str) -> Option<&'static str> {
    of_list(ACCENTS, name)
}

/// A letter with a double stroke, of `\mathbb`, or of `\mathcal`, where there is one.
pub(super) fn variant(command: &str, letter: char) -> Option<char> {
    let special = match command {
        "mathbb" => "Cℂ Hℍ Nℕ Pℙ Qℚ Rℝ Zℤ",
        "mathcal" | "mathscr" => "Bℬ Eℰ Fℱ Hℋ Iℐ Lℒ Mℳ Rℛ",
        _ => return None,
    };
    let known = special.split(' ').find(|p| p.starts_with(letter));
    let known = known.and_then(|p| p.chars().nth(1));
    let further = (command == "mathbb" && letter.is_ascii_uppercase())
        .then(|| char::from_u32(0x1d538 + u32::from(letter) - u32::from('A')));
    known.or(further.flatten())
}

/// The class of a character that is written as itself, and the character that is drawn for it.
pub(super) fn written(c: char) -> (Class, char) {
    match c {
        '-' | '\u{2212}' => (Binary, '\u{2212}'),
        '*' => (Binary, '∗'),
        '\'' => (Ordinary, '′'),
        '+' | '±' | '×' | '·' | '÷' | '∓' => (Binary, c),
        '=' | '<' | '>' | '≤' | '≥' | '≠' | '≈' | '∼' | '→' | '∈' => (Relation, c),
        '(' | '[' => (Opening, c),
        ',' | ';' => (Class::Punctuation, c),
        c => (Ordinary, c),
    }
}

#[cfg(test)]
mod symbols_tests {
    use super::*;

    #[test]
    fn every_command_is_listed_once_and_has_a_sign() {
        let mut names: Vec<&str> = FUNCTIONS.split(' ').collect();
        for (_, list) in SYMBOLS {
            let words: Vec<&str> = list.split_whitespace().collect();
            assert!(words.len().is_multiple_of(2), "{list}");
            for pair in words.chunks(2) {
                assert!(pair[0].chars().all(|c| c.is_ascii_alphabetic()), "{pair:?}");
                assert_eq!(pair[1].chars().count(), 1, "{pair:?}");
                names.push(pair[0]);
            }
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(symbol("alpha"), Some((Ordinary, "α")));
        assert_eq!(symbol("alph"), None);
    }
}

#[cfg(test)]
mod tests;
