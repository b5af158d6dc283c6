//! Seeded chance: the same seed makes the same choices, so that a run can be looked at again. It
//! must not be used for anything secret.

/// A stream of numbers (splitmix64).
#[derive(Debug, Clone)]
pub struct SeededRng(u64);

impl SeededRng {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The seed a variable of the environment names, or the given one; printed, so that a failed
    /// run can be repeated.
    #[expect(
        clippy::print_stderr,
        reason = "the seed of a failed run is how to repeat it"
    )]
    #[must_use]
    pub fn from_environment(variable: &str, default: u64) -> Self {
        let seed = std::env::var(variable).ok();
        let seed = seed.map_or(default, |text| text.parse().expect("a seed is a number"));
        eprintln!("seed: {variable}={seed}");
        Self(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound − 1`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.number() % bound
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        let index = self.below(choices.len() as u64);
        &choices[usize::try_from(index).unwrap()]
    }

    /// A stream of its own for another task.
    #[must_use]
    pub fn split(&mut self) -> Self {
        Self(self.number())
    }
}
