//! Keys whose place others take. A key must be ended in the step that makes the one after it.

use crate::error::{failed, wrote};
use domain::access::AccessKey;
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::time::Timestamp;
use ports::PortError;
use sqlx::sqlite::SqliteConnection;

/// Whether a key is there to be replaced: not revoked, and replaced by none.
pub(crate) const IS_REPLACEABLE: &str = "
    SELECT EXISTS (SELECT 1 FROM access_keys_live WHERE account = ?1 AND id = ?2)
        AND NOT EXISTS (SELECT 1 FROM access_key_ends WHERE account = ?1 AND id = ?2)";

pub(crate) const END: &str = "
    INSERT INTO access_key_ends (account, id, ends_at, replaced_by) VALUES (?1, ?2, ?3, ?4)";

/// Whether a key is there to be replaced.
pub(super) async fn is_replaceable(
    connection: &mut SqliteConnection,
    account: &AccountId,
    id: KeyId,
) -> Result<bool, PortError> {
    sqlx::query_scalar(IS_REPLACEABLE)
        .bind(account.as_str())
        .bind(id.0)
        .fetch_one(connection)
        .await
        .map_err(failed("look for a key to replace"))
}

/// Has a key end whose place another one takes.
pub(super) async fn end(
    connection: &mut SqliteConnection,
    key: &AccessKey,
    (replaced, ends_at): (KeyId, Timestamp),
) -> Result<(), PortError> {
    let ended = sqlx::query(END)
        .bind(key.account.as_str())
        .bind(replaced.0)
        .bind(ends_at.as_millis())
        .bind(key.id.0)
        .execute(connection)
        .await
        .map_err(failed("end a key that is replaced"))?;
    wrote(ended.rows_affected(), 1, "end a key that is replaced")
}
