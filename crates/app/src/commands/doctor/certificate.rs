//! The certificate that is shown: its key, its end and its names. None may be made.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::time::Timestamp;
use http_server::{ServedHosts, TlsMaterial, certificate_ends_at};
use ports::clock::Clock as _;

use super::finding::Finding;
use crate::clock::SystemClock;
use crate::commands::moment;
use crate::commands::status::CERTIFICATE_MIN;
use crate::config::Config;
use crate::{secret_files, tls};

/// Everything about the certificate.
pub(super) fn checks(config: &Config) -> Vec<Finding> {
    let (chain, key) = tls::shown_files(&config.data, &config.server);
    let is_local = config.server.certificate.is_none();
    if is_local && !chain.exists() {
        let found = "there is none yet; the first `manilla serve` makes one";
        return vec![Finding::ok("certificate", found)];
    }
    let read = |path: &Path| {
        fs::read(path).map_err(|error| {
            Finding::fail(
                "certificate",
                format!("{} cannot be read: {error}", path.display()),
            )
        })
    };
    let chain = match read(&chain) {
        Ok(chain) => chain,
        Err(finding) => return vec![finding],
    };
    let mut findings = vec![end(&chain, is_local, SystemClock.now())];
    findings.extend(private(config, &key, is_local));
    match read(&key) {
        Ok(key) => findings.extend(pair(config, &chain, &key)),
        Err(finding) => findings.push(finding),
    }
    findings
}

fn end(chain: &[u8], is_local: bool, now: Timestamp) -> Finding {
    let check = "certificate";
    let Some(ends) = certificate_ends_at(chain) else {
        return Finding::fail(check, "its end cannot be read");
    };
    let left = ends.since(now);
    let remedy = if is_local {
        "restart the server: a local certificate is renewed at the start, and each hour"
    } else {
        "renew it, then reload: systemctl reload manilla, or SIGHUP"
    };
    let at = moment(ends);
    match left {
        Duration::ZERO => Finding::fail(check, format!("it ended {at}")).remedied_by(remedy),
        left if left < CERTIFICATE_MIN => {
            Finding::warn(check, format!("it ends {at}")).remedied_by(remedy)
        }
        _ => Finding::ok(check, format!("it ends {at}")),
    }
}

/// Who can read the private keys.
fn private(config: &Config, key: &Path, is_local: bool) -> Vec<Finding> {
    let check = "private key";
    let keys: Vec<PathBuf> = if is_local {
        tls::local_keys(&config.data)
            .filter(|it| it.exists())
            .collect()
    } else {
        vec![key.to_owned()]
    };
    let keys = keys.iter().filter(|it| it.exists());
    let judged = keys.map(|key| match secret_files::guarded(key) {
        Ok(None) => Finding::ok(check, format!("{} is private", key.display())),
        Ok(Some(warning)) => Finding::warn(check, warning),
        Err(error) => Finding::error(check, error),
    });
    judged.collect()
}

/// Whether the key is that of the certificate, and the names are those it is reached under.
fn pair(config: &Config, chain: &[u8], key: &[u8]) -> Vec<Finding> {
    let material = match TlsMaterial::from_pem(chain, key) {
        Ok(material) => material,
        Err(error) => return vec![Finding::error("certificate", error)],
    };
    let hosts = ServedHosts::new(Vec::new(), material.leaf().cloned());
    let names = config.server.names.iter();
    // A name with a wildcard stands for many.
    let names = names.filter(|name| !name.contains('*'));
    let missing: Vec<&str> = names
        .filter(|name| !hosts.is_certified(name))
        .map(String::as_str)
        .collect();
    let names = if missing.is_empty() {
        Finding::ok("certificate", "it is for every name in server.tls_names")
    } else {
        let found = format!("it is not for {}", missing.join(", "));
        Finding::warn("certificate", found)
            .remedied_by("have one issued for these names, or take them out of server.tls_names")
    };
    let key = match material.check() {
        Ok(()) => Finding::ok("private key", "it is that of the certificate"),
        Err(error) => Finding::error("private key", error)
            .remedied_by("name the key that the certificate was issued for"),
    };
    vec![names, key]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::finding::FindingStatus;

    #[test]
    fn a_certificate_that_ended_fails_and_one_that_ends_soon_is_warned_of() {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let chain = made.cert.pem();
        let ends = certificate_ends_at(chain.as_bytes()).unwrap();
        let day = Duration::from_hours(24);
        for (now, status) in [
            (ends.minus(15 * day), FindingStatus::Ok),
            (ends.minus(13 * day), FindingStatus::Warn),
            (ends.plus(day), FindingStatus::Fail),
        ] {
            assert_eq!(end(chain.as_bytes(), true, now).status, status);
        }
        assert_eq!(end(b"none", true, ends).status, FindingStatus::Fail);
    }
}
