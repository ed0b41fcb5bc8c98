//! States of cells without a value.

/// A cell without a value. Each is a NaN payload in the stored f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// A row or element without a value.
    Nan,
    /// Hidden by `--mask` or `--nodata`.
    Masked,
    /// A run that has not ended.
    Pending,
    /// A value that a baseline does not have.
    Appeared,
    /// A value that only a baseline has.
    Vanished,
    /// No row, no chunk.
    Absent,
}

/// The bit pattern of a cell without a value; the other states add to it.
const NAN_BITS: u32 = 0x7fc0_0000;

impl State {
    /// In the order in which a pixel that holds only states shows the first.
    pub const ALL: [State; 6] =
        [State::Nan, State::Masked, State::Pending, State::Appeared, State::Vanished, State::Absent];

    /// The stored bit pattern.
    pub const fn bits(self) -> u32 {
        match self {
            State::Nan => NAN_BITS,
            State::Absent => NAN_BITS | 1,
            State::Masked => NAN_BITS | 2,
            State::Pending => NAN_BITS | 3,
            State::Appeared => NAN_BITS | 4,
            State::Vanished => NAN_BITS | 5,
        }
    }

    /// The state of a stored bit pattern, `None` for a value. A foreign NaN reads as [`State::Nan`].
    pub const fn of_bits(bits: u32) -> Option<State> {
        if bits & 0x7fff_ffff <= 0x7f80_0000 {
            return None;
        }
        Some(match bits {
            0x7fc0_0001 => State::Absent,
            0x7fc0_0002 => State::Masked,
            0x7fc0_0003 => State::Pending,
            0x7fc0_0004 => State::Appeared,
            0x7fc0_0005 => State::Vanished,
            _ => State::Nan,
        })
    }

    /// Stored bits of a source's number: every NaN, whatever its payload, becomes [`State::Nan`].
    pub(super) const fn cleaned(bits: u32) -> u32 {
        if State::of_bits(bits).is_some() { State::Nan.bits() } else { bits }
    }

    /// The first of some states, which have bit [`State::index`] set, in the order of [`State::ALL`].
    pub(super) fn first_of(states: u8) -> State {
        State::ALL.into_iter().find(|s| states & (1 << s.index()) != 0).unwrap_or(State::Nan)
    }

    /// Its place in [`State::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The words of the key beside a figure.
    pub const fn key_text(self) -> &'static str {
        match self {
            State::Nan => "no value",
            State::Absent => "no data",
            State::Masked => "masked",
            State::Pending => "pending",
            State::Appeared => "not in baseline",
            State::Vanished => "only in baseline",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_read_back_and_infinity_is_a_value() {
        for s in State::ALL {
            assert_eq!(State::of_bits(s.bits()), Some(s));
            assert!(f32::from_bits(s.bits()).is_nan());
        }
        assert_eq!(State::of_bits(f32::INFINITY.to_bits()), None);
        assert_eq!(State::of_bits(f32::NEG_INFINITY.to_bits()), None);
        assert_eq!(State::of_bits(0xffff_ffff), Some(State::Nan));
    }
}
