//! Random cases, the same in every run; `GRIDSCOPE_CASES` is their number.

/// The number of cases of a property: the variable, or a default.
pub fn cases(usual: u64) -> u64 {
    let named = std::env::var("GRIDSCOPE_CASES").ok();
    named.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// `SplitMix64` with any seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

/// Types of whole numbers that [`Random`] returns.
pub trait Whole: Copy {
    /// The number with more bits.
    fn wide(self) -> i128;
    /// The number with fewer bits.
    fn of(wide: i128) -> Self;
}

macro_rules! whole {
    ($($t:ty),*) => {
        $(impl Whole for $t {
            fn wide(self) -> i128 {
                self as i128
            }

            fn of(wide: i128) -> Self {
                wide as $t
            }
        })*
    };
}
whole!(i32, i64, u32, u64, usize);

impl Random {
    /// Any number of 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number below `n`; 0 if `n` is 0.
    pub fn below<T: Whole>(&mut self, n: T) -> T {
        T::of(i128::from(self.bits()) % n.wide().max(1))
    }

    /// A whole number of `a..=b`.
    pub fn within<T: Whole>(&mut self, a: T, b: T) -> T {
        T::of(a.wide() + i128::from(self.bits()) % (b.wide() - a.wide() + 1))
    }

    /// A number of 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// A random element of a list.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
