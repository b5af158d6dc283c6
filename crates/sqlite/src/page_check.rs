//! Whether the file is one database from end to end. One that was put together from parts of two,
//! such as a restored file beside the log of another, must not take payments.

use crate::error::{PART, failed};
use crate::store::SqliteStore;
use ports::PortError;

/// Looks at every page, and not at whether indexes and tables agree: as fast as the disk reads.
const PAGES: &str = "PRAGMA quick_check(1)";

/// Looks at everything.
const WHOLE: &str = "PRAGMA integrity_check(1)";

/// The pages of the file.
const BYTES: &str = "
    SELECT p.page_count * s.page_size FROM pragma_page_count AS p, pragma_page_size AS s";

/// What a check says that found nothing.
const SOUND: &str = "ok";

impl SqliteStore {
    /// Opens nothing new until [`Self::check_pages`] has found them sound.
    pub fn await_integrity(&self) {
        self.integrity.set_sound(false);
    }

    /// How many bytes the file has, its log left out.
    ///
    /// # Errors
    /// When the file cannot be looked at.
    pub async fn bytes(&self) -> Result<u64, PortError> {
        let bytes: i64 = sqlx::query_scalar(BYTES)
            .fetch_one(&self.reads)
            .await
            .map_err(failed("ask how large the database file is"))?;
        Ok(u64::try_from(bytes).unwrap_or_default())
    }

    /// Checks every page, and lets new transactions be opened if they are sound.
    ///
    /// # Errors
    /// When the file is damaged; the error says what was found.
    pub async fn check_pages(&self) -> Result<(), PortError> {
        self.check(PAGES).await?;
        self.integrity.set_sound(true);
        Ok(())
    }

    /// Checks everything, indexes against their tables included; while they do not agree, nothing
    /// new is opened.
    ///
    /// # Errors
    /// When the file is damaged; the error says what was found.
    pub async fn check_integrity(&self) -> Result<(), PortError> {
        let whole = self.check(WHOLE).await;
        if whole.is_err() {
            self.await_integrity();
        }
        whole
    }

    async fn check(&self, check: &'static str) -> Result<(), PortError> {
        let found: String = sqlx::query_scalar(check)
            .fetch_one(&self.reads)
            .await
            .map_err(failed("check the integrity of the database file"))?;
        if found == SOUND {
            return Ok(());
        }
        let what = format!("the database file fails its integrity check: {found}");
        Err(PortError::new(PART, what))
    }
}
