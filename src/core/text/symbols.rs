//! The commands of formulas and the characters that they mean.

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

use Class::{Binary, Function, Opening, Ordinary, Relation};

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

/// The combining character of an accent.
pub(super) fn accent(name: &str) -> Option<&'static str> {
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
mod tests {
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
