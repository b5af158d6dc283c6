//! Where the database is. Its address may hold a password and must never be shown.

use std::fmt;
use std::time::Duration;

use anyhow::Context as _;

/// Where the books are, if not in the data folder.
#[derive(Debug)]
pub(crate) struct DatabaseConfig {
    pub(crate) url: Option<DatabaseUrl>,
    pub(crate) certificate: ServerCertificate,
    pub(crate) writers: u32,
    pub(crate) readers: u32,
    pub(crate) standby: StandbyConfig,
}

/// Where lists and reports are read, if not in the database itself.
#[derive(Debug)]
pub(crate) struct StandbyConfig {
    pub(crate) url: Option<DatabaseUrl>,
    /// How long a list waits until the standby has all that the database has.
    pub(crate) wait: Duration,
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
        self.verified(self.url.as_ref())
    }

    /// The address of the standby for lists, if there is one and it may be used.
    pub(crate) fn reachable_standby(&self) -> anyhow::Result<Option<&DatabaseUrl>> {
        let standby = self.verified(self.standby.url.as_ref());
        standby.context("`database.standby_url`")
    }

    fn verified<'u>(
        &self,
        url: Option<&'u DatabaseUrl>,
    ) -> anyhow::Result<Option<&'u DatabaseUrl>> {
        if let (Some(url), ServerCertificate::Verified) = (url, self.certificate) {
            postgres::is_verified(url.as_str())?;
        }
        Ok(url)
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

/// Whether an address of a database says a password, in either of the places there are for it.
pub(super) fn has_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let user = place.rsplit_once('@').map(|(user, _)| user);
    user.is_some_and(|user| user.contains(':'))
        || query.split('&').any(|it| it.starts_with("password="))
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::has_password;

    #[test]
    fn a_password_is_seen_before_the_host_and_among_the_options() {
        for with in [
            "postgres://u:p@h/d",
            "postgres://u:@h/d",
            "postgresql://u:p@[::1]:5432/d?sslmode=disable",
            "postgres://u@h/d?sslmode=disable&password=p",
        ] {
            assert!(has_password(with), "{with}");
        }
        for without in [
            "",
            "postgres://u@h:5432/d",
            "postgres://[::1]:5432/d",
            "postgres:///d",
        ] {
            assert!(!has_password(without), "{without}");
        }
    }
}
