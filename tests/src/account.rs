//! A run that breaks off what it likes, and what every one ends with: each purchase followed to its
//! end, the balance, the audit, and the journal of the provider. It must ask the same of every run.

use crate::connections;
use crate::folder::{GatewayFolder, MerchantCredentials};
use crate::merchant::TestMerchant;
use crate::orders::OrderFamily;
use crate::process::GatewayProcess;
use crate::provider_journal::{self, ProviderAction, ProviderJournal, minor};
use crate::purchases::{LastAnswer, PurchaseEnd, PurchaseFollower, TestPurchase};
use std::time::Duration;

/// What the account begins with, in minor units and as text.
pub const BALANCE: (i64, &str) = (1_000_000_000_000, "10,000,000,000.00");

/// A folder and its one account.
#[derive(Debug)]
pub struct TestAccount {
    pub folder: GatewayFolder,
    pub credentials: MerchantCredentials,
}

impl TestAccount {
    /// One over the store this run is about.
    #[must_use]
    pub fn new(settings: &str) -> Self {
        Self::within(GatewayFolder::with(settings))
    }

    /// One in a folder.
    #[must_use]
    pub fn within(folder: GatewayFolder) -> Self {
        let credentials = folder.account("Crash", BALANCE.1);
        Self {
            folder,
            credentials,
        }
    }

    /// Its client of a server.
    #[must_use]
    pub fn merchant(&self, server: &GatewayProcess) -> TestMerchant {
        TestMerchant::new(&self.folder, server.address(), &self.credentials)
    }

    /// Waits until a running server has brought every purchase to its end, and checks each of them,
    /// the balance and the books.
    pub async fn settle(
        &self,
        server: &GatewayProcess,
        (purchases, within): (&[TestPurchase], Duration),
    ) -> Vec<PurchaseEnd> {
        let merchant = self.merchant(server);
        let follower = PurchaseFollower {
            folder: &self.folder,
            merchant: &merchant,
            identity: &self.credentials.identity,
        };
        let endings = follower.until_settled(purchases, within).await;
        assert_eq!(endings.len(), purchases.len());
        for ending in &endings {
            assert!(
                ending.keeps_its_answer(),
                "what was said is no longer so: {ending:?}"
            );
            check_refusal(&ending.purchase, self.folder.has_provider_process());
        }
        let held: i64 = endings.iter().map(PurchaseEnd::suspended).sum();
        let charged: i64 = endings.iter().map(PurchaseEnd::charged).sum();
        let (balance, on_hold) = merchant.balance().await;
        assert_eq!(minor(&on_hold), held, "what is held");
        assert_eq!(minor(&balance), BALANCE.0 - charged - held, "what is left");
        provider_journal::audit_is_clean(&self.folder);
        connections::none_is_left_in_a_transaction(&self.folder);
        assert!(!server.log().contains("panicked"), "{}", server.log());
        endings
    }
}

/// Only what the biller knows nothing of is refused: no crash may turn into an error that says
/// nothing was done.
fn check_refusal(purchase: &TestPurchase, has_provider_process: bool) {
    if let LastAnswer::Refused(status) = purchase.received {
        // A gateway that has just started does not know yet what another process serves.
        if has_provider_process && matches!(status, 502 | 503) {
            return;
        }
        // A server or a provider that is down gives no quote, and the order is sent without one.
        if purchase.family == OrderFamily::International && status == 400 {
            return;
        }
        let expected = match purchase.ending {
            "0012" => 503,
            "0014" => 404,
            _ => 0,
        };
        assert_eq!(status, expected, "{purchase:?}");
    }
}

/// What a run came to, in figures.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    pub acknowledged: usize,
    pub refused: usize,
    pub unacknowledged: usize,
    pub delivered: usize,
    pub captured: usize,
    pub doubled: usize,
    pub lost: usize,
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "acknowledged: {}, refused: {}, unacknowledged: {}, delivered: {}, captured: {}, \
             double effects: {}, lost: {}",
            self.acknowledged,
            self.refused,
            self.unacknowledged,
            self.delivered,
            self.captured,
            self.doubled,
            self.lost
        )
    }
}

impl Figures {
    /// Counts, and checks that nothing was delivered that is not charged, nothing twice, nothing
    /// that was not bought, and that nothing was lost.
    ///
    /// # Panics
    /// When it was.
    #[must_use]
    pub fn of(endings: &[PurchaseEnd], journal: &ProviderJournal) -> Self {
        let count =
            |of: &dyn Fn(&PurchaseEnd) -> bool| endings.iter().filter(|ending| of(ending)).count();
        let figures = Self {
            acknowledged: count(&|ending| {
                matches!(ending.purchase.received, LastAnswer::Accepted(_))
            }),
            refused: count(&|ending| matches!(ending.purchase.received, LastAnswer::Refused(_))),
            unacknowledged: count(&|ending| ending.purchase.received == LastAnswer::Nothing),
            delivered: count(&|ending| ending.action == ProviderAction::Delivered),
            captured: count(&|ending| ending.status.as_deref() == Some("Successful")),
            doubled: journal.doubled(),
            lost: count(&|ending| !ending.keeps_its_answer()),
        };
        let wrong = (figures.doubled, figures.lost);
        assert_eq!(wrong, (0, 0), "{figures}");
        assert_eq!(figures.delivered, figures.captured, "{figures}");
        let strangers = journal.strangers(endings);
        assert_eq!(strangers, [""; 0], "delivered, and not bought");
        figures
    }
}
