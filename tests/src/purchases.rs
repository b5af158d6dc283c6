//! Purchases followed to their end: what the merchant was answered, what its reports say, and what
//! the journal saw, compared. It must treat every purchase alike, answered or not.

use crate::answer::HttpAnswer;
use crate::folder::GatewayFolder;
use crate::merchant::TestMerchant;
use crate::orders::OrderFamily;
use crate::patience::{self, Deadline};
use crate::provider_journal::{ProviderAction, ProviderJournal};
use std::collections::HashSet;
use std::time::Duration;

/// Something bought, or tried to.
#[derive(Debug, Clone)]
pub struct TestPurchase {
    pub family: OrderFamily,
    pub reference: String,
    /// The last four digits of the number.
    pub ending: &'static str,
    /// What the merchant was answered.
    pub received: LastAnswer,
}

/// What the merchant was answered to a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LastAnswer {
    /// A 2xx with this status.
    Accepted(String),
    /// An error with this status: no money moved and nothing is stored.
    Refused(u16),
    /// Nothing.
    Nothing,
}

impl LastAnswer {
    /// What an answer says.
    #[must_use]
    pub fn from(answer: &HttpAnswer) -> Self {
        match answer.status {
            200..=299 => Self::Accepted(answer.txn_status()),
            status => Self::Refused(status),
        }
    }
}

/// What a purchase has come to, as its report and the journal have it.
#[derive(Debug, Clone)]
pub struct PurchaseEnd {
    pub purchase: TestPurchase,
    /// `txnStatus` of the report; nothing where there is no such transaction.
    pub status: Option<String>,
    /// The price in minor units, 0 where there is no such transaction.
    pub price: i64,
    pub action: ProviderAction,
    /// Whether the gateway waits for a person to decide.
    pub asks_a_person: bool,
}

/// Who follows purchases.
#[derive(Debug, Clone, Copy)]
pub struct PurchaseFollower<'a> {
    pub folder: &'a GatewayFolder,
    pub merchant: &'a TestMerchant,
    pub identity: &'a str,
}

impl PurchaseFollower<'_> {
    /// Waits until the report of every purchase says what the journal saw.
    pub async fn until_settled(
        &self,
        purchases: &[TestPurchase],
        within: Duration,
    ) -> Vec<PurchaseEnd> {
        let deadline = Deadline::after(within);
        let mut open = purchases.to_vec();
        let mut settled = Vec::new();
        while !open.is_empty() {
            let endings = self.endings(open).await;
            let (ended, left): (Vec<_>, Vec<_>) =
                endings.into_iter().partition(PurchaseEnd::is_final);
            assert!(
                left.is_empty() || !deadline.is_over(),
                "not within {within:?}: {left:#?}"
            );
            settled.extend(ended);
            open = left.into_iter().map(|ending| ending.purchase).collect();
            patience::pause().await;
        }
        settled
    }

    /// What purchases have come to so far. Reports are read first: what they say was true before
    /// the journal is asked, and the journal only ever learns more.
    pub async fn endings(&self, purchases: Vec<TestPurchase>) -> Vec<PurchaseEnd> {
        let mut reports = Vec::with_capacity(purchases.len());
        for purchase in &purchases {
            reports.push(self.report(purchase).await);
        }
        let reviews = self.reviews();
        let references: Vec<_> = purchases.iter().map(|it| it.reference.as_str()).collect();
        let journal = ProviderJournal::read(self.folder).of_purchases(self.identity, &references);
        let both = purchases.into_iter().zip(reports);
        both.map(|(purchase, (status, price))| PurchaseEnd {
            action: journal.action(self.identity, &purchase.reference),
            asks_a_person: reviews.contains(&purchase.reference),
            purchase,
            status,
            price,
        })
        .collect()
    }

    /// The references of what waits for a person.
    fn reviews(&self) -> HashSet<String> {
        let listed = self
            .folder
            .run(&["review", "list", "--json", "--limit", "10000"]);
        let listed = listed.well().json();
        let reviews = listed["reviews"].as_array().into_iter().flatten();
        let references = reviews.filter_map(|review| review["mrcReference"].as_str());
        references.map(ToOwned::to_owned).collect()
    }

    async fn report(&self, purchase: &TestPurchase) -> (Option<String>, i64) {
        let report = purchase.family.report(&purchase.reference);
        let report = self.merchant.get(&report).await;
        match report.status {
            200 => (Some(report.txn_status()), purchase.family.price(&report)),
            404 => (None, 0),
            _ => panic!("{report:?}"),
        }
    }
}

impl PurchaseEnd {
    /// Whether report and journal agree, and neither will ever say anything else.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match (self.status.as_deref(), self.action) {
            (Some("Successful"), ProviderAction::Delivered) => self.purchase.ending != "0009",
            // What is recorded nowhere never happened. What was taken back before the gateway knew
            // of it was never charged. A person decides about another amount.
            (None | Some("Failed"), ProviderAction::Nothing)
            | (Some("Reversed" | "Failed"), ProviderAction::TakenBack)
            | (Some("Pending"), ProviderAction::DeliveredOther) => true,
            // What never ends stays as it is.
            (Some("Pending"), ProviderAction::Undecided) => self.purchase.ending == "0010",
            // Silence never ends a payout; a person decides.
            (Some("Pending"), ProviderAction::Nothing) => self.waits_for_a_person(),
            _ => false,
        }
    }

    /// Whether the report contradicts an earlier answer.
    #[must_use]
    pub fn keeps_its_answer(&self) -> bool {
        let status = self.status.as_deref();
        match &self.purchase.received {
            LastAnswer::Nothing => true,
            LastAnswer::Refused(_) => status.is_none() && self.action == ProviderAction::Nothing,
            LastAnswer::Accepted(said) => match said.as_str() {
                "Pending" => status.is_some(),
                "Successful" => matches!(status, Some("Successful" | "Reversed")),
                "Failed" => status == Some("Failed") || self.is_asked_about_again(),
                "Reversed" => status == Some("Reversed"),
                _ => false,
            },
        }
    }

    /// Whether a store that was put back has forgotten that it never left: its provider has no
    /// trace of it, which is no proof in every family, so that a person decides.
    fn is_asked_about_again(&self) -> bool {
        self.purchase.ending == "0012" && self.waits_for_a_person()
    }

    /// Whether a person decides about it because its provider has no trace of it, which is no proof
    /// in its family.
    #[must_use]
    pub fn waits_for_a_person(&self) -> bool {
        self.purchase.family.waits_for_a_person()
            && self.status.as_deref() == Some("Pending")
            && self.action == ProviderAction::Nothing
            && self.asks_a_person
    }

    /// What the purchase takes from the balance, in minor units.
    #[must_use]
    pub fn charged(&self) -> i64 {
        match self.status.as_deref() {
            Some("Successful") => self.price,
            _ => 0,
        }
    }

    /// What the purchase holds of the balance, in minor units.
    #[must_use]
    pub fn suspended(&self) -> i64 {
        match self.status.as_deref() {
            Some("Pending") => self.price,
            _ => 0,
        }
    }
}
