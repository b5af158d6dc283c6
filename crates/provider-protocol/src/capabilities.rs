//! What a provider can do and promises: `GET /capabilities`. A provider must not be sent anything
//! before its capabilities were read and checked.

use crate::attempt::{expired, kind_word, sealed};
use crate::moment::Moment;
use crate::profile::ServiceProfile;
use crate::reference_form::{InvalidReferenceForm, ReferenceForm};
use crate::{VERSION, speaks};
use domain::order::Service;
use domain::provider::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The capabilities of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    /// Who it is.
    pub provider: ProviderIdentity,
    /// The versions of the protocol it speaks, such as `1.0`.
    pub versions: Vec<String>,
    /// The promises about each service it delivers.
    pub services: BTreeMap<String, ServiceProfile>,
    /// The optional operations it offers.
    #[serde(default)]
    pub features: BTreeSet<String>,
    /// Every code a refusal may have.
    pub refusal_codes: Vec<ListedCode>,
    /// What references are made of.
    #[serde(default)]
    pub reference: ReferenceForm,
    /// Its clock.
    pub now: Moment,
}

/// Who a provider is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderIdentity {
    /// Its name, for people.
    pub name: String,
}

/// A code and what it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedCode {
    /// The code.
    pub code: String,
    /// Whose fault it is: `order`, `account`, `moment` or `lookalike`.
    pub kind: String,
    /// In words.
    pub meaning: String,
}

impl From<Refusal> for ListedCode {
    fn from(refusal: Refusal) -> Self {
        Self {
            kind: kind_word(refusal.kind).to_owned(),
            code: refusal.code,
            meaning: refusal.reason,
        }
    }
}

/// An optional operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    /// `POST /attempts/{reference}/seal`.
    Seal,
    /// `GET /attempts?after=N`.
    Changes,
    /// `POST /lookups/meter`.
    MeterLookup,
    /// `POST /lookups/smartcard`.
    SmartcardLookup,
    /// `POST /lookups/account`.
    AccountLookup,
    /// `POST /lookups/wallet`.
    WalletLookup,
    /// `POST /lookups/card`.
    CardLookup,
    /// `POST /lookups/quote`.
    QuoteLookup,
    /// `POST /lookups/customer`.
    CustomerLookup,
    /// `POST /lookups/operator`.
    OperatorLookup,
    /// `GET /balances`.
    Balances,
    /// `GET /statement?from=…&to=…`.
    Statement,
    /// `GET /catalogue/{service}?after=N`, and `offer` in a submission.
    Catalogue,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Self; 13] = [
        Self::Seal,
        Self::Changes,
        Self::MeterLookup,
        Self::SmartcardLookup,
        Self::AccountLookup,
        Self::WalletLookup,
        Self::CardLookup,
        Self::QuoteLookup,
        Self::CustomerLookup,
        Self::OperatorLookup,
        Self::Balances,
        Self::Statement,
        Self::Catalogue,
    ];

    /// Its word in `features`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Seal => "seal",
            Self::Changes => "changes",
            Self::MeterLookup => "lookup.meter",
            Self::SmartcardLookup => "lookup.smartcard",
            Self::AccountLookup => "lookup.account",
            Self::WalletLookup => "lookup.wallet",
            Self::CardLookup => "lookup.card",
            Self::QuoteLookup => "lookup.quote",
            Self::CustomerLookup => "lookup.customer",
            Self::OperatorLookup => "lookup.operator",
            Self::Balances => "balances",
            Self::Statement => "statement",
            Self::Catalogue => "catalogue",
        }
    }

    /// Whether conclusions about attempts, or lookups before them, rest on it: a provider that
    /// takes it back promises less than it did.
    pub(crate) const fn is_relied_on(self) -> bool {
        match self {
            Self::Seal
            | Self::Changes
            | Self::MeterLookup
            | Self::SmartcardLookup
            | Self::AccountLookup
            | Self::WalletLookup
            | Self::CardLookup
            | Self::QuoteLookup
            | Self::CustomerLookup => true,
            // Without it a number is taken to be its block holder's.
            Self::OperatorLookup | Self::Balances | Self::Statement | Self::Catalogue => false,
        }
    }
}

/// Capabilities that cannot be worked with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCapabilities {
    /// No version in common.
    #[error(
        "the provider speaks {theirs} of the protocol and the gateway {VERSION}; \
         install a version of either that speaks what the other does"
    )]
    Versions {
        /// What the provider speaks.
        theirs: String,
    },
    /// A service is promised too little.
    #[error(
        "`services.{service}.retentionDays` must be at least {}",
        ServiceProfile::RETENTION_DAYS_MIN
    )]
    Retention {
        /// Which.
        service: String,
    },
    /// References cannot be made unique.
    #[error(transparent)]
    Reference(#[from] InvalidReferenceForm),
    /// A code has two meanings, so a refusal by it has none.
    #[error("`refusalCodes` lists the code {code} twice")]
    AmbiguousCode {
        /// Which.
        code: String,
    },
}

impl Capabilities {
    /// Checks what can be checked before anything is sent.
    ///
    /// # Errors
    /// When there is no common version, a reference is forgotten too soon or cannot be unique, or
    /// a code has two meanings.
    pub fn check(&self) -> Result<(), InvalidCapabilities> {
        if !self.versions.iter().any(|version| speaks(version)) {
            let theirs = self.versions.join(", ");
            return Err(InvalidCapabilities::Versions { theirs });
        }
        let days_min = ServiceProfile::RETENTION_DAYS_MIN;
        let mut services = self.services.iter();
        if let Some((service, _)) = services.find(|(_, it)| it.retention_days < days_min) {
            let service = service.clone();
            return Err(InvalidCapabilities::Retention { service });
        }
        let mut seen = BTreeSet::new();
        let mut codes = self.refusal_codes.iter();
        if let Some(twice) = codes.find(|it| !seen.insert(it.code.as_str())) {
            let code = twice.code.clone();
            return Err(InvalidCapabilities::AmbiguousCode { code });
        }
        Ok(self.reference.check()?)
    }

    /// The promises about a service; `None` where the provider does not deliver it.
    pub fn profile(&self, service: Service) -> Option<&ServiceProfile> {
        self.services.get(service.code())
    }

    /// Whether an optional operation is offered.
    pub fn offers(&self, feature: Feature) -> bool {
        self.features.contains(feature.code())
    }

    /// Whether a refusal has a code of the list, with the kind that the list gives it. The codes of
    /// the protocol itself are always listed.
    pub fn lists(&self, refusal: &Refusal) -> bool {
        let kind = kind_word(refusal.kind);
        let meant = |it: &ListedCode| it.code == refusal.code && it.kind == kind;
        let own = [sealed(), expired()].map(ListedCode::from);
        own.iter().any(meant) || self.refusal_codes.iter().any(meant)
    }
}
