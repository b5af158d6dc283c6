//! Erasing meter tokens and forgetting requests and incoming messages, as the port says it.

use super::{MemoryStore, TransactionRow};
use async_trait::async_trait;
use domain::provider::Fulfilment;
use domain::time::Timestamp;
use domain::token::Token;
use domain::transaction::State;
use ports::PortError;
use ports::retention::RetentionStore;

#[async_trait]
impl RetentionStore for MemoryStore {
    async fn erase_tokens(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let mut tables = self.tables();
        let mut old: Vec<_> = tables.transactions.iter_mut().collect();
        old.retain(|row| row.transaction.opened_at < before);
        old.sort_by_key(|row| row.transaction.opened_at);
        let tokens = old.into_iter().filter_map(token);
        let numbers = tokens.map(|token| &mut token.number);
        let kept = numbers.filter(|number| number.is_some());
        Ok(kept.take(most as usize).map(Option::take).count() as u64)
    }

    async fn forget_requests(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let mut tables = self.tables();
        tables.request_log.sort_by_key(|row| row.request.at);
        let old = tables.request_log.iter();
        let old = old.take_while(|row| row.request.at < before);
        let count = old.take(most as usize).count();
        tables.request_log.drain(..count);
        Ok(count as u64)
    }

    async fn forget_incoming(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        let mut tables = self.tables();
        Ok(tables.forget_incoming(most, |it| it.recorded_at < before))
    }

    async fn forget_excess_incoming(&self, kept: u32, most: u32) -> Result<u64, PortError> {
        let mut tables = self.tables();
        let excess = tables.incoming_messages.iter();
        let excess = excess.filter(|it| tables.is_followed_by(it, kept));
        let excess: Vec<_> = excess.map(|it| (it.account.clone(), it.id)).collect();
        Ok(tables.forget_incoming(most, |it| excess.contains(&(it.account.clone(), it.id))))
    }
}

fn token(row: &mut TransactionRow) -> Option<&mut Token> {
    let fulfilment = match &mut row.transaction.state {
        State::Successful(delivered) => &mut delivered.fulfilment,
        State::Reversed(reversed) => &mut reversed.delivered.fulfilment,
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Failed(_)
        | State::Cancelled(_)
        | State::Booked(_) => return None,
    };
    match fulfilment {
        Fulfilment::Electricity(vend) => vend.token.as_mut(),
        Fulfilment::Bill(receipt) => receipt.token.as_mut(),
        Fulfilment::Airtime
        | Fulfilment::CableTv
        | Fulfilment::Internet
        | Fulfilment::Sms(_)
        | Fulfilment::Whatsapp(_)
        | Fulfilment::Rcs(_)
        | Fulfilment::Voice(_)
        | Fulfilment::Ivr(_)
        | Fulfilment::Bank
        | Fulfilment::MobileMoney
        | Fulfilment::Card
        | Fulfilment::International(_)
        | Fulfilment::Hlr(_)
        | Fulfilment::Lookup(_) => None,
    }
}
