//! Proof: copies of the database put back under load, over either store. It must stay the test CI
//! runs.

use super::proof::ProofPlan;

/// Over the embedded store.
pub(super) const EMBEDDED: ProofPlan = ProofPlan {
    name: "restores",
    about: "copies of the embedded store put back under load and reconciled",
    unit: "restores",
    test: ("restores", "copies_of_the_file_put_back"),
    variables: ("MANILLA_RESTORES", "MANILLA_RESTORES_SEED"),
    environment: &[],
    count: 300,
    part: 30,
    seed: 20_261_124,
    figures: "restores: ",
    violations: &["double effects", "lost"],
};

/// Over PostgreSQL.
pub(super) const POSTGRES: ProofPlan = ProofPlan {
    name: "restores-postgres",
    about: "backups and copies of PostgreSQL put back under load and reconciled",
    test: ("restores", "backups_of_a_server_put_back"),
    seed: 20_261_125,
    ..EMBEDDED
};
