//! Templates and flows that merchants keep. They must be written through the writer of
//! their account.

use crate::batches::in_direction;
use crate::connection::StatementAnswer;
use crate::endpoints::LOCK_ACCOUNT;
use crate::error::{failed, wrote};
use crate::rows::bigint;
use crate::store::PostgresStore;
use crate::writer::PostgresWriter;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::messaging_library::{LIBRARY_MAX, LibraryItem, LibraryItemId, LibraryKind};
use ports::PortError;
use ports::batches::PageOf;
use ports::messaging_library::{LibraryCreation, LibraryPage, MessagingLibrary};
use sqlx::Row;
use sqlx::postgres::PgRow;
use storage_sql::record::{LibraryRow, library_document};

/// The columns that [`library_row`] reads.
macro_rules! library_columns {
    () => {
        "account, id, kind, name, created_at"
    };
}

/// What stands in the way of keeping an item: no such account, too many of the kind, its number.
/// One row. The account is locked, so that others that are kept see this one.
const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1),
        (SELECT count(*) FROM messaging_library WHERE account = $1 AND kind = $4) >= $3,
        EXISTS (SELECT 1 FROM messaging_library WHERE account = $1 AND id = $2)";

pub(crate) const KEEP: &str = "
    INSERT INTO messaging_library (account, id, kind, name, content, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)";

pub(crate) const REMOVE: &str =
    "DELETE FROM messaging_library WHERE account = $1 AND id = $2 AND kind = $3";

pub(crate) const ONE: &str = concat!(
    "SELECT ",
    library_columns!(),
    ", content FROM messaging_library WHERE account = $1 AND id = $2"
);

pub(crate) const PAGES: [&str; 2] = [
    concat!(
        "SELECT ",
        library_columns!(),
        " FROM messaging_library WHERE account = $1 AND kind = $4
        ORDER BY created_at, id LIMIT $3 OFFSET $2"
    ),
    concat!(
        "SELECT ",
        library_columns!(),
        " FROM messaging_library WHERE account = $1 AND kind = $4
        ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $2"
    ),
];

pub(crate) const COUNT: &str =
    "SELECT count(*) FROM messaging_library WHERE account = $1 AND kind = $2";

#[async_trait]
impl MessagingLibrary for PostgresStore {
    async fn keep(&self, item: &LibraryItem) -> Result<LibraryCreation, PortError> {
        let item = item.clone();
        self.alone(&item.account.clone(), move |writer| {
            Box::pin(writer.keep_item(item))
        })
        .await
    }

    async fn remove_item(
        &self,
        account: &AccountId,
        item: (LibraryKind, LibraryItemId),
    ) -> Result<bool, PortError> {
        let owner = account.clone();
        self.alone(account, move |writer| {
            Box::pin(writer.remove_item(owner, item))
        })
        .await
    }

    async fn item(
        &self,
        account: &AccountId,
        id: LibraryItemId,
    ) -> Result<Option<LibraryItem>, PortError> {
        let found = sqlx::query(ONE)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .fetch_optional(&self.reads)
            .in_time()
            .await
            .map_err(failed("find a kept item"))?;
        let Some(found) = found else {
            return Ok(None);
        };
        let read = || Ok((library_row(&found)?, found.try_get::<String, _>(5)?));
        let (row, content) = read().map_err(failed("read a kept item"))?;
        row.restore(content, self.cipher()).map(Some)
    }

    async fn items(
        &self,
        account: &AccountId,
        kind: LibraryKind,
        page: PageOf,
    ) -> Result<LibraryPage, PortError> {
        let rows = sqlx::query(in_direction(PAGES, page.sort))
            .bind(account.as_str())
            .bind(bigint(page.offset))
            .bind(i64::from(page.length))
            .bind(kind.code())
            .fetch_all(&self.reads)
            .in_time()
            .await
            .map_err(failed("list the kept items of an account"))?;
        let total: i64 = sqlx::query_scalar(COUNT)
            .bind(account.as_str())
            .bind(kind.code())
            .fetch_one(&self.reads)
            .in_time()
            .await
            .map_err(failed("count the kept items of an account"))?;
        let summary = |row| {
            library_row(row)
                .map_err(failed("read a kept item"))?
                .summary()
        };
        Ok(LibraryPage {
            items: rows.iter().map(summary).collect::<Result<_, _>>()?,
            total: u64::try_from(total).unwrap_or_default(),
        })
    }
}

impl PostgresWriter {
    async fn keep_item(&mut self, item: LibraryItem) -> Result<LibraryCreation, PortError> {
        let content = library_document(&item, self.shared().sealing.fields())?;
        let kind = item.content.kind().code();
        let mut step = self.step().await?;
        sqlx::query(LOCK_ACCOUNT)
            .bind(item.account.as_str())
            .execute(&mut *step)
            .await
            .map_err(failed("lock an account"))?;
        let (account_unknown, too_many, id_taken): (bool, bool, bool) = sqlx::query_as(OBSTACLES)
            .bind(item.account.as_str())
            .bind(bigint(item.id.get()))
            .bind(i64::from(LIBRARY_MAX))
            .bind(kind)
            .fetch_one(&mut *step)
            .await
            .map_err(failed("look for a kept item"))?;
        if account_unknown {
            return Ok(LibraryCreation::AccountUnknown);
        }
        // A retry finds its item also where there is no room for another.
        if id_taken {
            return Ok(LibraryCreation::IdTaken);
        }
        if too_many {
            return Ok(LibraryCreation::TooMany);
        }
        let inserted = sqlx::query(KEEP)
            .bind(item.account.as_str())
            .bind(bigint(item.id.get()))
            .bind(kind)
            .bind(item.name.as_str())
            .bind(content)
            .bind(item.created_at.as_millis())
            .execute(&mut *step)
            .await
            .map_err(failed("keep an item"))?;
        wrote(inserted.rows_affected(), 1, "keep an item")?;
        step.commit().await.map_err(failed("commit an item"))?;
        Ok(LibraryCreation::Done)
    }

    async fn remove_item(
        &mut self,
        account: AccountId,
        (kind, id): (LibraryKind, LibraryItemId),
    ) -> Result<bool, PortError> {
        let mut step = self.step().await?;
        let removed = sqlx::query(REMOVE)
            .bind(account.as_str())
            .bind(bigint(id.get()))
            .bind(kind.code())
            .execute(&mut *step)
            .await
            .map_err(failed("remove a kept item"))?;
        step.commit().await.map_err(failed("commit an item"))?;
        Ok(removed.rows_affected() == 1)
    }
}

fn library_row(row: &PgRow) -> Result<LibraryRow, sqlx::Error> {
    Ok(LibraryRow {
        account: row.try_get(0)?,
        id: row.try_get(1)?,
        kind: row.try_get(2)?,
        name: row.try_get(3)?,
        created_at: row.try_get(4)?,
    })
}
