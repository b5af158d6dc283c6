//! Keys that merchants make, and users, read back. A row must pass every rule that a fresh value
//! passes; whether it was altered follows from its seal, which is not judged here.

use super::{RecordError, scalar::valid};
use crate::PART;
use domain::access::{
    AccessKey, AccessKeyName, AccessTerms, AccountUser, AccountUserId, AllowedNetworks, IpNetwork,
    RequestSigning, ScopeSet, UserName, UserRole, UserStep, UserStepKind,
};
use domain::account::{AccountId, EmailAddress};
use domain::credential::{KeyHash, KeyId};
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use ports::PortError;
use ports::access_keys::{LiveAccessKey, RowSeal, SealedAccessKey};
use ports::account_users::{SealedStep, SealedUser};

/// A key as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessKeyRow {
    /// The account.
    pub account: String,
    /// The number.
    pub id: i64,
    /// The name.
    pub name: String,
    /// The first characters.
    pub hint: String,
    /// The keyed hash.
    pub hash: Vec<u8>,
    /// The words of the scopes, with commas in between.
    pub scopes: String,
    /// The networks, with commas in between; without it every address is allowed.
    pub networks: Option<String>,
    /// When it expires, in milliseconds.
    pub expires_at: Option<i64>,
    /// Whether each of its requests is signed.
    pub is_signed: bool,
    /// The number of its user.
    pub user_id: Option<i64>,
    /// When it was made, in milliseconds.
    pub created_at: i64,
    /// The number of the key it was made with.
    pub made_by: i64,
    /// The seal.
    pub seal: Vec<u8>,
}

/// A user as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserRow {
    /// The account.
    pub account: String,
    /// The number.
    pub id: i64,
    /// The e-mail address.
    pub email: String,
    /// The name.
    pub name: String,
    /// The word of the role.
    pub role: String,
    /// The keyed hash of the activation code.
    pub code: Vec<u8>,
    /// When the person was invited, in milliseconds.
    pub created_at: i64,
    /// The number of the key that invited.
    pub made_by: i64,
    /// The seal.
    pub seal: Vec<u8>,
}

/// A step of a user as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserStepRow {
    /// Its place among the steps.
    pub number: i64,
    /// The word of what happened.
    pub kind: String,
    /// When, in milliseconds.
    pub at: i64,
    /// The seal.
    pub seal: Vec<u8>,
}

/// One row of a key beside its user and one step of the user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiveKeyRow {
    /// The key.
    pub key: AccessKeyRow,
    /// The user, where the key names one there is.
    pub user: Option<UserRow>,
    /// The step, where the user has one.
    pub step: Option<UserStepRow>,
    /// When it ends because another one takes its place, in milliseconds.
    pub ends_at: Option<i64>,
}

impl AccessKeyRow {
    /// The row that a key is stored as.
    pub fn of(sealed: &SealedAccessKey) -> Self {
        let key = &sealed.key;
        Self {
            account: key.account.as_str().to_owned(),
            id: key.id.0,
            name: key.name.as_str().to_owned(),
            hint: key.hint.clone(),
            hash: key.hash.0.to_vec(),
            scopes: key.terms.scopes.to_string(),
            networks: networks_text(&key.terms.networks),
            expires_at: key.terms.expires_at.map(Timestamp::as_millis),
            is_signed: key.terms.signing == RequestSigning::Required,
            user_id: key.user.map(user_number),
            created_at: key.created_at.as_millis(),
            made_by: key.made_by.0,
            seal: sealed.seal.0.to_vec(),
        }
    }

    /// The key the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the key.
    pub fn restore(&self) -> Result<SealedAccessKey, PortError> {
        self.read().map_err(|error| {
            let what = format!("key {} of {} cannot be read", KeyId(self.id), self.account);
            PortError::caused(PART, what, error)
        })
    }

    fn read(&self) -> Result<SealedAccessKey, RecordError> {
        let scopes = ScopeSet::parse(&self.scopes);
        let key = AccessKey {
            account: valid(AccountId::parse(&self.account), "account")?,
            id: KeyId(self.id),
            name: valid(AccessKeyName::parse(&self.name), "name")?,
            hint: self.hint.clone(),
            hash: KeyHash(bytes(&self.hash, "hash")?),
            terms: AccessTerms {
                scopes: scopes.ok_or(RecordError::Value("scopes"))?,
                networks: networks(self.networks.as_deref())?,
                expires_at: self.expires_at.map(Timestamp::from_millis),
                signing: if self.is_signed {
                    RequestSigning::Required
                } else {
                    RequestSigning::Unsigned
                },
            },
            user: self.user_id.map(user_id).transpose()?,
            created_at: Timestamp::from_millis(self.created_at),
            made_by: KeyId(self.made_by),
        };
        let seal = RowSeal(bytes(&self.seal, "seal")?);
        Ok(SealedAccessKey { key, seal })
    }
}

