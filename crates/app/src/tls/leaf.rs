//! The server's certificate from the local authority, and when it is time for another. It must
//! never keep one that is about to end or lacks a name it is asked for.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use domain::time::Timestamp;
use rcgen::{
    CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use serde::{Deserialize, Serialize};

use super::authority::{self, CertificateAuthority};
use super::{DAY, FOLDER, good_until};
use crate::files::{self, FileAccess};

/// How long a certificate is good for: a key that got out is of no use for long.
const LIFE: Duration = Duration::from_hours(24 * 90);

/// How long before its end another one is made: a month in which a failure of it is noticed.
const RENEW_BEFORE: Duration = Duration::from_hours(24 * 30);

pub(super) const CERT_FILE: &str = "server.pem";
pub(super) const KEY_FILE: &str = "server-key.pem";
const LOCK_FILE: &str = "lock";
const RECORD_FILE: &str = "server.json";

/// Names every local certificate is for.
const ALWAYS: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// What was issued.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LeafRecord {
    pub(super) names: BTreeSet<String>,
    pub(super) ends_ms: i64,
    /// The authority that issued it.
    pub(super) issuer: String,
}

/// What the certificate must be.
#[derive(Debug)]
pub(super) struct LeafRequest {
    pub(super) names: BTreeSet<String>,
    /// The authority at hand; `None` where only its certificate is kept here.
    pub(super) issuer: Option<String>,
}

/// Why another certificate is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Renewal {
    /// There is none, or nothing is known of it.
    Missing,
    /// It ends soon, or has ended.
    Ending,
    /// It begins later than now: the clock was set back.
    NotYet,
    /// It lacks a name.
    Names,
    /// Another authority issued it.
    Authority,
}

/// A certificate and its key, as PEM.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) certificate: String,
    pub(super) key: String,
    record: LeafRecord,
}

/// The names a certificate must be for.
pub(super) fn names(listen: IpAddr, more: &[String]) -> BTreeSet<String> {
    let always = ALWAYS.map(str::to_owned).into_iter();
    // An address that stands for every address of the machine is the name of none.
    let listen = (!listen.is_unspecified()).then(|| listen.to_string());
    always.chain(listen).chain(more.iter().cloned()).collect()
}

/// Why another certificate is needed, if one is. More names than needed do no harm.
pub(super) fn renewal(
    record: &LeafRecord,
    requested: &LeafRequest,
    now: Timestamp,
) -> Option<Renewal> {
    let left = Timestamp::from_millis(record.ends_ms).since(now);
    let another_issuer = |issuer: &String| *issuer != record.issuer;
    if left < RENEW_BEFORE {
        Some(Renewal::Ending)
    } else if left > LIFE.saturating_add(DAY) {
        Some(Renewal::NotYet)
    } else if !requested.names.is_subset(&record.names) {
        Some(Renewal::Names)
    } else if requested.issuer.as_ref().is_some_and(another_issuer) {
        Some(Renewal::Authority)
    } else {
        None
    }
}

/// The certificate of a data folder, made if need be.
pub(super) fn ensure(data: &Path, names: BTreeSet<String>, now: Timestamp) -> anyhow::Result<Leaf> {
    let folder = data.join(FOLDER);
    // Processes that start together over one folder make it one after the other, and each but the
    // first finds what the first has made: a key and a certificate of two of them never meet.
    let _held = files::Lock::hold(&folder.join(LOCK_FILE))
        .with_context(|| format!("{} cannot be locked", folder.display()))?;
    let authority = match authority::stored_authority(data, &names, now)? {
        None if !authority::is_published(data)? => Some(authority::make(data, &names, now)?),
        kept => kept,
    };
    let wanted = LeafRequest {
        names,
        issuer: authority.as_ref().map(CertificateAuthority::id),
    };
    let kept = stored_leaf(&folder);
    let reason = match kept {
        None => Renewal::Missing,
        Some(leaf) => match renewal(&leaf.record, &wanted, now) {
            None => return Ok(leaf),
            Some(reason) => reason,
        },
    };
    let make = || authority::make(data, &wanted.names, now);
    let authority = authority.map_or_else(make, Ok)?;
    let leaf = issue(&authority, wanted.names, now)?;
    leaf.keep(&folder)
        .with_context(|| format!("the certificate cannot be kept in {}", folder.display()))?;
    tracing::info!(?reason, "a server certificate was made");
    Ok(leaf)
}

/// What is kept. What cannot be read counts as missing: nothing rests on an old certificate of our
/// own.
fn stored_leaf(folder: &Path) -> Option<Leaf> {
    let text = |name| {
        let bytes = files::read(&folder.join(name)).ok().flatten()?;
        String::from_utf8(bytes).ok()
    };
    Some(Leaf {
        record: serde_json::from_str(&text(RECORD_FILE)?).ok()?,
        certificate: text(CERT_FILE)?,
        key: text(KEY_FILE)?,
    })
}

fn issue(
    authority: &CertificateAuthority,
    names: BTreeSet<String>,
    now: Timestamp,
) -> anyhow::Result<Leaf> {
    let key = KeyPair::generate()?;
    let ends = now.plus(LIFE);
    let list: Vec<String> = names.iter().cloned().collect();
    let mut params = CertificateParams::new(list)
        .context("a name in `server.tls_names` cannot stand in a certificate")?;
    good_until(&mut params, now, ends);
    params.is_ca = IsCa::ExplicitNoCa;
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params
        .distinguished_name
        .push(DnType::CommonName, "Manilla gateway");
    let issuer = Issuer::from_params(&authority.params, &authority.key);
    let certificate = params.signed_by(&key, &issuer)?;
    Ok(Leaf {
        certificate: certificate.pem(),
        key: key.serialize_pem(),
        record: LeafRecord {
            names,
            ends_ms: ends.as_millis(),
            issuer: authority.id(),
        },
    })
}

impl Leaf {
    /// Writes it down. The record goes first and comes last: half a renewal is no renewal.
    fn keep(&self, folder: &Path) -> anyhow::Result<()> {
        let record = folder.join(RECORD_FILE);
        files::remove(&record)?;
        files::replace(
            &folder.join(KEY_FILE),
            self.key.as_bytes(),
            FileAccess::Private,
        )?;
        let certificate = folder.join(CERT_FILE);
        files::replace(
            &certificate,
            self.certificate.as_bytes(),
            FileAccess::Public,
        )?;
        files::replace(
            &record,
            &serde_json::to_vec(&self.record)?,
            FileAccess::Public,
        )?;
        Ok(())
    }
}
