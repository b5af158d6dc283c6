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

/// Over the embedded store, with the provider in a process of its own.
pub(super) const EMBEDDED_BESIDE: ProofPlan = ProofPlan {
    name: "kills-provider",
    about: "SIGKILL of the gateway beside a provider process, over the embedded store",
    test: ("crash", "beside_a_provider_process_kills"),
    count: 1_000,
    part: 100,
    ..EMBEDDED
};

/// The same over PostgreSQL.
pub(super) const POSTGRES_BESIDE: ProofPlan = ProofPlan {
    name: "kills-provider-postgres",
    about: "SIGKILL of the gateway beside a provider process, over PostgreSQL",
    environment: &[("MANILLA_TEST_STORE", "postgres")],
    part: 50,
    ..EMBEDDED_BESIDE
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

/// Under a load that mixes all families, over the embedded store.
pub(super) const FAMILIES: ProofPlan = ProofPlan {
    name: "kills-families",
    about: "SIGKILL under a load that mixes all families, over the embedded store",
    test: ("crash", "kills_with_every_family"),
    count: 200,
    // What is left of a part takes a minute: files of reports wait for the claims on them.
    part: 50,
    ..EMBEDDED
};

/// The same over PostgreSQL.
pub(super) const FAMILIES_POSTGRES: ProofPlan = ProofPlan {
    name: "kills-families-postgres",
    about: "SIGKILL under a load that mixes all families, over PostgreSQL",
    environment: &[("MANILLA_TEST_STORE", "postgres")],
    ..FAMILIES
};
