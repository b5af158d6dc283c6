//! Proof: steps of the clock and pauses of the process under load. It must stay the test CI runs.

use super::proof::ProofPlan;

pub(super) const PROOF: ProofPlan = ProofPlan {
    name: "clock-steps",
    about: "steps of the clock by seconds to days and pauses of the process, under load",
    unit: "steps",
    test: ("clock", "steps_of_the_clock"),
    variables: ("MANILLA_CLOCK_STEPS", "MANILLA_CLOCK_STEPS_SEED"),
    environment: &[],
    count: 500,
    part: 25,
    seed: 20_261_123,
    figures: "steps of the clock: ",
    violations: &[
        "double effects",
        "lost",
        "failed and delivered",
        "stuck",
        "report and provider differ",
        "turned away",
    ],
};
