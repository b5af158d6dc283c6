//! How an account is reached, and finding it by that. An e-mail address or a phone number must
//! belong to one account of an environment: the indexes see to that, also where two instances
//! write at once.

use super::{account, notify_change};
use crate::connection::StatementAnswer;
use crate::error::failed;
use crate::writer::PostgresWriter;
use domain::account::{Account, AccountContact, AccountId, AccountIdentity, EmailAddress};
use domain::environment::Environment;
use domain::phone::PhoneNumber;
use ports::PortError;
use ports::accounts::ContactChange;
use sqlx::error::DatabaseError;
use sqlx::postgres::PgPool;

/// An account by a condition on its row.
macro_rules! by {
    ($condition:literal) => {
        concat!(
            "SELECT a.id, a.status, a.currency, a.message_currency, a.name, a.time_zone,
                a.opened_at, a.environment, a.email, a.phone
            FROM accounts AS a WHERE a.environment = $1 AND ",
            $condition
        )
    };
}

pub(crate) const BY_ID: &str = by!("a.id = $2");

pub(crate) const BY_EMAIL: &str = by!("a.email = $2");

pub(crate) const BY_PHONE: &str = by!("a.phone = $2");

/// Where the account is reached as the caller knew.
pub(crate) const SET_CONTACT: &str = "
    UPDATE accounts SET email = $2, phone = $3
    WHERE id = $1 AND email IS NOT DISTINCT FROM $4 AND phone IS NOT DISTINCT FROM $5";

const IS_THERE: &str = "SELECT EXISTS (SELECT 1 FROM accounts WHERE id = $1)";

/// The unique indexes, as the migration calls them.
const ONE_EMAIL: &str = "accounts_email";
const ONE_PHONE: &str = "accounts_phone";

/// The account of an environment that an identity leads to.
pub(super) async fn find(
    reads: &PgPool,
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
        .in_time()
        .await
        .map_err(failed("find an account by what identifies it"))?;
    row.as_ref().map(|row| account(row, 0)).transpose()
}

impl PostgresWriter {
    pub(super) async fn set_contact(
        &mut self,
        id: AccountId,
        known: AccountContact,
        contact: AccountContact,
    ) -> Result<ContactChange, PortError> {
        let message = self.changed(&id)?;
        let mut step = self.step().await?;
        let set = sqlx::query(SET_CONTACT)
            .bind(id.as_str())
            .bind(contact.email.as_ref().map(EmailAddress::as_str))
            .bind(contact.phone.as_ref().map(PhoneNumber::digits))
            .bind(known.email.as_ref().map(EmailAddress::as_str))
            .bind(known.phone.as_ref().map(PhoneNumber::digits))
            .execute(&mut *step)
            .await;
        let set = match set {
            Ok(set) => set,
            Err(error) => {
                let index = error.as_database_error();
                return match index.and_then(DatabaseError::constraint) {
                    Some(ONE_EMAIL) => Ok(ContactChange::EmailTaken),
                    Some(ONE_PHONE) => Ok(ContactChange::PhoneTaken),
                    Some(_) | None => Err(failed("set how an account is reached")(error)),
                };
            }
        };
        if set.rows_affected() == 0 {
            let is_there: bool = sqlx::query_scalar(IS_THERE)
                .bind(id.as_str())
                .fetch_one(&mut *step)
                .await
                .map_err(failed("find an account"))?;
            return Ok(if is_there {
                ContactChange::Behind
            } else {
                ContactChange::AccountUnknown
            });
        }
        notify_change(&mut step, &message).await?;
        step.commit()
            .await
            .map_err(failed("commit how an account is reached"))?;
        Ok(ContactChange::Done)
    }
}
