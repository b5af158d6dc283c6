//! Proof: every fault between the gateway and a provider process, with every product, over real
//! sockets. It must stay the test CI runs.

use super::proof::ProofPlan;

/// Beside a provider that seals what it never saw.
pub(super) const SEALING: ProofPlan = ProofPlan {
    name: "faults",
    about: "14 faults with every product over real sockets, beside a provider that seals",
    unit: "rounds",
    test: (
        "provider_protocol",
        "faults_at_a_provider_that_seals_lose_nothing",
    ),
    variables: ("MANILLA_FAULTS", "MANILLA_FAULTS_SEED"),
    environment: &[],
    count: 20,
    part: 1,
    seed: 1,
    figures: "cells: ",
    violations: &["double effects", "lost"],
};

/// Beside providers of the other kinds, whose times clocks that are set make pass.
pub(super) const KINDS: ProofPlan = ProofPlan {
    name: "faults-kinds",
    about: "the same beside providers of the other kinds, another for each family with each seed",
    test: (
        "provider_protocol",
        "faults_at_providers_of_every_other_kind",
    ),
    ..SEALING
};
