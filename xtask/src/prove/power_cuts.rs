//! Proof: images of the embedded store as a power cut leaves them. It must stay the test CI runs.

use super::proof::ProofPlan;

pub(super) const PROOF: ProofPlan = ProofPlan {
    name: "power-cuts",
    about: "images of the data folder as a power cut leaves it, made from a record of all writes",
    unit: "images",
    test: ("power_cut", "what_was_acknowledged_survives"),
    variables: ("MANILLA_POWER_CUTS", "MANILLA_POWER_CUTS_SEED"),
    environment: &[],
    count: 10_000,
    part: 500,
    seed: 20_261_122,
    figures: "images: ",
    violations: &["lost"],
};
