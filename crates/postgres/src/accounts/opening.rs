//! Opening an account: it, its wallets, its key and its opening balance must be there together or
//! not at all.

use super::{insert_key, notify_change};
use crate::error::{failed, wrote};
use crate::writer::PostgresWriter;
use crate::writer::save::Rows;
use crate::writer::{load, save};
use domain::account::EmailAddress;
use domain::change_set::ChangeSet;
use domain::freeze::FrozenServices;
use domain::money::Currency;
use domain::phone::PhoneNumber;
use ports::PortError;
use ports::accounts::{Created, NewAccount};
use sqlx::postgres::PgConnection;
use std::sync::Arc;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::group_commit::CommitError;
use storage_sql::planner::{ReadSet, plan};
use storage_sql::record::account_status_code;
use storage_sql::row_macs::WalletValues;

const INSERT: &str = "
    INSERT INTO accounts (
        id, name, status, currency, message_currency, time_zone, opened_at, environment, email,
        phone
    )
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (id) DO NOTHING";

const INSERT_WALLET: &str =
    "INSERT INTO wallets (account, currency, available, held, mac) VALUES ($1, $2, 0, 0, $3)";

impl PostgresWriter {
    pub(super) async fn create(&mut self, new: NewAccount) -> Result<Created, PortError> {
        let message = self.changed(&new.account.id)?;
        let shared = Arc::clone(self.shared());
        let mut step = self.step().await?;
        let account = &new.account;
        let inserted = sqlx::query(INSERT)
            .bind(account.id.as_str())
            .bind(account.name.as_str())
            .bind(account_status_code(account.status))
            .bind(account.currency.code())
            .bind(account.message_currency.code())
            .bind(account.time_zone.as_str())
            .bind(account.opened_at.as_millis())
            .bind(account.environment.code())
            .bind(account.contact.email.as_ref().map(EmailAddress::as_str))
            .bind(account.contact.phone.as_ref().map(PhoneNumber::digits))
            .execute(&mut *step)
            .await
            .map_err(failed("insert an account"))?;
        if inserted.rows_affected() == 0 {
            return Ok(Created::IdentityTaken);
        }
        let nothing = FrozenServices::default();
        let owner = (account.id.as_str(), account.environment.code());
        for currency in Currency::ALL {
            let values = WalletValues::opened(owner, currency, &nothing);
            let wallet = sqlx::query(INSERT_WALLET)
                .bind(account.id.as_str())
                .bind(currency.code())
                .bind(shared.sealing.fields().macs().wallet(&values)?)
                .execute(&mut *step)
                .await;
            let wallet = wallet.map_err(failed("insert a wallet"))?;
            wrote(wallet.rows_affected(), 1, "insert a wallet")?;
        }
        insert_key(&mut step, &account.id, &new.key).await?;
        notify_change(&mut step, &message).await?;
        if let Some(funding) = new.funding {
            fund(&mut step, ChangeSet::Fund(funding), shared.sealing.fields()).await?;
        }
        step.commit().await.map_err(failed("commit an account"))?;
        Ok(Created::Done)
    }
}

/// Books the opening balance by the same plan as any other funding.
async fn fund(
    connection: &mut PgConnection,
    funding: ChangeSet,
    cipher: &FieldCipher,
) -> Result<(), PortError> {
    let changes = [funding];
    let known = load::inside(connection, &ReadSet::of(&changes))
        .await
        .map_err(CommitError::into_inner)?
        .known;
    let mut plan = plan(&changes, &known);
    plan.only_is_done("the opening balance")?;
    let rows = Rows::of(&plan, cipher)?;
    let saved = save::rows(connection, rows, None).await;
    saved.map(drop).map_err(CommitError::into_inner)
}
