//! What the gateway books alone: no provider delivers it.

use super::naira;
use super::purchase::PurchaseBuilder;
use domain::account::{AccountIdentity, AccountName, EmailAddress};
use domain::bank::Narration;
use domain::order::Order;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::user::{Payee, Recipient, UserOrder};
use domain::wallet::{WalletOrder, WalletTransfer};

/// An exchange of 1,000.00 for 250 message credits, ordered like [`airtime`](super::airtime).
pub fn wallet_transfer() -> PurchaseBuilder {
    let transfer = WalletTransfer {
        reference: super::reference("order-1"),
        amount: naira("1,000.00"),
        narration: Narration::parse("Messages of June").expect("a narration"),
    };
    let order = WalletOrder::priced(&transfer, naira("4.00")).expect("at least a credit");
    PurchaseBuilder::of_product(Order::Wallet(order)).sold_by(ProviderId::GATEWAY)
}

/// Who is paid where the account `id` has the identity.
pub(super) fn paid_to(id: &str) -> Recipient {
    Recipient::Account(Payee {
        account: super::account_id(id),
        name: AccountName::parse("Ade Stores").expect("a name"),
    })
}

/// 1,000.00 for the account `kiosk`, ordered like [`airtime`](super::airtime).
pub fn user_transfer() -> PurchaseBuilder {
    let amount = naira("1,000.00");
    let order = UserOrder {
        identity: AccountIdentity::Id(super::account_id("kiosk")),
        amount,
        narration: Narration::parse("Rent of June").expect("a narration"),
        from: AccountName::parse("Shop").expect("a name"),
        recipient: paid_to("kiosk"),
    };
    PurchaseBuilder::of_product(Order::User(order)).sold_by(ProviderId::GATEWAY)
}

/// The same for an address that no account has until a moment.
pub fn unclaimed_transfer(until: Timestamp) -> PurchaseBuilder {
    let email = EmailAddress::parse("owner@kiosk.example").expect("an address");
    user_transfer().unclaimed_by(AccountIdentity::Email(email), until)
}
