//! What every run ends with: each purchase followed to its end, the balance, and the audit. It must
//! ask the same of every run.

use std::time::Duration;
use tests::books::{self, minor};
use tests::folder::{Credentials, Folder};
use tests::merchant::Merchant;
use tests::process::Server;
use tests::purchases::{Ending, Follower, Heard, Purchase};

/// What the account begins with, in minor units and as text.
const BALANCE: (i64, &str) = (1_000_000_000_000, "10,000,000,000.00");

/// A folder and its one account.
pub(crate) struct Account {
    pub(crate) folder: Folder,
    pub(crate) credentials: Credentials,
}

impl Account {
    pub(crate) fn new(settings: &str) -> Self {
        let folder = Folder::with(settings);
        let credentials = folder.account("Crash", BALANCE.1);
        Self {
            folder,
            credentials,
        }
    }

    pub(crate) fn merchant(&self, server: &Server) -> Merchant {
        Merchant::new(&self.folder, server.address(), &self.credentials)
    }

    /// Waits until a running server has brought every purchase to its end, and checks each of them,
    /// the balance and the books.
    pub(crate) async fn settle(
        &self,
        server: &Server,
        (purchases, within): (&[Purchase], Duration),
    ) -> Vec<Ending> {
        let merchant = self.merchant(server);
        let follower = Follower {
            folder: &self.folder,
            merchant: &merchant,
            identity: &self.credentials.identity,
        };
        let endings = follower.until_settled(purchases, within).await;
        assert_eq!(endings.len(), purchases.len());
        for ending in &endings {
            assert!(
                ending.keeps_what_was_said(),
                "what was said is no longer so: {ending:?}"
            );
            check_refusal(&ending.purchase);
        }
        let held: i64 = endings.iter().map(Ending::held).sum();
        let charged: i64 = endings.iter().map(Ending::charged).sum();
        let (balance, on_hold) = merchant.balance().await;
        assert_eq!(minor(&on_hold), held, "what is held");
        assert_eq!(minor(&balance), BALANCE.0 - charged - held, "what is left");
        books::audit_is_clean(&self.folder);
        assert!(!server.log().contains("panicked"), "{}", server.log());
        endings
    }
}

/// Only what the biller knows nothing of is refused: no crash may turn into an error that says
/// nothing was done.
fn check_refusal(purchase: &Purchase) {
    if let Heard::Refused(status) = purchase.heard {
        let expected = match purchase.ending {
            "0012" => 503,
            "0014" => 404,
            _ => 0,
        };
        assert_eq!(status, expected, "{purchase:?}");
    }
}
