//! Refunds. Whether one was given must be looked up among the transfers each time.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::ledger::TransferKind;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::refund::{
    REFUNDS_OPEN_MAX, RefundChannel, RefundDecision, RefundRequest, RefundSettlement, RefundState,
    RefundStatus,
};
use domain::statement::Sort;
use ports::PortError;
use ports::batches::PageOf;
use ports::refunds::{RefundCreation, RefundDeciding, RefundPage, Refunds};

#[async_trait]
impl Refunds for MemoryStore {
    async fn create_refund(&self, refund: &RefundRequest) -> Result<RefundCreation, PortError> {
        let mut tables = self.tables();
        if tables.account(&refund.account).is_none() {
            return Ok(RefundCreation::AccountUnknown);
        }
        let known = tables.refunds_of(&refund.account);
        let any = |is: &dyn Fn(&RefundState) -> bool| known.iter().any(is);
        if any(&|it| it.request.number == refund.number) {
            return Ok(RefundCreation::NumberTaken);
        }
        if any(&|it| it.request.reference == refund.reference) {
            return Ok(RefundCreation::ReferenceTaken);
        }
        let stands = |it: &RefundState| it.status() != RefundStatus::Refused;
        if any(&|it| it.request.transaction == refund.transaction && stands(it)) {
            return Ok(RefundCreation::PaymentTaken);
        }
        let open = known
            .iter()
            .filter(|it| it.verdict().is_none() && it.settled.is_none());
        if open.count() >= REFUNDS_OPEN_MAX as usize {
            return Ok(RefundCreation::TooMany);
        }
        tables.refunds.push(refund.clone());
        Ok(RefundCreation::Done)
    }

    async fn decide_refund(
        &self,
        account: &AccountId,
        number: TransactionNumber,
        decision: &RefundDecision,
    ) -> Result<RefundDeciding, PortError> {
        let mut tables = self.tables();
        let mut known = tables.refunds_of(account).into_iter();
        Ok(match known.find(|it| it.request.number == number) {
            None => RefundDeciding::Unknown,
            Some(state) if state.verdict().is_some() => RefundDeciding::Decided,
            Some(_) => {
                let under = (account.clone(), number);
                tables.refund_decisions.insert(under, decision.clone());
                RefundDeciding::Done
            }
        })
    }

    async fn refund(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<RefundState>, PortError> {
        let mut all = self.tables().refunds_of(account).into_iter();
        Ok(all.find(|it| it.request.reference == *reference))
    }

    async fn numbered_refund(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<RefundState>, PortError> {
        let mut all = self.tables().refunds_of(account).into_iter();
        Ok(all.find(|it| it.request.number == number))
    }

    async fn refunds(&self, account: &AccountId, page: PageOf) -> Result<RefundPage, PortError> {
        let mut all = self.tables().refunds_of(account);
        all.sort_by_key(|it| (it.request.created_at, it.request.number));
        if page.sort == Sort::Descending {
            all.reverse();
        }
        let total = all.len() as u64;
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        let shown = all.into_iter().skip(offset).take(page.length as usize);
        Ok(RefundPage {
            refunds: shown.collect(),
            total,
        })
    }

    async fn waiting_refunds(
        &self,
        account: Option<&AccountId>,
        limit: u32,
    ) -> Result<Vec<RefundState>, PortError> {
        let tables = self.tables();
        let of_account = |it: &&RefundRequest| account.is_none_or(|id| it.account == *id);
        let all = tables.refunds.iter().filter(of_account);
        let all = all.map(|refund| tables.refund_state(refund));
        let mut waiting: Vec<_> = all
            .filter(|it| it.status() == RefundStatus::Pending)
            .collect();
        waiting.sort_by_key(|it| {
            let request = &it.request;
            (request.created_at, request.account.clone(), request.number)
        });
        waiting.truncate(limit as usize);
        Ok(waiting)
    }
}

impl MemoryTables {
    fn refunds_of(&self, account: &AccountId) -> Vec<RefundState> {
        let all = self.refunds.iter().filter(|it| it.account == *account);
        all.map(|refund| self.refund_state(refund)).collect()
    }

    /// A refund with what was decided, and what the ledger says of its payment.
    pub(super) fn refund_state(&self, refund: &RefundRequest) -> RefundState {
        let under = (refund.account.clone(), refund.number);
        let given = |kind: TransferKind, by: RefundChannel| {
            let mut transfers = self.transfers.iter();
            let (_, found) = transfers.find(|(account, transfer)| {
                *account == refund.account
                    && transfer.transaction == Some(refund.transaction)
                    && transfer.kind == kind
            })?;
            Some(RefundSettlement {
                by,
                amount: found.amount,
                at: found.at,
            })
        };
        let credited = given(TransferKind::Refund, RefundChannel::Credit);
        let returned = || given(TransferKind::Reversal, RefundChannel::Provider);
        RefundState {
            request: refund.clone(),
            decision: self.refund_decisions.get(&under).cloned(),
            settled: credited.or_else(returned),
        }
    }
}
