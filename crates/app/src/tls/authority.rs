//! The local certificate authority of one data folder. Everything about it but its key is fixed,
//! so that its certificate can be made again from the key alone; the key must never leave its
//! folder.

use std::path::Path;

use anyhow::Context as _;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, KeyPair, KeyUsagePurpose,
};

use super::{CA_FILE, FOLDER};
use crate::files::{self, Access};

/// The year it is valid until: long enough that no installation meets it, fixed so that the
/// certificate is the same whenever it is made.
const LAST_YEAR: i32 = 2046;
const FIRST_YEAR: i32 = 2025;

const KEY_FILE: &str = "ca-key.pem";

/// The authority.
pub(super) struct Authority {
    pub(super) params: CertificateParams,
    pub(super) key: KeyPair,
}

impl Authority {
    fn new(key: KeyPair) -> Self {
        Self {
            params: params(&key),
            key,
        }
    }

    /// What tells it from every other authority.
    pub(super) fn id(&self) -> String {
        hex(&self.params.key_identifier(&self.key))
    }

    /// Writes its certificate where clients find it.
    fn publish(&self, data: &Path) -> anyhow::Result<()> {
        let path = data.join(CA_FILE);
        let certificate = self.params.self_signed(&self.key)?;
        files::replace(&path, certificate.pem().as_bytes(), Access::Public)
            .with_context(|| format!("{} cannot be written", path.display()))
    }
}

/// Whether clients have a certificate of an authority to trust.
pub(super) fn is_published(data: &Path) -> anyhow::Result<bool> {
    Ok(files::read(&data.join(CA_FILE))?.is_some())
}

/// The authority of a data folder, if its key is there.
pub(super) fn kept(data: &Path) -> anyhow::Result<Option<Authority>> {
    let path = data.join(FOLDER).join(KEY_FILE);
    let unusable = || {
        format!(
            "the key of the local authority, {}, cannot be used; remove it to have a new authority \
             made, which clients must then be told to trust",
            path.display()
        )
    };
    let Some(bytes) = files::read(&path).with_context(unusable)? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes).with_context(unusable)?;
    let authority = Authority::new(KeyPair::from_pem(&text).with_context(unusable)?);
    if !is_published(data)? {
        authority.publish(data)?;
    }
    Ok(Some(authority))
}

/// A new authority, in the place of one whose key is not there any more.
pub(super) fn make(data: &Path) -> anyhow::Result<Authority> {
    let folder = data.join(FOLDER);
    let unwritable = || format!("{} cannot be written", folder.display());
    files::private_folder(&folder).with_context(unwritable)?;
    let authority = Authority::new(KeyPair::generate()?);
    let key = authority.key.serialize_pem();
    files::replace(&folder.join(KEY_FILE), key.as_bytes(), Access::Private)
        .with_context(unwritable)?;
    let is_first = !is_published(data)?;
    authority.publish(data)?;
    if !is_first {
        tracing::warn!("a new local authority was made: clients must be told to trust {CA_FILE}");
    }
    Ok(authority)
}

/// What the authority's certificate says. The name carries a part of the key's digest: clients that
/// trust two installations can tell them apart.
fn params(key: &KeyPair) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.not_before = rcgen::date_time_ymd(FIRST_YEAR, 1, 1);
    params.not_after = rcgen::date_time_ymd(LAST_YEAR, 1, 1);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let digest: String = hex(&params.key_identifier(key)).chars().take(8).collect();
    let mut name = DistinguishedName::new();
    name.push(DnType::OrganizationName, "Manilla");
    name.push(
        DnType::CommonName,
        format!("Manilla local authority {digest}"),
    );
    params.distinguished_name = name;
    params
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}
