//! Laws of sender identities. One of another account must never be found.

use super::setup::Stores;
use crate::builders::{account_id, at, sender, serial};
use domain::sms::{Sender, SenderStatus};
use ports::senders::SenderRegistration;

async fn register(stores: &Stores, sender: &Sender) -> SenderRegistration {
    let registered = stores.senders.register(sender).await;
    registered.expect("register a sender")
}

async fn read(stores: &Stores, account: &str, under: &str) -> Option<Sender> {
    let found = stores
        .senders
        .sender(&account_id(account), &serial(under))
        .await;
    found.expect("read a sender")
}

const ONE: &str = "100000000001";
const TWO: &str = "100000000002";
const THREE: &str = "100000000003";

/// It waits for a decision, as it was asked for.
pub async fn a_sender_reads_back_as_it_was_registered(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let asked = sender("shop", ONE, "Jumia.ng");
    assert_eq!(register(stores, &asked).await, SenderRegistration::Done);
    assert_eq!(read(stores, "shop", ONE).await, Some(asked));
    assert_eq!(read(stores, "shop", TWO).await, None);
}

/// Another account's sender is not found, and its serial number and name reveal nothing else.
pub async fn a_sender_is_its_accounts_alone(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    let theirs = sender("kiosk", ONE, "MyBank");
    assert_eq!(register(stores, &theirs).await, SenderRegistration::Done);
    assert_eq!(read(stores, "shop", ONE).await, None);
    // Two accounts may both be called so; who may is the operator's to decide.
    let ours = sender("shop", TWO, "MyBank");
    assert_eq!(register(stores, &ours).await, SenderRegistration::Done);
    let shop = account_id("shop");
    let listed = stores.senders.senders(Some(&shop)).await.unwrap();
    assert_eq!(listed, [ours]);
}

/// A serial number names one sender, a name one sender of an account, however it is capitalised;
/// what is refused changes nothing.
pub async fn a_serial_number_and_a_name_are_taken_once(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    let first = sender("shop", ONE, "MyBank");
    assert_eq!(register(stores, &first).await, SenderRegistration::Done);
    let serial_again = sender("kiosk", ONE, "Other");
    assert_eq!(
        register(stores, &serial_again).await,
        SenderRegistration::SerialTaken
    );
    let name_again = sender("shop", TWO, "mybank");
    assert_eq!(
        register(stores, &name_again).await,
        SenderRegistration::NameTaken
    );
    // Another serial number would not help, so the name is reported first.
    assert_eq!(
        register(stores, &first).await,
        SenderRegistration::NameTaken
    );
    assert_eq!(stores.senders.senders(None).await.unwrap(), [first]);
}

/// A registration for an unknown account is refused.
pub async fn an_unknown_account_registers_no_sender(stores: &Stores) {
    let asked = sender("ghost", ONE, "MyBank");
    assert_eq!(
        register(stores, &asked).await,
        SenderRegistration::AccountUnknown
    );
    assert_eq!(stores.senders.senders(None).await.unwrap(), []);
    stores.has_account("ghost", "1.00").await;
    assert_eq!(register(stores, &asked).await, SenderRegistration::Done);
}

/// The last decision counts, and says when it was made.
pub async fn a_decision_about_a_sender_stays_until_the_next(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let asked = sender("shop", ONE, "MyBank");
    assert_eq!(register(stores, &asked).await, SenderRegistration::Done);
    let statuses = [SenderStatus::Approved, SenderStatus::Rejected];
    for (status, second) in statuses.into_iter().zip(5..) {
        let decided = stores
            .senders
            .decide(&serial(ONE), status, at(second))
            .await;
        assert!(decided.unwrap());
        let expected = Sender {
            status,
            decided_at: Some(at(second)),
            ..asked.clone()
        };
        assert_eq!(read(stores, "shop", ONE).await, Some(expected));
    }
    let unknown = stores
        .senders
        .decide(&serial(TWO), SenderStatus::Approved, at(9))
        .await;
    assert!(!unknown.unwrap());
}

/// By account and name, of one account or of all.
pub async fn senders_are_listed_by_account_and_name(stores: &Stores) {
    stores.has_account("b", "1.00").await;
    stores.has_account("a", "1.00").await;
    let (second, first) = (sender("b", ONE, "Alpha"), sender("a", TWO, "beta"));
    let third = sender("b", THREE, "Gamma");
    for sender in [&third, &second, &first] {
        assert_eq!(register(stores, sender).await, SenderRegistration::Done);
    }
    let all = stores.senders.senders(None).await.unwrap();
    assert_eq!(all, [first, second.clone(), third.clone()]);
    let of_b = stores.senders.senders(Some(&account_id("b"))).await;
    assert_eq!(of_b.unwrap(), [second, third]);
    let of_ghost = stores.senders.senders(Some(&account_id("ghost"))).await;
    assert_eq!(of_ghost.unwrap(), []);
}
