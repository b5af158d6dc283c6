//! Proof: SIGKILL at random moments under load, over either store. It must stay the test CI runs.

use super::proof::ProofPlan;

/// Over the embedded store.
pub(super) const EMBEDDED: ProofPlan = ProofPlan {
    name: "kills",
    about: "SIGKILL at random moments under load, over the embedded store",
    unit: "kills",
    test: ("crash", "kills_under_load"),
    variables: ("MANILLA_KILLS", "MANILLA_KILLS_SEED"),
    environment: &[("MANILLA_TEST_STORE", "embedded")],
    count: 5_000,
    part: 250,
    seed: 20_261_101,
    figures: "kills: ",
    violations: &["double effects", "lost"],
};

/// Over PostgreSQL.
pub(super) const POSTGRES: ProofPlan = ProofPlan {
    name: "kills-postgres",
    about: "SIGKILL at random moments under load, over PostgreSQL",
    environment: &[("MANILLA_TEST_STORE", "postgres")],
    count: 2_000,
    // Each kill leaves a place of an instance taken for 30 seconds, and a database has 64.
    part: 50,
    ..EMBEDDED
};
