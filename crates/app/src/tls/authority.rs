//! The local certificate authority of one data folder. It must be able to vouch for nothing but the
//! names of this gateway and addresses of private networks; its key must never leave its folder.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use domain::time::Timestamp;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, KeyPair, KeyUsagePurpose,
};
use serde::{Deserialize, Serialize};

use super::{CA_FILE, DAY, FOLDER, good_until, permitted};
use crate::files::{self, FileAccess};
use crate::output;

/// How long its certificate is good for.
const LIFE: Duration = Duration::from_hours(24 * 730);

/// How long before its end it is published again, under the same key: clients trust either of the
/// two until the first one ends, so they have this long to fetch the second.
const RENEW_BEFORE: Duration = Duration::from_hours(24 * 365);

pub(super) const KEY_FILE: &str = "ca-key.pem";
const RECORD_FILE: &str = "ca.json";

/// The authority.
pub(super) struct CertificateAuthority {
    pub(super) params: CertificateParams,
    pub(super) key: KeyPair,
}

/// What was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    /// The names it may vouch for, beside what every local authority may.
    names: BTreeSet<String>,
    ends_ms: i64,
    id: String,
}

/// Why a certificate of the authority is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// There is none, or it is of another key.
    Missing,
    /// It ends within a year.
    Ending,
    /// It begins later than now: the clock was set back.
    NotYet,
    /// It may not vouch for a name.
    Names,
}

impl CertificateAuthority {
    fn new(key: KeyPair) -> Self {
        Self {
            params: params(&key),
            key,
        }
    }

    /// Its unique identifier.
    pub(super) fn id(&self) -> String {
        output::hex(&self.params.key_identifier(&self.key))
    }

    /// Publishes its certificate where clients find it, unless the one that is there will do.
    fn ensure_published(
        &self,
        data: &Path,
        names: &BTreeSet<String>,
        now: Timestamp,
    ) -> anyhow::Result<()> {
        let names = permitted::beside_local(names);
        let reason = match published(data)?.filter(|record| record.id == self.id()) {
            None => Reason::Missing,
            Some(record) => match reason(&record, &names, now) {
                None => return Ok(()),
                Some(reason) => reason,
            },
        };
        let is_first = !is_published(data)?;
        self.publish(data, names, now)?;
        if !is_first {
            tracing::warn!(
                ?reason,
                "the certificate of the local authority was made again: have clients trust the \
                 new {CA_FILE}"
            );
        }
        Ok(())
    }

    /// The record goes first and comes last: half a publication is none.
    fn publish(&self, data: &Path, names: BTreeSet<String>, now: Timestamp) -> anyhow::Result<()> {
        let ends = now.plus(LIFE);
        let mut params = self.params.clone();
        good_until(&mut params, now, ends);
        params.name_constraints = Some(permitted::constraints(&names));
        let certificate = params.self_signed(&self.key)?;
        let record = Record {
            names,
            ends_ms: ends.as_millis(),
            id: self.id(),
        };
        let (path, noted) = (data.join(CA_FILE), data.join(FOLDER).join(RECORD_FILE));
        let write = || -> anyhow::Result<()> {
            files::remove(&noted)?;
            files::replace(&path, certificate.pem().as_bytes(), FileAccess::Public)?;
            files::replace(&noted, &serde_json::to_vec(&record)?, FileAccess::Public)?;
            Ok(())
        };
        write().with_context(|| format!("{} cannot be written", path.display()))
    }
}

/// Why a certificate that was published will not do, if it will not.
fn reason(record: &Record, names: &BTreeSet<String>, now: Timestamp) -> Option<Reason> {
    let left = Timestamp::from_millis(record.ends_ms).since(now);
    if left < RENEW_BEFORE {
        Some(Reason::Ending)
    } else if left > LIFE.saturating_add(DAY) {
        Some(Reason::NotYet)
    } else if !names.is_subset(&record.names) {
        Some(Reason::Names)
    } else {
        None
    }
}

/// What is known of the certificate that was published. What cannot be read counts as nothing: the
/// certificate is made again.
fn published(data: &Path) -> anyhow::Result<Option<Record>> {
    let record = files::read(&data.join(FOLDER).join(RECORD_FILE))?;
    let record = record.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(record.filter(|_| data.join(CA_FILE).exists()))
}

/// Whether clients have a certificate of an authority to trust.
pub(super) fn is_published(data: &Path) -> anyhow::Result<bool> {
    Ok(files::read(&data.join(CA_FILE))?.is_some())
}

/// The authority of a data folder, if its key is there.
pub(super) fn stored_authority(
    data: &Path,
    names: &BTreeSet<String>,
    now: Timestamp,
) -> anyhow::Result<Option<CertificateAuthority>> {
    let path = data.join(FOLDER).join(KEY_FILE);
    let unusable = || {
        format!(
            "the key of the local authority, {}, cannot be used; remove it to have a new authority \
             made, which clients must then trust",
            path.display()
        )
    };
    let Some(bytes) = files::read(&path).with_context(unusable)? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes).with_context(unusable)?;
    let authority = CertificateAuthority::new(KeyPair::from_pem(&text).with_context(unusable)?);
    authority.ensure_published(data, names, now)?;
    Ok(Some(authority))
}

/// A new authority, in the place of one whose key is not there any more.
pub(super) fn make(
    data: &Path,
    names: &BTreeSet<String>,
    now: Timestamp,
) -> anyhow::Result<CertificateAuthority> {
    let folder = data.join(FOLDER);
    let unwritable = || format!("{} cannot be written", folder.display());
    files::private_folder(&folder).with_context(unwritable)?;
    let authority = CertificateAuthority::new(KeyPair::generate()?);
    let key = authority.key.serialize_pem();
    files::replace(&folder.join(KEY_FILE), key.as_bytes(), FileAccess::Private)
        .with_context(unwritable)?;
    authority.ensure_published(data, names, now)?;
    Ok(authority)
}

/// What every certificate of the authority says. The name contains a part of the key's digest, so
/// that clients can distinguish two installations they trust.
fn params(key: &KeyPair) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let digest: String = output::hex(&params.key_identifier(key))
        .chars()
        .take(8)
        .collect();
    let mut name = DistinguishedName::new();
    name.push(DnType::OrganizationName, "Manilla");
    name.push(
        DnType::CommonName,
        format!("Manilla local authority {digest}"),
    );
    params.distinguished_name = name;
    params
}
