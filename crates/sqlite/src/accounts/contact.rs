//! How an account is reached, and finding it by that. An e-mail address or a phone number must
//! belong to one account of an environment.

use super::account;
use crate::error::failed;
use crate::writer::SqliteWriter;
use domain::account::{Account, AccountContact, AccountId, AccountIdentity, EmailAddress};
use domain::environment::Environment;
use domain::phone::PhoneNumber;
use ports::PortError;
use ports::accounts::ContactChange;
use sqlx::sqlite::SqlitePool;

/// An account by a condition on its row.
macro_rules! by {
    ($condition:literal) => {
        concat!(
            "SELECT a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone,
                a.opened_at, a.environment, a.email, a.phone
            FROM accounts AS a WHERE a.environment = ?1 AND ",
            $condition
        )
    };
}

pub(crate) const BY_ID: &str = by!("a.id = ?2");

pub(crate) const BY_EMAIL: &str = by!("a.email = ?2");

pub(crate) const BY_PHONE: &str = by!("a.phone = ?2");

/// Whether the account of `?1` is reached as the caller knew, and whether others of its environment
/// have the e-mail address or the phone number; no row where there is no such account. The one
/// writer sees what it wrote itself.
pub(crate) const OBSTACLES: &str = "
    SELECT
        a.email IS ?4 AND a.phone IS ?5,
        EXISTS (
            SELECT 1 FROM accounts AS o
            WHERE o.environment = a.environment AND o.email = ?2 AND o.id <> a.id
        ),
        EXISTS (
            SELECT 1 FROM accounts AS o
            WHERE o.environment = a.environment AND o.phone = ?3 AND o.id <> a.id
        )
    FROM accounts AS a WHERE a.id = ?1";

pub(crate) const SET_CONTACT: &str = "UPDATE accounts SET email = ?2, phone = ?3 WHERE id = ?1";

/// The account of an environment that an identity leads to.
pub(super) async fn find(
    reads: &SqlitePool,
    environment: Environment,
    identity: &AccountIdentity,
) -> Result<Option<Account>, PortError> {
    let (statement, text) = match identity {
        AccountIdentity::Id(id) => (BY_ID, id.as_str()),
        AccountIdentity::Email(email) => (BY_EMAIL, email.as_str()),
        AccountIdentity::Phone(phone) => (BY_PHONE, phone.digits()),
    };
    let row = sqlx::query(statement)
        .bind(environment.code())
        .bind(text)
        .fetch_optional(reads)
        .await
        .map_err(failed("find an account by what identifies it"))?;
    row.as_ref().map(|row| account(row, 0)).transpose()
}

impl SqliteWriter {
    pub(super) async fn set_contact(
        &mut self,
        id: AccountId,
        known: AccountContact,
        contact: AccountContact,
    ) -> Result<ContactChange, PortError> {
        let email = contact.email.as_ref().map(EmailAddress::as_str);
        let phone = contact.phone.as_ref().map(PhoneNumber::digits);
        let mut step = self.step().await?;
        let obstacles: Option<(bool, bool, bool)> = sqlx::query_as(OBSTACLES)
            .bind(id.as_str())
            .bind(email)
            .bind(phone)
            .bind(known.email.as_ref().map(EmailAddress::as_str))
            .bind(known.phone.as_ref().map(PhoneNumber::digits))
            .fetch_optional(&mut *step)
            .await
            .map_err(failed("look for an account that is reached the same way"))?;
        match obstacles {
            None => return Ok(ContactChange::AccountUnknown),
            Some((false, ..)) => return Ok(ContactChange::Behind),
            Some((true, true, _)) => return Ok(ContactChange::EmailTaken),
            Some((true, false, true)) => return Ok(ContactChange::PhoneTaken),
            Some((true, false, false)) => {}
        }
        sqlx::query(SET_CONTACT)
            .bind(id.as_str())
            .bind(email)
            .bind(phone)
            .execute(&mut *step)
            .await
            .map_err(failed("set how an account is reached"))?;
        step.commit()
            .await
            .map_err(failed("commit how an account is reached"))?;
        Ok(ContactChange::Done)
    }
}
