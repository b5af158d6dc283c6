//! Whether the pepper and the key ring are those that the store was used with. Nothing may be
//! served or changed with others: no API key would be recognised, and what is sealed meanwhile
//! could be opened by no other instance.

use std::sync::Arc;

use anyhow::anyhow;
use application::credentials::Pepper;
use application::operators::fingerprint;
use key_ring::KeyRing;
use ports::PortError;
use ports::secret_proofs::{SecretKind, SecretProof, SecretProofs};
use storage_sql::row_macs::RowsWithoutCode;

use super::storage::Storage;
use crate::config::Config;

/// What the secrets of this process make of a constant.
pub(super) fn proofs(pepper: &Pepper, ring: &KeyRing) -> Vec<SecretProof> {
    let of_pepper = SecretProof {
        kind: SecretKind::Pepper,
        generation: 1,
        proof: pepper.proof(),
    };
    let of_keys = ring.proofs().map(|(generation, proof)| SecretProof {
        kind: SecretKind::Key,
        generation,
        proof,
    });
    std::iter::once(of_pepper).chain(of_keys).collect()
}

/// Refuses secrets that are not those of the store. Answers the proofs of those it was used with.
pub(super) async fn check(
    store: &dyn SecretProofs,
    ours: &[SecretProof],
    config: &Config,
) -> anyhow::Result<Vec<SecretProof>> {
    let accepted = store.accepted_proofs().await?;
    let differs = accepted.iter().find_map(|it| Difference::between(it, ours));
    differs.map_or(Ok(accepted), |it| Err(it.refusal(config)))
}

/// Has the store know which secrets it is used with, from the first use on, and refuses those of a
/// process that was later than another in the same moment.
pub(super) async fn keep(
    store: &dyn SecretProofs,
    ours: &[SecretProof],
    config: &Config,
) -> anyhow::Result<()> {
    // Of a process that is refused nothing is added: no other could have all of it.
    let accepted = check(store, ours, config).await?;
    if ours.iter().all(|it| accepted.contains(it)) {
        return Ok(());
    }
    store.add_proofs(ours).await?;
    check(store, ours, config).await.map(drop)
}

/// Whether rows have authentication codes under secrets that were just accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowCodes {
    /// They have.
    Given,
    /// They are refused until they have.
    ToBeGiven,
}

/// The secrets of this process, which an operator may accept in place of those of the store.
#[derive(Debug)]
pub(crate) struct AcceptedSecrets {
    storage: Storage,
    store: Arc<dyn SecretProofs>,
    ours: Vec<SecretProof>,
}

impl AcceptedSecrets {
    pub(super) fn new(storage: Storage, ours: Vec<SecretProof>) -> Self {
        Self {
            store: storage.ports().secret_proofs,
            storage,
            ours,
        }
    }

    /// Whether the store was used with all of them, and with no others.
    pub(crate) async fn are_those_of_the_store(&self) -> Result<bool, PortError> {
        let accepted = self.store.accepted_proofs().await?;
        Ok(accepted == self.ours)
    }

    /// What distinguishes them from others in the operators' log.
    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(&format!("{:?}", self.ours))
    }

    /// Accepts them in place of those before. The rows of a file are given codes under them; those
    /// of a shared database wait for its owner, who alone may change what never changes.
    pub(crate) async fn accept(&self) -> anyhow::Result<RowCodes> {
        self.store.replace_proofs(&self.ours).await?;
        match self.storage {
            Storage::Embedded(_) => {
                self.storage
                    .authenticate_rows(RowsWithoutCode::Altered)
                    .await?;
                Ok(RowCodes::Given)
            }
            Storage::Shared(_) => Ok(RowCodes::ToBeGiven),
        }
    }
}

/// How secrets differ from those of the store.
enum Difference {
    Pepper,
    OtherKey(u32),
    MissingKey(u32),
}

impl Difference {
    /// How ours differ from a proof of the store.
    fn between(accepted: &SecretProof, ours: &[SecretProof]) -> Option<Self> {
        let mut ours = ours.iter();
        let found =
            ours.find(|it| (it.kind, it.generation) == (accepted.kind, accepted.generation));
        match (found, accepted.kind) {
            (Some(found), _) if found.proof == accepted.proof => None,
            (_, SecretKind::Pepper) => Some(Self::Pepper),
            (Some(_), SecretKind::Key) => Some(Self::OtherKey(accepted.generation)),
            (None, SecretKind::Key) => Some(Self::MissingKey(accepted.generation)),
        }
    }

    fn refusal(&self, config: &Config) -> anyhow::Error {
        let data = config.data.display();
        let ring = match config.keys {
            Some(_) => "the key ring of secrets.keys".to_owned(),
            None => format!("the key ring in {data}"),
        };
        let keys_remedy = "put the file `keys` there that belongs to this store, from an instance \
                           that works or from a backup, or set secrets.keys; if it is lost for \
                           good, an operator accepts this one with `manilla key-ring accept` (of \
                           a copy `manilla restore --accept-secrets`), and nothing of what was \
                           sealed before can be opened";
        match self {
            Self::Pepper => {
                let pepper = match config.pepper {
                    Some(_) => "secrets.pepper".to_owned(),
                    None => format!("the one in {data}"),
                };
                anyhow!(
                    "API keys in this store are hashed under another pepper than {pepper}; copy \
                     the file `pepper` from the data folder of an instance that works or from a \
                     backup, or set secrets.pepper; if it is lost for good, an operator accepts \
                     this one with `manilla key-ring accept` (of a copy `manilla restore \
                     --accept-secrets`), and every account needs a new key"
                )
            }
            Self::OtherKey(generation) => anyhow!(
                "{ring} is not that of this store: generation {generation} is another key; \
                 {keys_remedy}"
            ),
            Self::MissingKey(generation) => anyhow!(
                "{ring} lacks generation {generation}, which this store was used with; \
                 {keys_remedy}"
            ),
        }
    }
}
