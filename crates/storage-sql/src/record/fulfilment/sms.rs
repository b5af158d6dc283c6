//! The record of a message on its way: the status of each part, in the order of the parts. It must
//! not hold the status of the whole, which follows from them.

use crate::record::RecordError;
use crate::record::scalar::{Text, valid, word};
use domain::sms::{DeliveryStatus, Dispatch};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(in crate::record) struct DispatchRecord<'a> {
    #[serde(borrow)]
    parts: Vec<Text<'a>>,
}

impl From<&Dispatch> for DispatchRecord<'_> {
    fn from(dispatch: &Dispatch) -> Self {
        let parts = dispatch.parts().iter();
        Self {
            parts: parts.map(|part| part.code().into()).collect(),
        }
    }
}

impl DispatchRecord<'_> {
    pub(super) fn restore(self) -> Result<Dispatch, RecordError> {
        let parts = self.parts.iter();
        let parts = parts.map(|part| word(DeliveryStatus::from_code(part), "parts"));
        let parts = parts.collect::<Result<_, _>>()?;
        valid(Dispatch::try_from_parts(parts), "parts")
    }
}
