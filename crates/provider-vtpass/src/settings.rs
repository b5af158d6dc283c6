//! What an account at VTpass needs. Keys must never be shown.

use domain::phone::PhoneNumber;
use domain::subscription::PlanCode;
use http::HeaderValue;
use outbound_http::{OutboundSettings, OutboundTarget};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a question may take: the provider answers in seconds, and an attempt in doubt is asked
/// about again.
const QUESTION: Duration = Duration::from_secs(15);

/// An account at VTpass.
#[derive(Debug, Clone)]
pub struct VtpassSettings {
    /// The base of the interface, such as `https://vtpass.com/api/`.
    pub target: OutboundTarget,
    /// How requests are sent.
    pub outbound: OutboundSettings,
    /// The keys of the account.
    pub keys: VtpassKeys,
    /// The telephone that is given for meters and smartcards where their orders name none: a number
    /// of the operator's in Nigeria. Billers send messages to it.
    pub phone: PhoneNumber,
    /// Whether a failed transaction counts as refused only once a query says the same.
    pub confirm_refusals: ConfirmRefusals,
    /// Plans of internet data.
    pub internet_plans: PlanMapping,
    /// Plans of cable TV.
    pub cable_plans: PlanMapping,
    /// How long a query or a lookup may take.
    pub question: Duration,
}

impl VtpassSettings {
    /// An account that confirms refusals and sells no plans.
    pub fn new(target: OutboundTarget, keys: VtpassKeys, phone: PhoneNumber) -> Self {
        Self {
            target,
            outbound: OutboundSettings::default(),
            keys,
            phone,
            confirm_refusals: ConfirmRefusals::Yes,
            internet_plans: PlanMapping::default(),
            cable_plans: PlanMapping::default(),
            question: QUESTION,
        }
    }
}

/// Whether a failed transaction counts as refused only once a query says the same: the provider
/// calls such answers final, and its staff resolve some of them later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmRefusals {
    /// It takes one query more for each refusal.
    Yes,
    /// The first answer decides.
    No,
}

/// Why a setting cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidVtpassSetting {
    /// A key is not one.
    #[error("must be a key as the provider shows it, in one line of visible characters")]
    Key,
    /// A mapping of plans cannot be read.
    #[error("must list plans as OURS=THEIRS, separated by commas, such as 30109=mtn-2gb-1500")]
    Plan,
    /// A plan is mapped twice.
    #[error("must not map a plan twice")]
    PlanTwice,
}

/// The keys of an account. They are sensitive headers, which show nothing.
#[derive(Debug, Clone)]
pub struct VtpassKeys {
    pub(crate) api: HeaderValue,
    pub(crate) secret: HeaderValue,
    /// What is sent in place of the secret with a GET, such as that of the balance.
    pub(crate) public: Option<HeaderValue>,
}

impl VtpassKeys {
    /// Reads the keys that purchases and questions need.
    pub fn parse(api: &str, secret: &str) -> Result<Self, InvalidVtpassSetting> {
        Ok(Self {
            api: sensitive(api)?,
            secret: sensitive(secret)?,
            public: None,
        })
    }

    /// The same with the public key, which asking for the balance needs.
    pub fn with_public(self, public: &str) -> Result<Self, InvalidVtpassSetting> {
        Ok(Self {
            public: Some(sensitive(public)?),
            ..self
        })
    }
}

fn sensitive(key: &str) -> Result<HeaderValue, InvalidVtpassSetting> {
    let visible = !key.is_empty() && key.bytes().all(|b| b.is_ascii_graphic());
    let value = HeaderValue::from_str(key).ok().filter(|_| visible);
    let mut value = value.ok_or(InvalidVtpassSetting::Key)?;
    value.set_sensitive(true);
    Ok(value)
}

/// What the provider calls our plans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanMapping(BTreeMap<PlanCode, String>);

impl PlanMapping {
    /// Most characters of a variation code; those that are published have at most 40.
    const CODE_MAX: usize = 64;

    /// Reads `OURS=THEIRS` pairs, separated by commas or lines.
    pub fn parse(text: &str) -> Result<Self, InvalidVtpassSetting> {
        let mut plans = BTreeMap::new();
        let pairs = text.split([',', '\n']).map(str::trim);
        for pair in pairs.filter(|pair| !pair.is_empty()) {
            let (ours, theirs) = pair.split_once('=').ok_or(InvalidVtpassSetting::Plan)?;
            let ours = PlanCode::parse(ours.trim()).map_err(|_| InvalidVtpassSetting::Plan)?;
            let theirs = theirs.trim();
            let fits = (1..=Self::CODE_MAX).contains(&theirs.len())
                && theirs.bytes().all(|b| b.is_ascii_graphic());
            if !fits {
                return Err(InvalidVtpassSetting::Plan);
            }
            if plans.insert(ours, theirs.to_owned()).is_some() {
                return Err(InvalidVtpassSetting::PlanTwice);
            }
        }
        Ok(Self(plans))
    }

    pub(crate) fn variation(&self, plan: &PlanCode) -> Option<&str> {
        self.0.get(plan).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_not_shown() {
        let keys = VtpassKeys::parse("api-1", "SK_2").unwrap();
        let shown = format!("{keys:?}");
        assert!(
            !shown.contains("api-1") && !shown.contains("SK_2"),
            "{shown}"
        );
        for wrong in ["", "a b", "a\nb", "é"] {
            let refused = VtpassKeys::parse("api-1", wrong).unwrap_err();
            assert_eq!(refused, InvalidVtpassSetting::Key, "{wrong:?}");
        }
    }

    #[test]
    fn plans_are_mapped_one_to_one() {
        let plans = PlanMapping::parse("30109=mtn-2gb-1500, 30110 = mtn-7gb\n30111=x=y,").unwrap();
        let variation = |code| {
            let code = PlanCode::parse(code).unwrap();
            plans.variation(&code).map(str::to_owned)
        };
        assert_eq!(variation("30109").as_deref(), Some("mtn-2gb-1500"));
        assert_eq!(variation("30110").as_deref(), Some("mtn-7gb"));
        assert_eq!(variation("30111").as_deref(), Some("x=y"));
        assert_eq!(variation("30112"), None);
        for wrong in ["30109", "a=b", "30109=", "30109=a b", "30109=é"] {
            let refused = PlanMapping::parse(wrong).unwrap_err();
            assert_eq!(refused, InvalidVtpassSetting::Plan, "{wrong:?}");
        }
        let twice = PlanMapping::parse("30109=a,30109=b").unwrap_err();
        assert_eq!(twice, InvalidVtpassSetting::PlanTwice);
    }
}
