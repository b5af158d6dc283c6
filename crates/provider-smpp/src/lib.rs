//! The adapter of SMPP 3.4: text messages to and from any SMSC or aggregator that gives a bind. It
//! keeps no state but its sessions and parts that are not acknowledged yet, writes each `submit_sm`
//! once, and must never read silence, or a status that its table does not list, as a refusal.

mod adapter;
mod binds;
mod codes;
mod deliveries;
mod frame;
mod gsm;
mod link;
mod message;
mod outcome;
mod people;
mod provider;
mod receipt;
mod reply_numbers;
mod sending;
mod session;
mod settings;

pub use adapter::SmppAdapter;
pub use codes::{InvalidVendorStatuses, PartMeaning, SmppState, SmppStatus, StatusTable};
pub use provider::{OpenSmppError, SmppProvider};
pub use reply_numbers::{InvalidReplyNumbers, ReplyNumbers};
pub use settings::{
    BindMode, ConcatenationReference, InvalidSmppSetting, LongMessages, MessageIdForm, PlainSmpp,
    SmppCredentials, SmppSettings, SmppTarget,
};
