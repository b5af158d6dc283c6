//! The record of what arrived abroad. The amount must stay in the currency it arrived in.

use crate::record::RecordError;
use crate::record::order::DestinationRecord;
use domain::international::Remittance;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct RemittanceRecord<'a> {
    #[serde(borrow)]
    credited: DestinationRecord<'a>,
}

impl From<&Remittance> for RemittanceRecord<'_> {
    fn from(remittance: &Remittance) -> Self {
        Self {
            credited: remittance.credited.into(),
        }
    }
}

impl RemittanceRecord<'_> {
    pub(super) fn restore(&self) -> Result<Remittance, RecordError> {
        let credited = self.credited.restore("credited")?;
        Ok(Remittance { credited })
    }
}
