//! What a copy of the embedded store is opened with. It must make no key: a copy is only read with
//! those that it was written with.

use std::path::Path;

use anyhow::{anyhow, bail};
use key_ring::KeyRing;
use ports::reconciliation::{Clearance, Reconciliation as _};
use ports::secret_proofs::{SecretProof, SecretProofs as _};
use storage_sql::field_cipher::FieldCipher;
use storage_sql::row_macs::RowsWithoutCode;

use super::inspection::stored_pepper;
use super::row_codes::warn_of_unbalanced;
use super::{journal, store_secrets};
use crate::config::Config;
use crate::entropy;

/// What is done with a copy that was used with other secrets.
#[derive(Debug, Clone, Copy)]
enum OtherSecrets {
    /// It is not opened.
    Refused,
    /// Those there are count from now on.
    Replaced,
}

/// What a copy of the database is opened with: keys that are there already.
#[derive(Debug)]
pub(crate) struct KeptSecrets {
    ring: KeyRing,
    proofs: Vec<SecretProof>,
    /// What is done with a copy that was used with others.
    others: OtherSecrets,
}

/// The keys of a data folder, or of the settings. None is made: a copy of the database is only read
/// with those that it was written with.
pub(crate) fn kept_secrets(config: &Config) -> anyhow::Result<KeptSecrets> {
    let data = &config.data;
    if !data.is_dir() {
        bail!(
            "there is no folder {}; name the data folder with --data, with the files `pepper` and \
             `keys` that belong to the copy",
            data.display()
        );
    }
    let pepper = stored_pepper(config)?;
    let ring = journal::known_ring(config)?.ok_or_else(|| {
        anyhow!(
            "{} holds no key ring, the file `keys`, and what is sealed in the copy cannot be \
             opened without; put it there first",
            data.display()
        )
    })?;
    let proofs = store_secrets::proofs(&pepper, &ring);
    Ok(KeptSecrets {
        ring,
        proofs,
        others: OtherSecrets::Refused,
    })
}

impl KeptSecrets {
    /// The same in place of those that a copy was used with.
    pub(crate) fn accepted_for_the_copy(self) -> Self {
        Self {
            others: OtherSecrets::Replaced,
            ..self
        }
    }

    /// Suspends payments in the database of a folder, until a person says that they may go on.
    pub(crate) async fn suspend(
        &self,
        (folder, because): (&Path, &str),
        config: &Config,
    ) -> anyhow::Result<()> {
        let cipher = FieldCipher::new(&self.ring, entropy::bytes()?);
        let options = sqlite::SqliteOptions::default();
        let store = sqlite::SqliteStore::connect(folder, options, cipher).await?;
        let suspended = async {
            match self.others {
                OtherSecrets::Refused => {
                    drop(store_secrets::check(&store, &self.proofs, config).await?);
                }
                OtherSecrets::Replaced => {
                    store.replace_proofs(&self.proofs).await?;
                    let given = store.authenticate_rows(RowsWithoutCode::Altered).await?;
                    warn_of_unbalanced(&given);
                }
            }
            Ok(store.suspend(because, Clearance::Person).await?)
        };
        let suspended = suspended.await;
        store.close().await;
        suspended
    }
}
