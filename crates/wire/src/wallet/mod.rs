//! Transfers between the wallets of an account. It must not know what a credit costs.

pub mod transfer;

use crate::attribute::{Attribute, TRANSFER_AMOUNT, WALLET_TO};
use crate::family::{FamilyView, UnavailableMessages};
use crate::service_code::ServiceCode;
use crate::tree::Object;
use crate::zone::Zone;
use domain::order::Service;
use domain::transaction::Transaction;
use domain::wallet::WalletOrder;

impl FamilyView for WalletOrder {
    const NAME: &'static str = "Wallet transfer";

    const PATH: &'static str = "/transfer/wallet";

    const AMOUNT: &'static Attribute = &TRANSFER_AMOUNT;

    const UNAVAILABLE: UnavailableMessages = UnavailableMessages {
        message: "Message credits are not sold at the moment.",
        remedy: "no price of a credit is in force here and nothing was done; ask the operator of \
                 the gateway",
        service: ServiceCode::CreditBalance,
    };

    fn customer(_service: Service) -> Attribute {
        WALLET_TO
    }

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transfer::view(transaction, self, zone)
    }
}
