//! Top-ups. Whether one is confirmed must be looked up among the fundings each time.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::Sort;
use domain::top_up::{AccountTopUp, TOP_UPS_OPEN_MAX, TopUpConfirmation, TopUpState};
use ports::PortError;
use ports::batches::PageOf;
use ports::top_ups::{TopUpCreation, TopUpPage, TopUps, UnconfirmedTopUps};

#[async_trait]
impl TopUps for MemoryStore {
    async fn create_top_up(&self, top_up: &AccountTopUp) -> Result<TopUpCreation, PortError> {
        let mut tables = self.tables();
        if tables.account(&top_up.account).is_none() {
            return Ok(TopUpCreation::AccountUnknown);
        }
        let known = tables.top_ups_of(&top_up.account);
        if known.iter().any(|it| it.top_up.number == top_up.number) {
            return Ok(TopUpCreation::NumberTaken);
        }
        let mut references = known.iter().map(|it| &it.top_up.reference);
        if references.any(|reference| *reference == top_up.reference) {
            return Ok(TopUpCreation::ReferenceTaken);
        }
        let open = known
            .iter()
            .filter(|it| it.confirmed.is_none() && it.top_up.expires_at > top_up.created_at);
        if open.count() >= TOP_UPS_OPEN_MAX as usize {
            return Ok(TopUpCreation::TooMany);
        }
        tables.top_ups.push(top_up.clone());
        Ok(TopUpCreation::Done)
    }

    async fn top_up(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<TopUpState>, PortError> {
        let mut all = self.tables().top_ups_of(account).into_iter();
        Ok(all.find(|it| it.top_up.reference == *reference))
    }

    async fn numbered_top_up(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<TopUpState>, PortError> {
        let mut all = self.tables().top_ups_of(account).into_iter();
        Ok(all.find(|it| it.top_up.number == number))
    }

    async fn top_ups(&self, account: &AccountId, page: PageOf) -> Result<TopUpPage, PortError> {
        let mut all = self.tables().top_ups_of(account);
        all.sort_by_key(|it| (it.top_up.created_at, it.top_up.number));
        if page.sort == Sort::Descending {
            all.reverse();
        }
        let total = all.len() as u64;
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        let shown = all.into_iter().skip(offset).take(page.length as usize);
        Ok(TopUpPage {
            top_ups: shown.collect(),
            total,
        })
    }

    async fn unconfirmed_top_ups(
        &self,
        wanted: UnconfirmedTopUps<'_>,
    ) -> Result<Vec<TopUpState>, PortError> {
        let tables = self.tables();
        let of_account = |it: &&AccountTopUp| wanted.account.is_none_or(|id| it.account == *id);
        let all = tables.top_ups.iter().filter(of_account);
        let all = all.map(|top_up| tables.top_up_state(top_up));
        let mut waiting: Vec<_> = all
            .filter(|it| it.confirmed.is_none() && it.top_up.expires_at > wanted.ending_after)
            .collect();
        waiting.sort_by_key(|it| {
            let top_up = &it.top_up;
            (top_up.expires_at, top_up.account.clone(), top_up.number)
        });
        waiting.truncate(wanted.limit as usize);
        Ok(waiting)
    }
}

impl MemoryTables {
    fn top_ups_of(&self, account: &AccountId) -> Vec<TopUpState> {
        let all = self.top_ups.iter().filter(|it| it.account == *account);
        all.map(|top_up| self.top_up_state(top_up)).collect()
    }

    fn top_up_state(&self, top_up: &AccountTopUp) -> TopUpState {
        let under = format!("topup:{}", top_up.number);
        let mut fundings = self.fundings.iter();
        let funding =
            fundings.find(|it| it.account == top_up.account && it.reference.as_str() == under);
        TopUpState {
            top_up: top_up.clone(),
            confirmed: funding.map(|it| TopUpConfirmation {
                amount: it.amount,
                at: it.at,
            }),
        }
    }
}
