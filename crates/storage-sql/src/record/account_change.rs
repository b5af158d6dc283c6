//! Changes of accounts, read back. Whether a row was altered follows from its hash and its seal,
//! which are not judged here.

use super::access::{user_id, user_number};
use super::{RecordError, scalar::valid};
use crate::PART;
use domain::account::AccountId;
use domain::account_change::{AccountChange, ActorKind, ChainHash, ChangeAction, ChangeActor};
use domain::credential::KeyId;
use domain::time::Timestamp;
use ports::PortError;
use ports::access_keys::RowSeal;
use ports::account_changes::{ChainedChange, SealedChange};

/// A change of an account as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountChangeRow {
    /// The account.
    pub account: String,
    /// Its place in the chain of the account.
    pub number: i64,
    /// The word of the kind of who made it.
    pub actor: String,
    /// The number of the key.
    pub key: Option<i64>,
    /// The number of the user.
    pub user_id: Option<i64>,
    /// The word of what was done.
    pub action: String,
    /// What it was done to.
    pub target: String,
    /// What it was before.
    pub before: Option<String>,
    /// What it is now.
    pub after: Option<String>,
    /// The address of the client.
    pub address: Option<String>,
    /// By what the request is found in the log.
    pub request_id: Option<String>,
    /// When, in milliseconds.
    pub at: i64,
    /// The seal.
    pub seal: Vec<u8>,
    /// The hash of the row before it.
    pub previous: Vec<u8>,
    /// The hash of this row.
    pub hash: Vec<u8>,
}

/// The number and the hash of the last change of an account, as stored.
///
/// # Errors
/// When they break a rule.
pub fn last_change(row: Option<(i64, Vec<u8>)>) -> Result<(u64, ChainHash), PortError> {
    let Some((number, hash)) = row else {
        return Ok((0, ChainHash::NONE));
    };
    let read = || -> Result<_, RecordError> {
        let number = valid(u64::try_from(number), "number")?;
        Ok((number, ChainHash(bytes(&hash, "hash")?)))
    };
    read().map_err(|error| {
        PortError::caused(PART, "the last change of an account cannot be read", error)
    })
}

impl AccountChangeRow {
    /// The row that a change is stored as.
    pub fn of(chained: &ChainedChange) -> Self {
        let SealedChange { change, seal } = &chained.sealed;
        Self {
            account: change.account.as_str().to_owned(),
            number: i64::try_from(chained.number).unwrap_or(i64::MAX),
            actor: change.actor.kind().code().to_owned(),
            key: change.actor.key().map(|key| key.0),
            user_id: change.actor.user().map(user_number),
            action: change.action.code().to_owned(),
            target: change.target.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
            address: change.address.map(|address| address.to_string()),
            request_id: change.request_id.clone(),
            at: change.at.as_millis(),
            seal: seal.0.to_vec(),
            previous: chained.previous.0.to_vec(),
            hash: chained.hash.0.to_vec(),
        }
    }

    /// The change the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the change.
    pub fn restore(&self) -> Result<ChainedChange, PortError> {
        self.read().map_err(|error| {
            let what = format!("change {} of {} cannot be read", self.number, self.account);
            PortError::caused(PART, what, error)
        })
    }

    fn read(&self) -> Result<ChainedChange, RecordError> {
        let kind = ActorKind::from_code(&self.actor).ok_or(RecordError::Value("actor"))?;
        let user = self.user_id.map(user_id).transpose()?;
        let actor = match (kind, user, self.key.map(KeyId)) {
            (ActorKind::User, Some(user), Some(key)) => ChangeActor::User(user, key),
            (ActorKind::Key, None, Some(key)) => ChangeActor::Key(key),
            (ActorKind::System, None, None) => ChangeActor::System,
            (ActorKind::User | ActorKind::Key | ActorKind::System, ..) => {
                return Err(RecordError::Value("actor"));
            }
        };
        let action = ChangeAction::from_code(&self.action);
        let address = self.address.as_deref().map(str::parse);
        let change = AccountChange {
            account: valid(AccountId::parse(&self.account), "account")?,
            actor,
            action: action.ok_or(RecordError::Value("action"))?,
            target: self.target.clone(),
            before: self.before.clone(),
            after: self.after.clone(),
            address: valid(address.transpose(), "address")?,
            request_id: self.request_id.clone(),
            at: Timestamp::from_millis(self.at),
        };
        Ok(ChainedChange {
            number: valid(u64::try_from(self.number), "number")?,
            sealed: SealedChange {
                change,
                seal: RowSeal(bytes(&self.seal, "seal")?),
            },
            previous: ChainHash(bytes(&self.previous, "previous")?),
            hash: ChainHash(bytes(&self.hash, "hash")?),
        })
    }
}

fn bytes(column: &[u8], field: &'static str) -> Result<[u8; 32], RecordError> {
    valid(column.try_into(), field)
}
