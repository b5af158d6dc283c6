//! Orders that each meet a fault on their way, of every product. An order must be known by the
//! fault that it meets, so that an order that passed its fault by is found.

use crate::kinds::ProviderKinds;
use domain::account::AccountId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::time::Timestamp;
use domain::transaction::AttemptNumber;
use provider_protocol::ReferenceForm;
use testkit::matrix::{ProviderKind, WireFault};
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tests::provider_journal::ProviderAction;
use tests::purchases::{LastAnswer, TestPurchase};

/// Numbers that end so are delivered at once, or acknowledged and delivered soon.
const ENDINGS: [&str; 2] = ["0000", "0002"];

/// Numbers that end so are delivered at once, or taken back soon after.
const QUEUED_ENDINGS: [&str; 2] = ["0000", "0009"];

/// A purchase, and the fault that it meets.
#[derive(Debug, Clone)]
pub(crate) struct FaultyPurchase {
    pub(crate) fault: WireFault,
    family: OrderFamily,
    ending: &'static str,
    reference: String,
}

/// A transfer abroad needs a quote first, which a provider that is at fault does not give: what
/// becomes of one is tried in the application, under the same faults.
fn families() -> impl Iterator<Item = OrderFamily> {
    let all = OrderFamily::ALL.into_iter();
    all.filter(|family| *family != OrderFamily::International)
}

impl FaultyPurchase {
    /// One of every product behind each of some faults.
    pub(crate) fn all(
        faults: &[WireFault],
        kinds: &ProviderKinds,
        (seed, rounds): (u32, u32),
    ) -> Vec<Self> {
        let mut all = Vec::new();
        for round in seed..seed + rounds {
            for fault in faults {
                for family in families() {
                    for ending in endings(kinds.kind(family)) {
                        let named = (fault.code(), family.word());
                        all.push(Self {
                            fault: *fault,
                            family,
                            ending,
                            reference: format!("{}-{}-{ending}-{round}", named.0, named.1),
                        });
                    }
                }
            }
        }
        all
    }

    /// What the provider process knows its first attempt by.
    pub(crate) fn wire_reference(&self, identity: &str) -> String {
        let account = AccountId::parse(identity).unwrap();
        let merchant = MerchantReference::parse(&self.reference).unwrap();
        let derived = ProviderReference::derive(&account, &merchant, AttemptNumber::FIRST);
        let form = ReferenceForm::default();
        let at = Timestamp::from_millis(0);
        form.reference(&derived, at).to_string()
    }

    pub(crate) async fn buy(self, merchant: TestMerchant) -> TestPurchase {
        let order = self.family.order(&self.reference, self.ending);
        let answer = merchant.buy(self.family, &order).await;
        TestPurchase {
            family: self.family,
            reference: self.reference,
            ending: self.ending,
            received: LastAnswer::from(&answer),
        }
    }
}

/// How the numbers end that are bought of a kind.
const fn endings(kind: ProviderKind) -> [&'static str; 2] {
    match kind {
        ProviderKind::Queueing => QUEUED_ENDINGS,
        ProviderKind::Sealing
        | ProviderKind::Replaying
        | ProviderKind::Lagging
        | ProviderKind::Forgetting => ENDINGS,
    }
}

/// What became of an order at the provider where its fault leaves no choice.
pub(crate) fn only_end(fault: WireFault) -> Option<ProviderAction> {
    match fault {
        WireFault::Unreachable
        | WireFault::CutBefore
        | WireFault::Redirect
        | WireFault::StaleClock => Some(ProviderAction::Nothing),
        WireFault::CutAfter
        | WireFault::CutBody
        | WireFault::Silent
        | WireFault::SlowAnswer
        | WireFault::EmptyBody
        | WireFault::Duplicated
        | WireFault::Crossed => Some(ProviderAction::Delivered),
        // Whether it was passed on, or came before it was sealed.
        WireFault::LateRequest | WireFault::Html | WireFault::ServerError => None,
    }
}
