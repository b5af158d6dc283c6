//! Many messages of one request. It must not know what they cost.

use super::{Message, SenderSerial};
use crate::batch::OnFailure;
use crate::country::CountryCode;
use crate::reference::MerchantReference;

/// Messages of one sender to numbers of one country, each with its own text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkMessages {
    /// The reference of the batch.
    pub reference: MerchantReference,
    /// What becomes of the rest once one has failed.
    pub on_failure: OnFailure,
    /// The sender of each.
    pub sender: SenderSerial,
    /// The country of each number.
    pub country: CountryCode,
    /// The messages, in the order of the request.
    pub messages: Vec<Message>,
}

/// Most personal fields of a message.
pub const FIELDS_MAX: usize = 20;
