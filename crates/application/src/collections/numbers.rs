//! Where payers pay to, by the environment of the account. A test account must never be given a
//! number of a bank that exists.

use crate::gateway::{Gateway, Merchant};
use crate::retried_number::number_of;
use domain::bank::{AccountNumber, BankCode, GroupLabel};
use domain::collection::VirtualAccountRange;
use domain::environment::Environment;
use domain::reference::TransactionNumber;
use domain::top_up::ReceivingAccount;
use ports::PortError;

impl Gateway {
    /// The bank account that payers who name a payment reference pay into, by the environment of
    /// the account; `None` where the operator names none.
    pub fn collecting_account(&self, environment: Environment) -> Option<ReceivingAccount> {
        match environment {
            Environment::Live => self.parts().receiving_account.clone(),
            Environment::Test => sandbox_account(),
        }
    }

    /// A number for what payers type. It follows from nothing: the numbers of transactions have
    /// their time in them, so that few of a range would be reached, and foreseen.
    pub(crate) fn typed_number(&self) -> Result<TransactionNumber, PortError> {
        number_of(&self.parts().ids.secret()?)
    }

    /// The account numbers that may be handed out to an account.
    pub(super) fn range(&self, merchant: &Merchant) -> Option<VirtualAccountRange> {
        match merchant.account.environment {
            Environment::Live => self.parts().collection_terms.range.clone(),
            Environment::Test => sandbox_range(),
        }
    }
}

/// The numbers of test accounts, of a bank that does not exist.
fn sandbox_range() -> Option<VirtualAccountRange> {
    let bank = GroupLabel::parse("Sandbox Bank").ok()?;
    VirtualAccountRange::try_new(bank, BankCode::parse("999").ok()?, "99").ok()
}

/// Where payers of test accounts are said to pay.
fn sandbox_account() -> Option<ReceivingAccount> {
    Some(ReceivingAccount {
        bank: GroupLabel::parse("Sandbox Bank").ok()?,
        number: AccountNumber::parse("9900000000").ok()?,
        name: GroupLabel::parse("Sandbox Collections").ok()?,
    })
}
