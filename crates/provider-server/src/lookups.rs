//! Lookups: the question of a document to a port, and its answer as a document. A lookup that is
//! not offered must not be answered as if the customer were unknown.

use crate::served::ServedLookups;
use ports::provider::LookupFailure;
use provider_protocol::{
    AccountLookup, BankAccountDocument, BillAccountDocument, CardLookup, CustomerLookup,
    DocumentError, LookupAnswer, MeterDocument, MeterLookup, MobileWalletDocument, OperatorLookup,
    PaymentCardDocument, QuoteDocument, QuoteLookup, ServedNumberDocument, SmartcardDocument,
    SmartcardLookup, WalletLookup, read, write,
};

/// What an amount would be converted at.
async fn quote(lookups: &ServedLookups, body: &[u8]) -> Result<Option<Vec<u8>>, DocumentError> {
    let Some(quotes) = &lookups.exchange_quotes else {
        return Ok(None);
    };
    let asked = read::<QuoteLookup>(body)?.request()?;
    let found = quotes.exchange_quote(&asked).await;
    written(found.map(|quote| QuoteDocument::from(&quote)))
}

/// The answer to the lookup of this name; `None` where it is not offered.
pub(crate) async fn look_up(
    lookups: &ServedLookups,
    name: &str,
    body: &[u8],
) -> Result<Option<Vec<u8>>, DocumentError> {
    match name {
        "meter" => {
            let Some(meters) = &lookups.meters else {
                return Ok(None);
            };
            let (disco, number, billing) = read::<MeterLookup>(body)?.parts()?;
            let found = meters.meter(&disco, &number, billing).await;
            written(found.map(|meter| MeterDocument::from(&meter)))
        }
        "smartcard" => {
            let Some(smartcards) = &lookups.smartcards else {
                return Ok(None);
            };
            let (biller, number) = read::<SmartcardLookup>(body)?.parts()?;
            let found = smartcards.smartcard(&biller, &number).await;
            written(found.map(|card| SmartcardDocument::from(&card)))
        }
        "account" => {
            let Some(accounts) = &lookups.bank_accounts else {
                return Ok(None);
            };
            let (bank, number) = read::<AccountLookup>(body)?.parts()?;
            let found = accounts.account(&bank, &number).await;
            written(found.map(|account| BankAccountDocument::from(&account)))
        }
        "wallet" => {
            let Some(wallets) = &lookups.mobile_wallets else {
                return Ok(None);
            };
            let (operator, number) = read::<WalletLookup>(body)?.parts()?;
            let found = wallets.wallet(&operator, &number).await;
            written(found.map(|wallet| MobileWalletDocument::from(&wallet)))
        }
        "card" => {
            let Some(cards) = &lookups.cards else {
                return Ok(None);
            };
            let token = read::<CardLookup>(body)?.token()?;
            let found = cards.card(&token).await;
            written(found.map(|card| PaymentCardDocument::from(&card)))
        }
        "quote" => return quote(lookups, body).await,
        "customer" => {
            let Some(accounts) = &lookups.bill_accounts else {
                return Ok(None);
            };
            let query = read::<CustomerLookup>(body)?.query()?;
            let found = accounts.bill_account(&query).await;
            written(found.map(|account| BillAccountDocument::from(&account)))
        }
        "operator" => {
            let Some(operators) = &lookups.number_operators else {
                return Ok(None);
            };
            let (number, country) = read::<OperatorLookup>(body)?.parts()?;
            let found = operators.served_number(&number, country).await;
            written(found.map(|served| ServedNumberDocument::from(&served)))
        }
        _ => Ok(None),
    }
}

fn written<T: serde::Serialize>(
    found: Result<T, LookupFailure>,
) -> Result<Option<Vec<u8>>, DocumentError> {
    let answer = match found {
        Ok(customer) => LookupAnswer::Found { customer },
        Err(LookupFailure::Unknown) => LookupAnswer::Unknown,
        // The biller answered nonsense; to the gateway it is as good as not reached.
        Err(LookupFailure::Unreachable | LookupFailure::Unusable) => LookupAnswer::Unreachable,
    };
    write(&answer).map(Some)
}
