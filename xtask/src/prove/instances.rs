//! Proof: SIGKILL of one of three instances under load. It must stay the test CI runs.

use super::proof::ProofPlan;

pub(super) const PROOF: ProofPlan = ProofPlan {
    name: "instances",
    about: "SIGKILL of one of three instances over one database, the others serve on",
    unit: "kills",
    test: ("instances", "instances_killed"),
    variables: ("MANILLA_KILLS", "MANILLA_KILLS_SEED"),
    environment: &[],
    count: 2_000,
    part: 100,
    seed: 20_261_121,
    figures: "instances: ",
    violations: &["double effects", "lost"],
};
