//! The certificate the gateway shows: the operator's, or one of its own local authority. It must
//! never put a private key where others can read it.

mod authority;
mod leaf;
mod permitted;
mod renewing;

pub(crate) use renewing::renew_hourly;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use domain::time::Timestamp;
use rcgen::CertificateParams;

use crate::config::ServerConfig;
use crate::secret_files;

const DAY: Duration = Duration::from_hours(24);

/// The folder of the local authority within the data folder.
const FOLDER: &str = "tls";

/// The certificate of the local authority within the data folder, for the trust store of clients.
pub(crate) const CA_FILE: &str = "ca.pem";

/// A certificate chain and its key, both PEM.
pub(crate) struct Material {
    pub(crate) chain: Vec<u8>,
    pub(crate) key: Vec<u8>,
    pub(crate) origin: CertificateOrigin,
}

/// Whose certificate it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CertificateOrigin {
    /// The operator's.
    Brought,
    /// Ours, issued at this start or an earlier one.
    Local,
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Material")
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// The certificate to show, made if need be.
pub(crate) fn material(
    data: &Path,
    server: &ServerConfig,
    now: Timestamp,
) -> anyhow::Result<Material> {
    if let Some((chain, key)) = &server.certificate {
        let read = |setting: &str, path: &Path| {
            std::fs::read(path)
                .with_context(|| format!("`{setting}` = {} cannot be read", path.display()))
        };
        let material = Material {
            chain: read("server.tls_cert", chain)?,
            key: read("server.tls_key", key)?,
            origin: CertificateOrigin::Brought,
        };
        guard(key).context("`server.tls_key` is not used")?;
        return Ok(material);
    }
    let names = leaf::names(server.listen.ip(), &server.names);
    let leaf = leaf::ensure(data, names, now)?;
    for key in local_keys(data).filter(|key| key.exists()) {
        guard(&key)?;
    }
    Ok(Material {
        chain: leaf.certificate.into_bytes(),
        key: leaf.key.into_bytes(),
        origin: CertificateOrigin::Local,
    })
}

/// The private keys that the local authority may keep in the data folder.
pub(crate) fn local_keys(data: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = data.join(FOLDER);
    [leaf::KEY_FILE, authority::KEY_FILE]
        .into_iter()
        .map(move |name| folder.join(name))
}

/// Refuses a private key that every user can get at. A certificate is for everyone.
fn guard(key: &Path) -> anyhow::Result<()> {
    if let Some(warning) = secret_files::guarded(key)? {
        tracing::warn!("{warning}");
    }
    Ok(())
}

/// When the certificate that is shown ends, as its file says; `None` where there is none yet, or it
/// cannot be read. Nothing is made.
pub(crate) fn certificate_ends_at(data: &Path, server: &ServerConfig) -> Option<Timestamp> {
    let (chain, _) = shown_files(data, server);
    http_server::certificate_ends_at(&std::fs::read(chain).ok()?)
}

/// Where the certificate that is shown and its key are. They need not be there yet.
pub(crate) fn shown_files(data: &Path, server: &ServerConfig) -> (PathBuf, PathBuf) {
    let folder = data.join(FOLDER);
    let local = || (folder.join(leaf::CERT_FILE), folder.join(leaf::KEY_FILE));
    server.certificate.clone().unwrap_or_else(local)
}

/// Has a certificate be good until a moment. Clients whose clock is a little behind must not take
/// it for a certificate of tomorrow.
fn good_until(params: &mut CertificateParams, now: Timestamp, ends: Timestamp) {
    let epoch = rcgen::date_time_ymd(1970, 1, 1);
    let moment = |at: Timestamp| epoch + Timestamp::since(at, Timestamp::from_millis(0));
    params.not_before = moment(now.minus(DAY));
    params.not_after = moment(ends);
}

#[cfg(test)]
mod tests;
