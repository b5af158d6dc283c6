//! What of an answer the log gets. Nothing that was bought, or for whom, may be in it.

use super::{Content, HttpReply};
use wire::tree::Node;

/// What names a payment in the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LoggedReferences<'a> {
    pub(crate) merchant: Option<&'a str>,
    pub(crate) transaction: Option<i64>,
}

impl HttpReply {
    /// What names the payment that it reports: the merchant's reference and ours.
    pub(crate) fn references(&self) -> LoggedReferences<'_> {
        let mut found = LoggedReferences::default();
        if let Content::Success { fields, .. } = &self.content {
            for (name, value) in fields.fields() {
                match (name, value) {
                    ("mrcReference", Node::Text(text)) => found.merchant = Some(text),
                    ("txnReference", Node::Integer(number)) => found.transaction = Some(*number),
                    _ => {}
                }
            }
        }
        found
    }
}
