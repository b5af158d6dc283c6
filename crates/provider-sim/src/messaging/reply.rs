//! Whether a person replies to a message. A sender must be kept of those messages alone.

use domain::phone::PhoneNumber;
use domain::sandbox::TestNumber;
use domain::sms::SenderName;

/// The sender of a message, where the number makes its person reply.
pub(crate) fn sender(number: &PhoneNumber, sender: &SenderName) -> Option<SenderName> {
    let replies = TestNumber::of(number.digits()) == Some(TestNumber::Replies);
    replies.then(|| sender.clone())
}

/// The same from the journal; what is no name is none.
pub(crate) fn read(field: Option<&str>) -> Option<SenderName> {
    SenderName::recorded(field?).ok()
}
