//! Ports that every store implements together, under one name each.

use ports::audit::Audit;
use ports::backlog::Backlog;
use ports::balance_readings::BalanceReadings;
use ports::catalogue_versions::CatalogueVersions;
use ports::change_requests::ChangeRequestStore;
use ports::float::ProviderFloats;
use ports::float_tranches::FloatTranches;
use ports::operators::OperatorLog;
use ports::provider_environments::ProviderEnvironments;
use ports::secret_proofs::SecretProofs;

/// What a store keeps of what operators ask for and set.
pub trait OperatorPorts:
    ChangeRequestStore
    + OperatorLog
    + CatalogueVersions
    + ProviderEnvironments
    + SecretProofs
    + Backlog
    + Audit
{
}

impl<S> OperatorPorts for S where
    S: ChangeRequestStore
        + OperatorLog
        + CatalogueVersions
        + ProviderEnvironments
        + SecretProofs
        + Backlog
        + Audit
{
}

/// What a store keeps of our money at providers.
pub trait FloatPorts: ProviderFloats + BalanceReadings + FloatTranches {}

impl<S: ProviderFloats + BalanceReadings + FloatTranches> FloatPorts for S {}
