//! Versions of the catalogue, as a list.

use super::MemoryStore;
use async_trait::async_trait;
use ports::PortError;
use ports::catalogue_versions::{
    CataloguePublication, CatalogueReading, CatalogueVersion, CatalogueVersions, LEAD_MIN,
    NewCatalogueVersion,
};

#[async_trait]
impl CatalogueVersions for MemoryStore {
    async fn versions(&self, after: u32) -> Result<CatalogueReading, PortError> {
        let tables = self.tables();
        let versions = tables.catalogue_versions.iter().map(|(version, _)| version);
        let versions = versions.filter(|it| it.number > after);
        Ok(CatalogueReading {
            now: self.clock.now(),
            versions: versions.cloned().collect(),
        })
    }

    async fn document(&self, number: u32) -> Result<Option<String>, PortError> {
        let tables = self.tables();
        let mut versions = tables.catalogue_versions.iter();
        let found = versions.find(|(version, _)| version.number == number);
        Ok(found.map(|(_, document)| document.clone()))
    }

    async fn publish(&self, new: &NewCatalogueVersion) -> Result<CataloguePublication, PortError> {
        let mut tables = self.tables();
        let now = self.clock.now();
        let last = tables.catalogue_versions.last();
        if last.map_or(0, |(version, _)| version.number) + 1 != new.number {
            return Ok(CataloguePublication::OutOfTurn);
        }
        if new.effective_from < now.plus(LEAD_MIN) {
            return Ok(CataloguePublication::TooSoon(now));
        }
        let version = CatalogueVersion {
            number: new.number,
            effective_from: new.effective_from,
            published_at: now,
            published_by: new.published_by.clone(),
            reason: new.reason.clone(),
            digest: new.digest,
            changes: new.changes.clone(),
        };
        let document = new.document.clone();
        tables.catalogue_versions.push((version, document));
        Ok(CataloguePublication::Done)
    }
}
