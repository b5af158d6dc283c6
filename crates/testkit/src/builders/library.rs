//! Templates and flows that a merchant keeps.

use super::{START, account_id, call_flow};
use domain::messaging_library::{LibraryContent, LibraryItem, LibraryItemId, LibraryName};
use domain::reference::TransactionNumber;
use domain::sms::MessageTemplate;

/// The number of an item.
pub fn library_id(number: u64) -> LibraryItemId {
    LibraryItemId::new(TransactionNumber::try_new(number).expect("a number"))
}

/// A template that an account keeps under a number, made at [`START`].
pub fn kept_template(account: &str, number: u64) -> LibraryItem {
    let text = MessageTemplate::parse("Dear {first}, we open at 9 {{sharp}}.");
    kept(
        account,
        number,
        LibraryContent::Template(text.expect("a template")),
    )
}

/// The same of [`call_flow`].
pub fn kept_flow(account: &str, number: u64) -> LibraryItem {
    kept(account, number, LibraryContent::Flow(call_flow()))
}

fn kept(account: &str, number: u64, content: LibraryContent) -> LibraryItem {
    LibraryItem {
        account: account_id(account),
        id: library_id(number),
        name: LibraryName::parse("Opening hours").expect("a name"),
        content,
        created_at: START,
    }
}
