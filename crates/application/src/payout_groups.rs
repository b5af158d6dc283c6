//! An account's groups of bank accounts, as its merchant sees them. A change must never overwrite
//! one that the merchant has not seen.

use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::bank::{Group, GroupContent, GroupId, GroupVersion};
use domain::idempotency::IdempotencyKey;
use ports::PortError;
use ports::batches::PageOf;
pub use ports::groups::GroupPage;
use ports::groups::{GroupChange, GroupCreation, GroupUpdate};

/// How many numbers are drawn for a group: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

/// The version of a group that a request is about, as far as it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenVersion {
    /// The version that the request names as part of what it asks for.
    pub stated: GroupVersion,
    /// The versions in which alone it is to be done; `None` where it is to be done in any.
    pub only_in: Option<Vec<GroupVersion>>,
}

/// Why a request about a group is refused.
#[derive(Debug, thiserror::Error)]
pub enum GroupError {
    /// The account has no such group.
    #[error("no such group")]
    Unknown,
    /// The account has as many groups as it may have.
    #[error("too many groups")]
    TooMany,
    /// The group has another version than the request names.
    #[error("the group has another version")]
    Stale,
    /// The group is in none of the versions in which the request is to be done.
    #[error("the group was changed")]
    Changed,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for GroupError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// A group, and whether the request changed anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupResult {
    /// The group.
    pub group: Group,
    /// Whether an earlier request had made it so.
    pub replay: ReplayMark,
}

impl Gateway {
    /// Creates a group of a merchant; where the merchant's key of the request created one before,
    /// that one is answered.
    ///
    /// # Errors
    /// Refuses one group too many, and a key that was used for another group.
    pub async fn create_group(
        &self,
        merchant: &Merchant,
        content: GroupContent,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<GroupResult, GroupError> {
        let account = &merchant.account.id;
        let now = self.now();
        for _ in 0..DRAWS_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("group", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            let group = Group {
                account: account.clone(),
                id: GroupId::new(number),
                version: GroupVersion::FIRST,
                content: content.clone(),
                created_at: now,
                updated_at: now,
            };
            match self.parts().groups.create_group(&group).await? {
                GroupCreation::Done => return Ok(new(group)),
                GroupCreation::TooMany => return Err(GroupError::TooMany),
                GroupCreation::AccountUnknown => {
                    let what = "an account that was let in has no place for a group";
                    return Err(PortError::new("groups", what).into());
                }
                GroupCreation::IdTaken => {}
            }
            if retry_key.is_none() {
                continue;
            }
            let earlier = self.parts().groups.group(account, group.id).await?;
            // Where it was removed just now, it is made again.
            if let Some(earlier) = earlier {
                let was_changed = earlier.version != GroupVersion::FIRST;
                // What was asked for at first is not known any more once it was changed.
                return if was_changed || earlier.content == content {
                    Ok(replayed(earlier))
                } else {
                    Err(RequestError::KeyReused.into())
                };
            }
        }
        Err(PortError::new("groups", "every number that was drawn is in use").into())
    }

    /// One of the merchant's groups.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's.
    pub async fn group(&self, merchant: &Merchant, id: GroupId) -> Result<Group, GroupError> {
        let found = self.parts().groups.group(&merchant.account.id, id).await?;
        found.ok_or(GroupError::Unknown)
    }

    /// A part of the merchant's groups.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn groups(&self, merchant: &Merchant, page: PageOf) -> Result<GroupPage, GroupError> {
        let groups = &self.parts().groups;
        Ok(groups.groups(&merchant.account.id, page).await?)
    }

    /// Replaces what a group says. A change that was made already by a request with the same
    /// content is answered as made.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's, and a version that the group has not.
    pub async fn update_group(
        &self,
        merchant: &Merchant,
        (id, seen): (GroupId, &SeenVersion),
        content: GroupContent,
    ) -> Result<GroupResult, GroupError> {
        let before = self.group(merchant, id).await?;
        let is_made = before.version == seen.stated.next() && before.content == content;
        if is_made && seen.only_in.is_none() {
            return Ok(replayed(before));
        }
        seen.fits(&before)?;
        let update = GroupUpdate {
            replaced: before.version,
            content: content.clone(),
            at: self.now(),
        };
        let groups = &self.parts().groups;
        let changed = groups.update_group(&merchant.account.id, id, &update);
        seen.unless_raced(changed.await?)?;
        Ok(new(Group {
            version: before.version.next(),
            content,
            updated_at: update.at,
            ..before
        }))
    }

    /// Removes a group. What was paid to it stays as it is.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's, and a version that the group has not.
    pub async fn delete_group(
        &self,
        merchant: &Merchant,
        (id, seen): (GroupId, &SeenVersion),
    ) -> Result<(), GroupError> {
        let before = self.group(merchant, id).await?;
        seen.fits(&before)?;
        let groups = &self.parts().groups;
        let removed = groups.remove_group(&merchant.account.id, id, before.version);
        seen.unless_raced(removed.await?)
    }
}

impl SeenVersion {
    fn fits(&self, group: &Group) -> Result<(), GroupError> {
        let in_any = self.only_in.as_ref();
        if in_any.is_some_and(|versions| !versions.contains(&group.version)) {
            return Err(GroupError::Changed);
        }
        if self.stated != group.version {
            return Err(GroupError::Stale);
        }
        Ok(())
    }

    /// Another request may have been faster since the group was read.
    fn unless_raced(&self, change: GroupChange) -> Result<(), GroupError> {
        match (change, &self.only_in) {
            (GroupChange::Done, _) => Ok(()),
            (GroupChange::Unknown, _) => Err(GroupError::Unknown),
            (GroupChange::VersionConflict, Some(_)) => Err(GroupError::Changed),
            (GroupChange::VersionConflict, None) => Err(GroupError::Stale),
        }
    }
}

const fn new(group: Group) -> GroupResult {
    GroupResult {
        group,
        replay: ReplayMark::New,
    }
}

const fn replayed(group: Group) -> GroupResult {
    GroupResult {
        group,
        replay: ReplayMark::Replayed,
    }
}
