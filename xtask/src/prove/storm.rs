//! Proof: clients that hang up whenever they like. It must stay the test CI runs.

use super::proof::ProofPlan;

pub(super) const PROOF: ProofPlan = ProofPlan {
    name: "storm",
    about: "clients that hang up in the middle of a request or while they wait",
    unit: "clients",
    test: ("crash", "clients_that_hang_up"),
    variables: ("MANILLA_STORM", "MANILLA_STORM_SEED"),
    environment: &[],
    count: 200_000,
    part: 10_000,
    seed: 500,
    figures: "hung up: ",
    violations: &[],
};
