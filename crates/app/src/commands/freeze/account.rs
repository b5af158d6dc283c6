//! Freezing an account, one of its services or one of its keys, over the code that merchants freeze
//! with. A merchant must not be able to lift it.

use anyhow::anyhow;
use application::freezes::{FreezeError, FreezeOutcome};
use clap::Args;
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::family::Service;
use domain::freeze::{FreezeOrder, FreezeState, FreezeTarget};
use domain::operator::{Act, OperatorOrder};
use serde::Serialize;

use super::reason;
use crate::commands::{identity, known, moment};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla freeze account --identity shop_1 --reason 'chargebacks, case 12'
  manilla freeze account --identity shop_1 --service bank --reason 'payouts to new accounts' --json

Once this has answered, nothing more is opened that it stops, and nothing of it leaves the queue.
What was sent is concluded, money may come in, and the account reads what it has. A frozen key is
refused whatever it asks for. The merchant reads the reason at GET /security/freeze and is answered
403; only operators let it go on. To refuse every request, use `manilla account suspend`.")]
pub(super) struct AccountFreezeOptions {
    #[command(flatten)]
    pub(super) change: AccountFreezeChange,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla unfreeze account --identity shop_1 --reason 'case 12 is settled'
  manilla unfreeze account --identity shop_1 --key 00c3a5d97b21f04e --reason 'it was another key'

Name what was frozen: an account that goes on leaves a service frozen that was frozen by itself.")]
pub(super) struct AccountUnfreezeOptions {
    #[command(flatten)]
    pub(super) change: AccountFreezeChange,
}

#[derive(Debug, Args)]
pub(super) struct AccountFreezeChange {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// One service alone, such as bank or airtime
    #[arg(long, value_name = "SERVICE", conflicts_with = "key")]
    service: Option<String>,
    /// One key alone, by its keyIdentifier
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Why, in one line; the merchant reads it
    #[arg(long)]
    reason: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    scope: &'static str,
    #[serde(rename = "keyIdentifier")]
    key: Option<String>,
    service: Option<&'static str>,
    status: &'static str,
    /// Whether that is new.
    changed: bool,
    /// Since when it is so; none where it was never frozen.
    since: Option<String>,
}

pub(super) async fn run(
    change: &AccountFreezeChange,
    state: FreezeState,
    config: &Config,
) -> Result<(), Failure> {
    let account = identity(&change.identity)?;
    let order = FreezeOrder {
        target: change.target()?,
        reason: reason(&change.reason)?,
    };
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let done = set(&context, config, (&account, &order, state)).await;
    context.close().await;
    let (outcome, is_new) = done?;
    print(&account, (&outcome, is_new), change.json)
}

impl AccountFreezeChange {
    fn target(&self) -> Result<FreezeTarget, Failure> {
        if let Some(word) = &self.service {
            let service = Service::from_code(word).ok_or_else(|| {
                let words: Vec<_> = Service::all().map(Service::code).collect();
                Failure::flag("--service", format!("must be one of {}", words.join(", ")))
            })?;
            return Ok(FreezeTarget::Service(service));
        }
        let key = self.key.as_deref().map(KeyId::parse).transpose();
        let key = key.map_err(|error| Failure::flag("--key", error))?;
        Ok(key.map_or(FreezeTarget::Account, FreezeTarget::Key))
    }
}

/// Signs it and does it, unless it goes on already. Answers whether that is new.
async fn set(
    context: &AdminContext,
    config: &Config,
    (account, order, state): (&AccountId, &FreezeOrder, FreezeState),
) -> Result<(FreezeOutcome, bool), Failure> {
    known(context, account).await?;
    let refused = |why| refused(why, account);
    let before = context.gateway.operator_freeze(account, order.target).await;
    let is_new = before.map_err(refused)? != Some(state);
    if is_new || state == FreezeState::Frozen {
        let act = match state {
            FreezeState::Frozen => Act::AccountFreeze,
            FreezeState::Active => Act::AccountUnfreeze,
        };
        let signed = OperatorOrder::new(act).to(account).under(order.target);
        sign(context, config, &signed.with(order.reason.as_str())).await?;
    }
    let gateway = &context.gateway;
    let set = gateway.set_freeze_by_operator(account, order, state).await;
    let (outcome, _) = set.map_err(refused)?;
    Ok((outcome, is_new))
}

fn print(
    account: &AccountId,
    (outcome, changed): (&FreezeOutcome, bool),
    is_json: bool,
) -> Result<(), Failure> {
    let since = outcome.latest.as_ref().map(|it| moment(it.created_at));
    if is_json {
        let (key, service) = match outcome.target {
            FreezeTarget::Account => (None, None),
            FreezeTarget::Key(key) => (Some(key.to_string()), None),
            FreezeTarget::Service(service) => (None, Some(service.code())),
        };
        return Ok(output::json(&Document {
            identity: account.as_str(),
            scope: outcome.target.scope().code(),
            key,
            service,
            status: outcome.state.code(),
            changed,
            since,
        })?);
    }
    let what = match outcome.target {
        FreezeTarget::Account => account.to_string(),
        FreezeTarget::Key(_) | FreezeTarget::Service(_) => {
            format!("{} of {account}", outcome.target)
        }
    };
    let already = if changed {
        ""
    } else {
        " already, and set again"
    };
    Ok(output::line(match outcome.state {
        FreezeState::Frozen => format!("{what} is frozen{already}."),
        FreezeState::Active if changed => format!("{what} is not frozen any more."),
        FreezeState::Active => format!("{what} was not frozen by an operator."),
    })?)
}

fn refused(why: FreezeError, account: &AccountId) -> Failure {
    match why {
        FreezeError::KeyUnknown => Failure::flag(
            "--key",
            format!("names no key that opens {account}; nothing was changed"),
        ),
        FreezeError::KeyFrozen
        | FreezeError::ByOperator
        | FreezeError::TooManyToday
        | FreezeError::Request(_) => {
            Failure::from(anyhow!(why).context("it is not certain that it was done; run it again"))
        }
    }
}
