//! The allowed arrows between our crates and what each must keep out. It holds data only: every
//! crate has exactly one row, and a new crate needs one.

/// One crate's row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    pub(crate) name: &'static str,
    /// Our crates it may use everywhere, tests included.
    pub(crate) may_use: &'static [&'static str],
    /// Our crates it may use in its tests only.
    pub(crate) may_use_in_tests: &'static [&'static str],
    /// Crates of others it must not name outside its tests. A name stands for its family: `tokio`
    /// forbids `tokio-util` as well.
    pub(crate) forbids: &'static [&'static str],
}

const TESTKIT: &[&str] = &["testkit"];

pub(crate) const LAYERS: &[Layer] = &[
    Layer {
        name: "domain",
        may_use: &[],
        may_use_in_tests: &[],
        forbids: &[
            "tokio",
            "serde",
            "serde_json",
            "sqlx",
            "axum",
            "hyper",
            "reqwest",
            "getrandom",
            "rand",
            "chrono",
            "jiff",
        ],
    },
    Layer {
        name: "ports",
        may_use: &["domain"],
        may_use_in_tests: &[],
        forbids: &["sqlx", "reqwest", "axum"],
    },
    // A tool: keys and ciphers, and nothing of ours.
    Layer {
        name: "key-ring",
        may_use: &[],
        may_use_in_tests: &[],
        forbids: &["tokio", "sqlx", "reqwest", "axum", "getrandom", "rand"],
    },
    // A tool: signatures and passphrases, and nothing of ours.
    Layer {
        name: "operator-keys",
        may_use: &[],
        may_use_in_tests: &[],
        forbids: &["tokio", "sqlx", "reqwest", "axum", "getrandom", "rand"],
    },
    // A tool: signatures of HTTP messages, and nothing of ours.
    Layer {
        name: "message-signatures",
        may_use: &[],
        may_use_in_tests: &[],
        forbids: &[
            "tokio",
            "sqlx",
            "reqwest",
            "axum",
            "hyper",
            "getrandom",
            "rand",
        ],
    },
    // A tool: text on pages, and nothing of ours.
    Layer {
        name: "pdf",
        may_use: &[],
        may_use_in_tests: &[],
        forbids: &["tokio", "sqlx", "reqwest", "axum"],
    },
    // A tool: pages of texts it is given, without I/O, and nothing of ours.
    Layer {
        name: "checkout-pages",
        may_use: &[],
        may_use_in_tests: &[],
        forbids: &["tokio", "sqlx", "reqwest", "axum", "hyper", "http"],
    },
    Layer {
        name: "application",
        may_use: &["domain", "ports", "message-signatures", "operator-keys"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "reqwest", "axum", "serde_json", "hyper"],
    },
    Layer {
        name: "wire",
        may_use: &["domain", "pdf"],
        may_use_in_tests: TESTKIT,
        forbids: &["tokio", "axum", "sqlx", "reqwest"],
    },
    // A translation without I/O: what is bought is decided by the interface's own operations.
    Layer {
        name: "compat-vtpass",
        may_use: &["domain", "wire"],
        may_use_in_tests: TESTKIT,
        forbids: &["tokio", "axum", "hyper", "sqlx", "reqwest"],
    },
    // It shows numbers and asks for states; what they mean is decided elsewhere.
    Layer {
        name: "monitoring",
        may_use: &["domain", "ports", "application"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "reqwest", "axum"],
    },
    // Adapters never depend on one another, not even in their tests.
    Layer {
        name: "http-server",
        may_use: &[
            "domain",
            "application",
            "wire",
            "message-signatures",
            "checkout-pages",
            "compat-vtpass",
        ],
        may_use_in_tests: &["ports", "testkit"],
        forbids: &["sqlx", "reqwest"],
    },
    Layer {
        name: "storage-sql",
        may_use: &["domain", "ports", "key-ring"],
        may_use_in_tests: TESTKIT,
        forbids: &["axum", "reqwest", "sqlx"],
    },
    Layer {
        name: "sqlite",
        may_use: &["domain", "ports", "storage-sql"],
        may_use_in_tests: &["testkit", "key-ring"],
        forbids: &["axum", "reqwest"],
    },
    Layer {
        name: "postgres",
        may_use: &["domain", "ports", "storage-sql", "key-ring"],
        may_use_in_tests: &["testkit", "postgres-cluster"],
        forbids: &["axum", "reqwest"],
    },
    Layer {
        name: "attempt-journal",
        may_use: &["domain", "ports", "storage-sql", "key-ring"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest", "getrandom", "rand"],
    },
    // Documents and signatures: what both sides of the protocol share, without I/O.
    Layer {
        name: "provider-protocol",
        may_use: &["domain", "message-signatures"],
        may_use_in_tests: TESTKIT,
        forbids: &[
            "tokio",
            "sqlx",
            "axum",
            "hyper",
            "reqwest",
            "getrandom",
            "rand",
        ],
    },
    Layer {
        name: "provider-http",
        may_use: &["domain", "ports", "outbound-http", "provider-protocol"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest"],
    },
    Layer {
        name: "provider-server",
        may_use: &["domain", "ports", "provider-protocol"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest", "getrandom", "rand"],
    },
    // The conformance kit: it speaks the protocol by itself, and tries the adapter besides.
    Layer {
        name: "provider-check",
        may_use: &[
            "domain",
            "ports",
            "outbound-http",
            "provider-http",
            "provider-protocol",
        ],
        may_use_in_tests: &["testkit", "provider-server"],
        forbids: &["sqlx", "axum", "reqwest", "hyper", "getrandom", "rand"],
    },
    Layer {
        name: "provider-sim",
        may_use: &["domain", "ports"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest"],
    },
    Layer {
        name: "provider-dtone",
        may_use: &["domain", "ports", "outbound-http"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest", "tokio", "hyper"],
    },
    Layer {
        name: "provider-paystack",
        may_use: &["domain", "ports", "outbound-http"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest", "tokio", "hyper"],
    },
    Layer {
        name: "provider-reloadly",
        may_use: &["domain", "ports", "outbound-http"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest", "tokio", "hyper"],
    },
    Layer {
        name: "provider-smpp",
        may_use: &["domain", "ports", "outbound-http"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest", "rusmppc", "getrandom", "rand"],
    },
    Layer {
        name: "provider-vtpass",
        may_use: &["domain", "ports", "outbound-http"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest", "tokio"],
    },
    // The HTTP client of the adapters of providers. No client that connects by itself may stand in
    // for it: the permit to send is asked for between the connection and the request.
    Layer {
        name: "outbound-http",
        may_use: &["domain", "ports"],
        may_use_in_tests: TESTKIT,
        forbids: &[
            "sqlx",
            "axum",
            "reqwest",
            "hyper-rustls",
            "serde",
            "serde_json",
        ],
    },
    Layer {
        name: "webhook-dispatch",
        may_use: &["domain", "ports", "wire", "outbound-http"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum"],
    },
    Layer {
        name: "numbering-plan",
        may_use: &["domain", "ports"],
        may_use_in_tests: TESTKIT,
        forbids: &[],
    },
    Layer {
        name: "transmitter-tables",
        may_use: &["domain", "ports"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest"],
    },
    Layer {
        name: "bank-directory",
        may_use: &["domain", "ports"],
        may_use_in_tests: TESTKIT,
        forbids: &[],
    },
    Layer {
        name: "catalogue",
        may_use: &["domain", "ports"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest", "hyper"],
    },
    Layer {
        name: "ip-intelligence",
        may_use: &["domain", "ports"],
        may_use_in_tests: TESTKIT,
        forbids: &["sqlx", "axum", "reqwest"],
    },
    Layer {
        name: "testkit",
        may_use: &["domain", "ports"],
        may_use_in_tests: &[],
        forbids: &[],
    },
    // A tool: it starts servers for tests, and knows nothing of ours.
    Layer {
        name: "postgres-cluster",
        may_use: &[],
        may_use_in_tests: &[],
        forbids: &["sqlx", "tokio"],
    },
    // A tool: it shows what the views make of sample values, and no product crate may use it.
    Layer {
        name: "interface-docs",
        may_use: &["domain", "wire", "http-server", "testkit"],
        may_use_in_tests: &[],
        forbids: &["axum", "sqlx", "reqwest", "tokio"],
    },
    // The composition root is the only product crate that names adapters.
    Layer {
        name: "app",
        may_use: &[
            "domain",
            "ports",
            "application",
            "wire",
            "http-server",
            "key-ring",
            "operator-keys",
            "storage-sql",
            "attempt-journal",
            "sqlite",
            "postgres",
            "provider-check",
            "provider-http",
            "provider-protocol",
            "provider-server",
            "provider-sim",
            "numbering-plan",
            "ip-intelligence",
            "bank-directory",
            "transmitter-tables",
            "catalogue",
            "monitoring",
            "outbound-http",
            "provider-dtone",
            "provider-paystack",
            "provider-reloadly",
            "provider-smpp",
            "provider-vtpass",
            "webhook-dispatch",
        ],
        may_use_in_tests: TESTKIT,
        forbids: &[],
    },
    Layer {
        name: "tests",
        may_use: &[
            "domain",
            "ports",
            "application",
            "wire",
            "http-server",
            "key-ring",
            "message-signatures",
            "operator-keys",
            "storage-sql",
            "attempt-journal",
            "sqlite",
            "postgres",
            "outbound-http",
            "provider-check",
            "provider-http",
            "provider-protocol",
            "provider-server",
            "provider-sim",
            "numbering-plan",
            "ip-intelligence",
            "bank-directory",
            "transmitter-tables",
            "catalogue",
            "outbound-http",
            "provider-dtone",
            "provider-paystack",
            "provider-reloadly",
            "provider-smpp",
            "provider-vtpass",
            "webhook-dispatch",
            "testkit",
            "postgres-cluster",
            "interface-docs",
            "app",
        ],
        may_use_in_tests: &[],
        forbids: &[],
    },
    Layer {
        name: "xtask",
        may_use: &["postgres-cluster"],
        may_use_in_tests: &[],
        forbids: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::LAYERS;

    #[test]
    fn every_crate_has_one_row() {
        for layer in LAYERS {
            let rows = LAYERS
                .iter()
                .filter(|other| other.name == layer.name)
                .count();
            assert_eq!(rows, 1, "{}", layer.name);
        }
    }

    #[test]
    fn every_arrow_ends_in_the_table() {
        for layer in LAYERS {
            for used in layer.may_use.iter().chain(layer.may_use_in_tests) {
                assert!(LAYERS.iter().any(|other| other.name == *used), "{}", used);
            }
        }
    }

    /// Crates that only use crates already removed are removed; what never goes is on a cycle.
    #[test]
    fn the_arrows_form_no_cycle() {
        let mut remaining = LAYERS.to_vec();
        while !remaining.is_empty() {
            let names: Vec<_> = remaining.iter().map(|layer| layer.name).collect();
            remaining.retain(|layer| layer.may_use.iter().any(|used| names.contains(used)));
            assert!(remaining.len() < names.len(), "a cycle among {names:?}");
        }
    }
}
