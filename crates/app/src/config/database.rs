//! Where the database is. Its address may hold a password and must never be shown.

use std::fmt;

/// Where the books are, if not in the data folder.
#[derive(Debug)]
pub(crate) struct DatabaseConfig {
    pub(crate) url: Option<DatabaseUrl>,
    pub(crate) certificate: ServerCertificate,
    pub(crate) writers: u32,
    pub(crate) readers: u32,
}

/// What a database on another machine must show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerCertificate {
    /// One of its name that an authority signed.
    Verified,
    /// Any, or none.
    Any,
}

impl DatabaseConfig {
    /// The address of the database, if there is one and it may be used.
    pub(crate) fn reachable(&self) -> anyhow::Result<Option<&DatabaseUrl>> {
        if let (Some(url), ServerCertificate::Verified) = (&self.url, self.certificate) {
            postgres::is_verified(url.as_str())?;
        }
        Ok(self.url.as_ref())
    }
}

/// The address of a database. It may hold a password, so it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The address a text holds, if it looks like one; whether it leads anywhere is seen later.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let rest = ["postgres://", "postgresql://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme))?;
        (!rest.is_empty()).then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(…)")
    }
}
