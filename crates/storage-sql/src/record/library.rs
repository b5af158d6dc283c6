//! Templates and flows that merchants keep, read back. A row must pass every rule that a fresh item
//! passes.

use super::flow::FlowRecord;
use super::scalar::{Text, valid, word};
use super::{RecordError, opened};
use crate::PART;
use crate::field_cipher::FieldCipher;
use domain::account::AccountId;
use domain::messaging_library::{
    LibraryContent, LibraryItem, LibraryItemId, LibraryKind, LibraryName, LibrarySummary,
};
use domain::reference::TransactionNumber;
use domain::sms::MessageTemplate;
use domain::time::Timestamp;
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What an item holds, as stored. Texts are as [`MessageTemplate::parse`] reads them.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ContentRecord<'a> {
    #[serde(borrow)]
    Template(Text<'a>),
    #[serde(borrow)]
    Flow(FlowRecord<'a>),
}

/// An item as stored, but for what it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LibraryRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub id: i64,
    /// The word for its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// When it was made, in milliseconds.
    pub created_at: i64,
}

impl LibraryRow {
    /// The item with what its document says.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the item.
    pub fn restore(
        &self,
        document: String,
        cipher: &FieldCipher,
    ) -> Result<LibraryItem, PortError> {
        let id = self.id.to_string();
        let document = cipher.open(&place(&self.account, &id), document);
        let read = opened("content", &document).and_then(|()| self.item(&document));
        read.map_err(|error| self.unreadable(error))
    }

    /// The item without what it holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the item.
    pub fn summary(&self) -> Result<LibrarySummary, PortError> {
        self.read().map_err(|error| self.unreadable(error))
    }

    fn unreadable(&self, error: RecordError) -> PortError {
        let what = format!("item {} of {} cannot be read", self.id, self.account);
        PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
    }

    fn item(&self, document: &str) -> Result<LibraryItem, RecordError> {
        let LibrarySummary {
            id,
            name,
            created_at,
        } = self.read()?;
        let content = content(document)?;
        if content.kind() != word(LibraryKind::from_code(&self.kind), "kind")? {
            return Err(RecordError::Value("kind"));
        }
        Ok(LibraryItem {
            account: valid(AccountId::parse(&self.account), "account")?,
            id,
            name,
            content,
            created_at,
        })
    }

    fn read(&self) -> Result<LibrarySummary, RecordError> {
        let id = u64::try_from(self.id).unwrap_or_default();
        Ok(LibrarySummary {
            id: LibraryItemId::new(valid(TransactionNumber::try_new(id), "id")?),
            name: valid(LibraryName::parse(&self.name), "name")?,
            created_at: Timestamp::from_millis(self.created_at),
        })
    }
}

/// What an item holds, as it is stored.
///
/// # Errors
/// When it cannot be written.
pub fn library_document(item: &LibraryItem, cipher: &FieldCipher) -> Result<String, PortError> {
    let template = |text: &MessageTemplate| Text::from(Cow::<str>::Owned(text.to_string()));
    let record = match &item.content {
        LibraryContent::Template(text) => ContentRecord::Template(template(text)),
        LibraryContent::Flow(flow) => ContentRecord::Flow(FlowRecord::of(flow, template)),
    };
    let broken = |error| PortError::caused(PART, "write what an item holds", error);
    let document = serde_json::to_string(&record).map_err(broken)?;
    let id = item.id.to_string();
    cipher.seal(&place(item.account.as_str(), &id), &document)
}

const fn place<'a>(account: &'a str, id: &'a str) -> [&'a str; 3] {
    ["messaging_library.content", account, id]
}

fn content(document: &str) -> Result<LibraryContent, RecordError> {
    let shape = |source| RecordError::Shape {
        document: "content",
        source,
    };
    let text = |text: &str| valid(MessageTemplate::parse(text), "text");
    let record: ContentRecord<'_> = serde_json::from_str(document).map_err(shape)?;
    Ok(match record {
        ContentRecord::Template(said) => LibraryContent::Template(text(&said)?),
        ContentRecord::Flow(flow) => LibraryContent::Flow(flow.restore(text)?),
    })
}
