//! Mobile money in the protocol. The name is the one the operator gave before the money was held,
//! so a provider must refuse a wallet that has come to another name.

use crate::document::{DocumentError, valid, word};
use crate::family::{FamilyDocuments, NoDetails, OrderContext};
use domain::bank::Narration;
use domain::country::CountryCode;
use domain::mobile_money::{MobileMoneyOrder, MobileWallet, MobileWalletStatus};
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::subscription::BillerCode;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MobileMoneyOrderDocument {
    biller: String,
    biller_name: String,
    country: String,
    number: String,
    account_name: String,
    narration: String,
}

pub(crate) struct MobileMoneyDocuments;

impl FamilyDocuments for MobileMoneyDocuments {
    type Order = MobileMoneyOrder;
    type OrderDocument = MobileMoneyOrderDocument;
    type ReceiptDocument = NoDetails;

    fn order(order: &MobileMoneyOrder) -> MobileMoneyOrderDocument {
        MobileMoneyOrderDocument {
            biller: order.operator.as_str().to_owned(),
            biller_name: order.brandname.clone(),
            country: order.country.to_string(),
            number: order.number.digits().to_owned(),
            account_name: order.account_name.clone(),
            narration: order.narration.as_str().to_owned(),
        }
    }

    fn read_order(
        document: MobileMoneyOrderDocument,
        ordered: OrderContext,
    ) -> Result<MobileMoneyOrder, DocumentError> {
        Ok(MobileMoneyOrder {
            operator: valid(BillerCode::parse(&document.biller), "order.biller")?,
            brandname: document.biller_name,
            country: valid(CountryCode::parse(&document.country), "order.country")?,
            number: valid(PhoneNumber::parse(&document.number), "order.number")?,
            account_name: document.account_name,
            amount: ordered.amount,
            narration: valid(Narration::parse(&document.narration), "order.narration")?,
        })
    }

    fn receipt(_: &Fulfilment) -> Option<NoDetails> {
        None
    }

    fn read_receipt(_: Option<NoDetails>, _: Service) -> Result<Option<Fulfilment>, DocumentError> {
        Ok(Some(Fulfilment::MobileMoney))
    }
}

/// `POST /lookups/wallet`: whose a mobile money wallet is.
#[derive(Serialize, Deserialize)]
pub struct WalletLookup {
    biller: String,
    number: String,
}

impl std::fmt::Debug for WalletLookup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WalletLookup").finish_non_exhaustive()
    }
}

impl WalletLookup {
    /// The question about a wallet.
    pub fn new(operator: &BillerCode, number: &PhoneNumber) -> Self {
        Self {
            biller: operator.as_str().to_owned(),
            number: number.digits().to_owned(),
        }
    }

    /// What is asked for.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn parts(&self) -> Result<(BillerCode, PhoneNumber), DocumentError> {
        Ok((
            valid(BillerCode::parse(&self.biller), "biller")?,
            valid(PhoneNumber::parse(&self.number), "number")?,
        ))
    }
}

/// A wallet as its operator knows it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MobileWalletDocument {
    biller: String,
    number: String,
    account_name: String,
    account_status: String,
}

impl std::fmt::Debug for MobileWalletDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MobileWalletDocument")
            .finish_non_exhaustive()
    }
}

impl From<&MobileWallet> for MobileWalletDocument {
    fn from(wallet: &MobileWallet) -> Self {
        Self {
            biller: wallet.operator.as_str().to_owned(),
            number: wallet.number.digits().to_owned(),
            account_name: wallet.name.clone(),
            account_status: wallet.status.code().to_owned(),
        }
    }
}

impl MobileWalletDocument {
    /// The wallet.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn wallet(self) -> Result<MobileWallet, DocumentError> {
        let status = MobileWalletStatus::from_code(&self.account_status);
        Ok(MobileWallet {
            operator: valid(BillerCode::parse(&self.biller), "biller")?,
            number: valid(PhoneNumber::parse(&self.number), "number")?,
            name: self.account_name,
            status: word(status, "accountStatus")?,
        })
    }
}
