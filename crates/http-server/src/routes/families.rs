//! The families the interface names (interface §1), as data: their paths without an operation are
//! answered from this table, and the documentation lists the families from it. It must not name an
//! operation.

use super::verb::{Verb, allowing};
use http::HeaderValue;

/// One pattern of paths within a family, and its verbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathPattern {
    /// `/family/:type` or `/family/:type/:category`.
    pub path: &'static str,
    pub verbs: &'static [Verb],
}

/// A family of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathFamily {
    pub name: &'static str,
    pub patterns: &'static [PathPattern],
    /// Its purpose, in a few words.
    pub purpose: &'static str,
}

const READ: &[Verb] = &[Verb::Get];
const BOTH: &[Verb] = &[Verb::Get, Verb::Post];

static FAMILIES: [PathFamily; 16] = [
    PathFamily {
        name: "Account",
        patterns: &[
            PathPattern::of("/account/:type", BOTH),
            PathPattern::of("/account/:type/:category", BOTH),
        ],
        purpose: "accounts, permissions, balances, statements",
    },
    PathFamily {
        name: "Billing",
        patterns: &[PathPattern::of("/billing/:type", BOTH)],
        purpose: "recurring payments, invoices, refunds",
    },
    PathFamily {
        name: "Transfer",
        patterns: &[PathPattern::of("/transfer/:type", BOTH)],
        purpose: "payouts to banks, mobile money, wallets, users and cards",
    },
    PathFamily {
        name: "Payment",
        patterns: &[
            PathPattern::of("/payment/:type", BOTH),
            PathPattern::of("/payment/:type/:category", READ),
        ],
        purpose: "bills and subscriptions",
    },
    PathFamily {
        name: "Checkout",
        patterns: &[PathPattern::of("/checkout/:type", BOTH)],
        purpose: "hosted payment forms",
    },
    PathFamily {
        name: "Geolocation",
        patterns: &[PathPattern::of("/geolocation/:type", READ)],
        purpose: "where a device or address is",
    },
    PathFamily {
        name: "Value added services",
        patterns: &[PathPattern::of("/vas/:type", READ)],
        purpose: "telecom and government services",
    },
    PathFamily {
        name: "Messaging",
        patterns: &[PathPattern::of("/messaging/:type", BOTH)],
        purpose: "SMS, voice, IVR, WhatsApp, RCS",
    },
    PathFamily {
        name: "Collection",
        patterns: &[PathPattern::of("/collection/:type", BOTH)],
        purpose: "collecting payments, fees, taxes, fines and debts",
    },
    PathFamily {
        name: "Booking",
        patterns: &[PathPattern::of("/booking/:type", BOTH)],
        purpose: "appointments",
    },
    PathFamily {
        name: "Voucher",
        patterns: &[PathPattern::of("/voucher/:type", BOTH)],
        purpose: "vouchers, coupons, gift cards, promo codes",
    },
    PathFamily {
        name: "Reporting",
        patterns: &[PathPattern::of("/reporting/:type/:category", READ)],
        purpose: "reports of past transactions",
    },
    PathFamily {
        name: "Operations",
        patterns: &[
            PathPattern::of("/operations/:type", BOTH),
            PathPattern::of("/operation/:type", BOTH),
        ],
        purpose: "configuration and monitoring",
    },
    PathFamily {
        name: "Security",
        patterns: &[PathPattern::of("/security/:type", BOTH)],
        purpose: "security tools, logs, audit",
    },
    PathFamily {
        name: "Webhook",
        patterns: &[PathPattern::of("/webhook/:type", BOTH)],
        purpose: "events sent to an endpoint of yours",
    },
    PathFamily {
        name: "Tools",
        patterns: &[PathPattern::of("/tools/:type", BOTH)],
        purpose: "tools for developers",
    },
];

/// Every family, in the order of the interface.
pub fn families() -> &'static [PathFamily] {
    &FAMILIES
}

impl PathPattern {
    const fn of(path: &'static str, verbs: &'static [Verb]) -> Self {
        Self { path, verbs }
    }

    /// Whether a path has this pattern; a parameter may be any text that is not empty.
    fn matches(&self, path: &str) -> bool {
        let mut ours = self.path.split('/');
        let mut theirs = path.split('/');
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(ours), Some(theirs)) if ours.starts_with(':') && !theirs.is_empty() => {}
                (Some(ours), Some(theirs)) if ours == theirs => {}
                (Some(_), _) | (None, Some(_)) => return false,
            }
        }
    }
}

/// The pattern of a path that a family names.
pub(super) fn named(path: &str) -> Option<&'static PathPattern> {
    let mut patterns = FAMILIES.iter().flat_map(|family| family.patterns);
    patterns.find(|pattern| pattern.matches(path))
}

impl PathPattern {
    /// The value of `Allow`.
    pub(super) fn allow(&self) -> HeaderValue {
        let verbs: String = self.verbs.iter().map(|verb| verb.allows()).collect();
        allowing(verbs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn a_path_is_named_by_its_shape() {
        let of = |path| named(path).map(|pattern| pattern.path);
        assert_eq!(of("/booking/rooms"), Some("/booking/:type"));
        assert_eq!(of("/payment/tolls/plans"), Some("/payment/:type/:category"));
        assert_eq!(of("/operation/x"), Some("/operation/:type"));
        assert_eq!(of("/reporting/a/b"), Some("/reporting/:type/:category"));
        for nowhere in [
            "/",
            "/booking",
            "/booking/",
            "/booking/a/b",
            "/reporting/a",
            "/bookings/a",
            "//a",
        ] {
            assert_eq!(of(nowhere), None, "{nowhere}");
        }
    }

    /// The families as the documentation lists them.
    fn listed() -> String {
        let mut table = "| family | paths | verbs | for |\n|---|---|---|---|\n".to_owned();
        for family in families() {
            for pattern in family.patterns {
                let verbs: Vec<_> = pattern.verbs.iter().map(|verb| verb.method()).collect();
                let verbs: Vec<_> = verbs.iter().map(http::Method::as_str).collect();
                let (name, path, purpose) = (family.name, pattern.path, family.purpose);
                let verbs = verbs.join(", ");
                writeln!(table, "| {name} | `{path}` | {verbs} | {purpose} |").unwrap();
            }
        }
        table
    }

    #[test]
    fn the_documentation_lists_every_family() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/API.md");
        let docs = std::fs::read_to_string(docs).unwrap();
        assert!(
            docs.contains(&listed()),
            "put this into docs/API.md:\n{}",
            listed()
        );
    }
}
