//! Payouts in the protocol. The name is the one the bank gave before the money was held, so a
//! provider must refuse an account that has come to another name.

use crate::document::{DocumentError, valid, word};
use crate::family::{FamilyDocuments, NoDetails, OrderContext};
use domain::bank::{
    AccountKind, AccountNumber, BankAccount, BankIdentifier, Narration, PayoutOrder,
};
use domain::order::Service;
use domain::provider::Fulfilment;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayoutOrderDocument {
    bank: String,
    bank_name: String,
    number: String,
    account_name: String,
    account_kind: String,
    narration: String,
}

pub(crate) struct BankDocuments;

impl FamilyDocuments for BankDocuments {
    type Order = PayoutOrder;
    type OrderDocument = PayoutOrderDocument;
    type ReceiptDocument = NoDetails;

    fn order(order: &PayoutOrder) -> PayoutOrderDocument {
        let account = &order.account;
        PayoutOrderDocument {
            bank: account.bank.as_str().to_owned(),
            bank_name: order.bank_fullname.clone(),
            number: account.number.digits().to_owned(),
            account_name: account.name.clone(),
            account_kind: account.kind.code().to_owned(),
            narration: order.narration.as_str().to_owned(),
        }
    }

    fn read_order(
        document: PayoutOrderDocument,
        ordered: OrderContext,
    ) -> Result<PayoutOrder, DocumentError> {
        let kind = AccountKind::from_code(&document.account_kind);
        let account = BankAccount {
            bank: valid(BankIdentifier::parse(&document.bank), "order.bank")?,
            number: valid(AccountNumber::parse(&document.number), "order.number")?,
            name: document.account_name,
            kind: word(kind, "order.accountKind")?,
        };
        Ok(PayoutOrder {
            account,
            bank_fullname: document.bank_name,
            amount: ordered.amount,
            narration: valid(Narration::parse(&document.narration), "order.narration")?,
            salary: None,
        })
    }

    fn receipt(_: &Fulfilment) -> Option<NoDetails> {
        None
    }

    fn read_receipt(_: Option<NoDetails>, _: Service) -> Result<Option<Fulfilment>, DocumentError> {
        Ok(Some(Fulfilment::Bank))
    }
}
