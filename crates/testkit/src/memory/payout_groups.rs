//! Groups of bank accounts. One of another account must never be found.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::bank::{GROUPS_MAX, Group, GroupId, GroupVersion};
use domain::statement::Sort;
use ports::PortError;
use ports::batches::PageOf;
use ports::groups::{GroupChange, GroupCreation, GroupPage, GroupUpdate, Groups};

#[async_trait]
impl Groups for MemoryStore {
    async fn create_group(&self, group: &Group) -> Result<GroupCreation, PortError> {
        let mut tables = self.tables();
        if tables.account(&group.account).is_none() {
            return Ok(GroupCreation::AccountUnknown);
        }
        if tables.payout_group(&group.account, group.id).is_some() {
            return Ok(GroupCreation::IdTaken);
        }
        let known = tables.payout_groups.iter();
        let known = known.filter(|known| known.account == group.account);
        if known.count() >= GROUPS_MAX as usize {
            return Ok(GroupCreation::TooMany);
        }
        tables.payout_groups.push(group.clone());
        Ok(GroupCreation::Done)
    }

    async fn update_group(
        &self,
        account: &AccountId,
        id: GroupId,
        update: &GroupUpdate,
    ) -> Result<GroupChange, PortError> {
        let mut tables = self.tables();
        let Some(place) = tables.payout_group(account, id) else {
            return Ok(GroupChange::Unknown);
        };
        let group = &mut tables.payout_groups[place];
        if group.version != update.replaced {
            return Ok(GroupChange::VersionConflict);
        }
        group.version = group.version.next();
        group.content = update.content.clone();
        group.updated_at = update.at;
        Ok(GroupChange::Done)
    }

    async fn remove_group(
        &self,
        account: &AccountId,
        id: GroupId,
        version: GroupVersion,
    ) -> Result<GroupChange, PortError> {
        let mut tables = self.tables();
        let Some(place) = tables.payout_group(account, id) else {
            return Ok(GroupChange::Unknown);
        };
        if tables.payout_groups[place].version != version {
            return Ok(GroupChange::VersionConflict);
        }
        tables.payout_groups.remove(place);
        Ok(GroupChange::Done)
    }

    async fn group(&self, account: &AccountId, id: GroupId) -> Result<Option<Group>, PortError> {
        let tables = self.tables();
        let place = tables.payout_group(account, id);
        Ok(place.map(|place| tables.payout_groups[place].clone()))
    }

    async fn groups(&self, account: &AccountId, page: PageOf) -> Result<GroupPage, PortError> {
        let tables = self.tables();
        let groups = tables.payout_groups.iter();
        let mut groups: Vec<_> = groups.filter(|group| group.account == *account).collect();
        groups.sort_by_key(|group| (group.created_at, group.id));
        if page.sort == Sort::Descending {
            groups.reverse();
        }
        let total = groups.len() as u64;
        let shown = groups.into_iter().map(Group::summary);
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        Ok(GroupPage {
            groups: shown.skip(offset).take(page.length as usize).collect(),
            total,
        })
    }
}

impl MemoryTables {
    fn payout_group(&self, account: &AccountId, id: GroupId) -> Option<usize> {
        let mut groups = self.payout_groups.iter();
        groups.position(|group| group.account == *account && group.id == id)
    }
}
