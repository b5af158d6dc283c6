//! The record of a call that runs a flow.

use super::messaging::PartiesRecord;
use crate::record::RecordError;
use crate::record::flow::FlowRecord;
use crate::record::scalar::{MoneyRecord, valid};
use domain::ivr::{FilledFlow, IvrOrder};
use domain::messaging_library::LibraryItemId;
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use domain::voice::CallMinutes;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct IvrRecord<'a> {
    #[serde(borrow, flatten)]
    parties: PartiesRecord<'a>,
    flow_id: u64,
    #[serde(borrow)]
    flow: FlowRecord<'a>,
    minutes: u8,
    call_before: i64,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
}

impl<'a> From<&'a IvrOrder> for IvrRecord<'a> {
    fn from(order: &'a IvrOrder) -> Self {
        Self {
            parties: (&order.parties).into(),
            flow_id: order.flow_id.get(),
            flow: FlowRecord::of(&order.flow, |text| text.as_str().into()),
            minutes: order.minutes.get(),
            call_before: order.call_before.as_millis(),
            amount: order.amount.into(),
        }
    }
}

impl IvrRecord<'_> {
    pub(super) fn restore(self) -> Result<IvrOrder, RecordError> {
        let id = valid(TransactionNumber::try_new(self.flow_id), "flow_id")?;
        Ok(IvrOrder {
            parties: self.parties.restore()?,
            flow_id: LibraryItemId::new(id),
            flow: self
                .flow
                .restore(|text| valid(FilledFlow::text(text), "text"))?,
            minutes: valid(CallMinutes::try_new(self.minutes), "minutes")?,
            call_before: Timestamp::from_millis(self.call_before),
            amount: self.amount.restore("amount")?,
        })
    }
}
