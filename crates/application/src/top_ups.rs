//! An account's top-ups, as its merchant announces and sees them. Nothing here may move money: the
//! operator's confirmation does.

use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::account::AccountId;
use domain::idempotency::IdempotencyKey;
use domain::reference::MerchantReference;
use domain::top_up::{
    AccountTopUp, NewTopUp, ReceivingAccount, TOP_UP_OPEN_FOR, TopUpChannel, TopUpState,
};
use ports::PortError;
use ports::batches::PageOf;
use ports::top_ups::TopUpCreation;
pub use ports::top_ups::{TopUpPage, UnconfirmedTopUps};

/// How many numbers are drawn for a top-up: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

/// Why a request about a top-up is refused.
#[derive(Debug, thiserror::Error)]
pub enum TopUpError {
    /// The operator names no bank account that could be paid to.
    #[error("the operator names no bank account")]
    NoReceivingAccount,
    /// The account announced another one under the reference.
    #[error("the reference was used for another top-up")]
    ReferenceTaken(MerchantReference),
    /// The account has as many open top-ups as it may have.
    #[error("too many top-ups are open")]
    TooMany,
    /// The account announced none under the reference.
    #[error("no such top-up")]
    Unknown,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for TopUpError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// A top-up, and whether the request announced it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopUpResult {
    /// The top-up, and what became of it.
    pub state: TopUpState,
    /// Whether an earlier request had announced it.
    pub replay: ReplayMark,
}

impl Gateway {
    /// The bank account that merchants pay to, where the operator names one.
    pub fn receiving_account(&self) -> Option<&ReceivingAccount> {
        self.parts().receiving_account.as_ref()
    }

    /// Announces a top-up; where the merchant's key of the request announced it before, that one is
    /// answered as it is now.
    ///
    /// # Errors
    /// Refuses a reference and a key that were used for another one, one top-up too many, and a
    /// transfer where there is no account to pay to.
    pub async fn announce_top_up(
        &self,
        merchant: &Merchant,
        wanted: NewTopUp,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<TopUpResult, TopUpError> {
        let account = &merchant.account.id;
        let now = self.now();
        for _ in 0..DRAWS_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("top-up", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            if retry_key.is_some() {
                let earlier = self.parts().top_ups.numbered_top_up(account, number);
                if let Some(earlier) = earlier.await? {
                    return replayed(earlier, &wanted);
                }
            }
            self.refuse_channel(wanted.channel)?;
            let top_up = AccountTopUp {
                account: account.clone(),
                number,
                reference: wanted.reference.clone(),
                amount: wanted.amount,
                channel: wanted.channel,
                created_at: now,
                expires_at: now.plus(TOP_UP_OPEN_FOR),
            };
            match self.parts().top_ups.create_top_up(&top_up).await? {
                TopUpCreation::Done => return Ok(announced(top_up)),
                // Another is drawn; under a key the first request is looked for.
                TopUpCreation::NumberTaken => {}
                TopUpCreation::ReferenceTaken => {
                    return Err(TopUpError::ReferenceTaken(wanted.reference));
                }
                TopUpCreation::TooMany => return Err(TopUpError::TooMany),
                TopUpCreation::AccountUnknown => {
                    let what = "an authenticated account was not found as its top-up was stored";
                    return Err(PortError::new("top-ups", what).into());
                }
            }
        }
        Err(PortError::new("top-ups", "every number that was drawn is in use").into())
    }

    /// One of the merchant's top-ups.
    ///
    /// # Errors
    /// Refuses a reference under which the merchant announced none.
    pub async fn top_up(
        &self,
        merchant: &Merchant,
        reference: &MerchantReference,
    ) -> Result<TopUpState, TopUpError> {
        let found = self.top_up_of(&merchant.account.id, reference).await?;
        found.ok_or(TopUpError::Unknown)
    }

    /// A part of the merchant's top-ups.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn top_ups(
        &self,
        merchant: &Merchant,
        page: PageOf,
    ) -> Result<TopUpPage, TopUpError> {
        let top_ups = &self.parts().top_ups;
        Ok(top_ups.top_ups(&merchant.account.id, page).await?)
    }

    /// The top-up that an account announced under a reference, for its operator.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn top_up_of(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<TopUpState>, PortError> {
        self.parts().top_ups.top_up(account, reference).await
    }

    /// Top-ups that wait to be confirmed, for their operator.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn unconfirmed_top_ups(
        &self,
        wanted: UnconfirmedTopUps<'_>,
    ) -> Result<Vec<TopUpState>, PortError> {
        self.parts().top_ups.unconfirmed_top_ups(wanted).await
    }

    fn refuse_channel(&self, channel: TopUpChannel) -> Result<(), TopUpError> {
        match (channel, self.receiving_account()) {
            (TopUpChannel::Transfer, None) => Err(TopUpError::NoReceivingAccount),
            (TopUpChannel::Transfer, Some(_)) | (TopUpChannel::Manual, _) => Ok(()),
        }
    }
}

const fn announced(top_up: AccountTopUp) -> TopUpResult {
    TopUpResult {
        state: TopUpState {
            top_up,
            confirmed: None,
        },
        replay: ReplayMark::New,
    }
}

/// What the key of the request announced before, where it is what is wanted now.
fn replayed(earlier: TopUpState, wanted: &NewTopUp) -> Result<TopUpResult, TopUpError> {
    if !earlier.top_up.is_of(wanted) {
        return Err(RequestError::KeyReused.into());
    }
    Ok(TopUpResult {
        state: earlier,
        replay: ReplayMark::Replayed,
    })
}
