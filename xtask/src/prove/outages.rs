//! Proof: crashes of the database under load. It must stay the test CI runs.

use super::proof::ProofPlan;

pub(super) const PROOF: ProofPlan = ProofPlan {
    name: "outages",
    about: "immediate stops of PostgreSQL under load, the gateway runs on",
    unit: "crashes",
    test: ("database", "a_database_that_crashes_under_load"),
    variables: ("MANILLA_CRASHES", "MANILLA_CRASHES_SEED"),
    environment: &[],
    count: 500,
    part: 25,
    seed: 53,
    figures: "crashes of the database: ",
    violations: &["double effects", "lost"],
};
