//! Keys whose place others take. A key must be ended in the step that makes the one after it.

use crate::allowlists;
use crate::error::{failed, wrote};
use ports::PortError;
use ports::access_keys::{AccessKeyCreation, KeyRotation};
use sqlx::sqlite::SqliteConnection;

/// Whether a key is there to be replaced: not revoked, and replaced by none.
pub(crate) const IS_REPLACEABLE: &str = "
    SELECT EXISTS (SELECT 1 FROM access_keys_live WHERE account = ?1 AND id = ?2)
        AND NOT EXISTS (SELECT 1 FROM access_key_ends WHERE account = ?1 AND id = ?2)";

pub(crate) const END: &str = "
    INSERT INTO access_key_ends (account, id, ends_at, replaced_by) VALUES (?1, ?2, ?3, ?4)";

/// Why a key does not take the place of another one.
pub(super) async fn obstacle(
    connection: &mut SqliteConnection,
    rotation: &KeyRotation,
) -> Result<Option<AccessKeyCreation>, PortError> {
    let (account, replaced) = (&rotation.sealed.key.account, rotation.replaced);
    let is_replaceable: bool = sqlx::query_scalar(IS_REPLACEABLE)
        .bind(account.as_str())
        .bind(replaced.0)
        .fetch_one(&mut *connection)
        .await
        .map_err(failed("look for a key to replace"))?;
    if !is_replaceable {
        return Ok(Some(AccessKeyCreation::ReplacedGone));
    }
    let version = allowlists::version(connection, account, replaced).await?;
    let is_seen = version == rotation.allowlist_seen;
    Ok((!is_seen).then_some(AccessKeyCreation::AllowlistChanged))
}

/// Has a key end whose place another one takes, with its allowlist.
pub(super) async fn end(
    connection: &mut SqliteConnection,
    rotation: &KeyRotation,
) -> Result<(), PortError> {
    let key = &rotation.sealed.key;
    let ended = sqlx::query(END)
        .bind(key.account.as_str())
        .bind(rotation.replaced.0)
        .bind(rotation.ends_at.as_millis())
        .bind(key.id.0)
        .execute(&mut *connection)
        .await
        .map_err(failed("end a key that is replaced"))?;
    wrote(ended.rows_affected(), 1, "end a key that is replaced")?;
    match &rotation.allowlist {
        Some(list) => allowlists::insert(connection, list).await,
        None => Ok(()),
    }
}