impl UserRow {
    /// The row that a user is stored as.
    pub fn of(sealed: &SealedUser) -> Self {
        let user = &sealed.user;
        Self {
            account: user.account.as_str().to_owned(),
            id: user_number(user.id),
            email: user.email.as_str().to_owned(),
            name: user.name.as_str().to_owned(),
            role: user.role.code().to_owned(),
            code: user.code.0.to_vec(),
            created_at: user.created_at.as_millis(),
            made_by: user.made_by.0,
            seal: sealed.seal.0.to_vec(),
        }
    }

    /// The user the row holds, with its steps in their order.
    ///
    /// # Errors
    /// When a row breaks a rule; the error names the user.
    pub fn restore(&self, steps: &[UserStepRow]) -> Result<SealedUser, PortError> {
        self.read(steps).map_err(|error| {
            let what = format!("user {} of {} cannot be read", self.id, self.account);
            PortError::caused(PART, what, error)
        })
    }

    fn read(&self, steps: &[UserStepRow]) -> Result<SealedUser, RecordError> {
        let role = UserRole::from_code(&self.role);
        let user = AccountUser {
            account: valid(AccountId::parse(&self.account), "account")?,
            id: user_id(self.id)?,
            email: valid(EmailAddress::parse(&self.email), "email")?,
            name: valid(UserName::parse(&self.name), "name")?,
            role: role.ok_or(RecordError::Value("role"))?,
            code: KeyHash(bytes(&self.code, "code")?),
            created_at: Timestamp::from_millis(self.created_at),
            made_by: KeyId(self.made_by),
        };
        let steps = steps.iter().map(UserStepRow::read);
        Ok(SealedUser {
            user,
            seal: RowSeal(bytes(&self.seal, "seal")?),
            steps: steps.collect::<Result<_, _>>()?,
        })
    }
}

impl UserStepRow {
    /// The row that a step is stored as.
    pub fn of(sealed: &SealedStep) -> Self {
        let step = sealed.step;
        Self {
            number: step.number.into(),
            kind: step.kind.code().to_owned(),
            at: step.at.as_millis(),
            seal: sealed.seal.0.to_vec(),
        }
    }

    fn read(&self) -> Result<SealedStep, RecordError> {
        let kind = UserStepKind::from_code(&self.kind);
        let step = UserStep {
            number: valid(u32::try_from(self.number), "number")?,
            kind: kind.ok_or(RecordError::Value("kind"))?,
            at: Timestamp::from_millis(self.at),
        };
        let seal = RowSeal(bytes(&self.seal, "seal")?);
        Ok(SealedStep { step, seal })
    }
}

/// The keys of an account out of one row for each step of each user, those of a key together and in
/// the order of the steps. A key that breaks a rule is left out and logged, so that one altered row
/// does not lock an account out; so is a user, whose keys then have none.
pub fn live_access_keys(rows: Vec<LiveKeyRow>) -> Vec<LiveAccessKey> {
    let mut joined: Vec<(LiveKeyRow, Vec<UserStepRow>)> = Vec::new();
    for mut row in rows {
        let step = row.step.take();
        match joined.last_mut() {
            Some((last, steps)) if last.key.id == row.key.id => steps.extend(step),
            Some(_) | None => joined.push((row, step.into_iter().collect())),
        }
    }
    let read = joined.iter().filter_map(|(row, steps)| {
        let user = row.user.as_ref().map(|user| user.restore(steps));
        let sealed = unless_unreadable(row.key.restore())?;
        let user = user.and_then(unless_unreadable);
        let ends_at = row.ends_at.map(Timestamp::from_millis);
        Some(LiveAccessKey {
            sealed,
            user,
            ends_at,
        })
    });
    read.collect()
}

/// What was read; what cannot be read is logged.
pub fn unless_unreadable<T>(read: Result<T, PortError>) -> Option<T> {
    read.inspect_err(|error| {
        tracing::error!(%error, "a row about keys breaks a rule and is not used; run the audit");
    })
    .ok()
}

