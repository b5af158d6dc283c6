//! What a proof is: a test of the suites that reads its size and its seed from variables and prints
//! one line of figures. It must not say how a part is run.

/// One proof.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofPlan {
    /// How it is called, also in docs/TESTING.md.
    pub(super) name: &'static str,
    /// What it shows, in one line.
    pub(super) about: &'static str,
    /// What is counted, in the plural.
    pub(super) unit: &'static str,
    /// The suite of the package `tests`, and the test in it.
    pub(super) test: (&'static str, &'static str),
    /// The variable that says how many, and the one of the seed.
    pub(super) variables: (&'static str, &'static str),
    /// Further variables.
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// How many in all unless `--count` says otherwise.
    pub(super) count: u64,
    /// How many in one part: some minutes.
    pub(super) part: u64,
    pub(super) seed: u64,
    /// How the line of figures begins.
    pub(super) figures: &'static str,
    /// Figures that are violations unless they are 0; the suite fails then, too.
    pub(super) violations: &'static [&'static str],
}
