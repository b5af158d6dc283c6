//! What a test may ask of a cluster of its own. It must not offer to give up durability: the
//! product refuses such servers.

/// How a cluster is set up.
#[derive(Debug, Clone, Default)]
pub struct ClusterOptions {
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) tls: Option<Tls>,
}

/// What a server shows to clients that ask for TLS, both in PEM.
#[derive(Debug, Clone)]
pub(crate) struct Tls {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl ClusterOptions {
    /// A further line of `postgresql.conf`; the last of a name counts.
    #[must_use]
    pub fn setting(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Speaks TLS with a certificate and its key, both in PEM. Connections without TLS stay
    /// possible.
    #[must_use]
    pub fn tls(mut self, certificate: &str, key: &str) -> Self {
        self.tls = Some(Tls {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        });
        self
    }

    /// The text of `postgresql.conf` after the defaults.
    pub(crate) fn text(&self) -> String {
        let quoted = |(name, value): &(String, String)| {
            let value = value.replace('\'', "''");
            format!("{name} = '{value}'\n")
        };
        self.settings.iter().map(quoted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::ClusterOptions;

    #[test]
    fn values_are_quoted_as_postgresql_reads_them() {
        let options = ClusterOptions::default()
            .setting("work_mem", "8MB")
            .setting("cluster_name", "it's");
        assert_eq!(options.text(), "work_mem = '8MB'\ncluster_name = 'it''s'\n");
    }
}