/// Users with their steps out of one row for each step, those of a user together.
pub fn users_with_steps(
    rows: impl IntoIterator<Item = (UserRow, Option<UserStepRow>)>,
) -> Vec<(UserRow, Vec<UserStepRow>)> {
    let mut joined: Vec<(UserRow, Vec<UserStepRow>)> = Vec::new();
    for (user, step) in rows {
        match joined.last_mut() {
            Some((last, steps)) if last.account == user.account && last.id == user.id => {
                steps.extend(step);
            }
            Some(_) | None => joined.push((user, step.into_iter().collect())),
        }
    }
    joined
}

/// The number of a user in a column.
pub fn user_number(id: AccountUserId) -> i64 {
    i64::try_from(id.get()).unwrap_or(i64::MAX)
}

pub(super) fn user_id(number: i64) -> Result<AccountUserId, RecordError> {
    let number = valid(u64::try_from(number), "user")?;
    let number = valid(TransactionNumber::try_new(number), "user")?;
    Ok(AccountUserId::new(number))
}

fn networks_text(allowed: &AllowedNetworks) -> Option<String> {
    match allowed {
        AllowedNetworks::Everywhere => None,
        AllowedNetworks::Only(networks) => {
            let networks: Vec<_> = networks.iter().map(IpNetwork::to_string).collect();
            Some(networks.join(","))
        }
    }
}

fn networks(text: Option<&str>) -> Result<AllowedNetworks, RecordError> {
    let Some(text) = text else {
        return Ok(AllowedNetworks::Everywhere);
    };
    let networks: Result<Vec<_>, _> = text.split(',').map(IpNetwork::parse).collect();
    Ok(AllowedNetworks::only(valid(networks, "networks")?))
}

fn bytes(column: &[u8], field: &'static str) -> Result<[u8; 32], RecordError> {
    valid(column.try_into(), field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{access_key, account_user, user_step};

    #[test]
    fn a_row_that_breaks_a_rule_is_no_key_and_takes_no_other_with_it() {
        let good = AccessKeyRow::of(&access_key("shop", 1, "Till 1"));
        assert_eq!(good.restore().unwrap(), access_key("shop", 1, "Till 1"));
        let broken = |change: fn(&mut AccessKeyRow)| {
            let mut row = AccessKeyRow::of(&access_key("shop", 2, "Till 2"));
            change(&mut row);
            row
        };
        let broken = [
            broken(|row| row.scopes = "read,root".to_owned()),
            broken(|row| row.scopes = String::new()),
            broken(|row| row.networks = Some(String::new())),
            broken(|row| row.networks = Some("203.0.113.9/24".to_owned())),
            broken(|row| row.hash.truncate(31)),
            broken(|row| row.seal.clear()),
            broken(|row| row.user_id = Some(0)),
            broken(|row| row.name = " ".to_owned()),
        ];
        for row in broken {
            let what = row.restore().unwrap_err().to_string();
            assert!(what.contains("0000000000000002 of shop"), "{what}");
            let rows = [row, good.clone()].map(|key| LiveKeyRow {
                key,
                ..LiveKeyRow::default()
            });
            let live = live_access_keys(rows.to_vec());
            assert_eq!(live.len(), 1);
            assert_eq!(live[0].sealed.key.id, KeyId(1));
        }
    }

    #[test]
    fn the_steps_of_a_user_come_together() {
        let key = AccessKeyRow::of(&access_key("shop", 1, "Till 1"));
        let user = UserRow::of(&account_user("shop", 7));
        let steps: Vec<_> = (1..).zip(UserStepKind::ALL).collect();
        let steps: Vec<_> = steps.iter().map(|(n, kind)| user_step(*n, *kind)).collect();
        let rows = steps.iter().map(|step| LiveKeyRow {
            key: key.clone(),
            user: Some(user.clone()),
            step: Some(UserStepRow::of(step)),
            ends_at: None,
        });
        let live = live_access_keys(rows.collect());
        assert_eq!(live.len(), 1);
        let expected = SealedUser {
            steps,
            ..account_user("shop", 7)
        };
        assert_eq!(live[0].user, Some(expected));
        let unknown = UserRow {
            role: "root".to_owned(),
            ..user
        };
        let row = LiveKeyRow {
            key,
            user: Some(unknown),
            step: None,
            ends_at: None,
        };
        let live = live_access_keys(vec![row]);
        assert_eq!((live.len(), &live[0].user), (1, &None));
    }
}
