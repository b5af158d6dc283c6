//! `manilla account create`: an account with its first key and opening balance. The key must be
//! shown once and kept nowhere.

use anyhow::Context as _;
use clap::Args;
use domain::account::{Account, AccountContact, AccountId, AccountName, AccountStatus};
use domain::change_set::Funding;
use domain::environment::Environment;
use domain::money::{Currency, Money};
use domain::operator::{Act, OperatorOrder};
use domain::reference::MerchantReference;
use jiff::tz::TimeZoneDatabase;
use ports::accounts::{self, Created};
use serde::Serialize;

use crate::commands::{currency, identity, line, naira};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::SigningAuthority;
use crate::{entropy, output};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla account create --name 'Corner shop' --balance 1000000.00
  manilla account create --name Shop --identity shop_1 --time-zone Africa/Accra --json
  manilla account create --name 'Corner shop' --identity corner_live --live")]
pub(crate) struct AccountCreateOptions {
    /// What people call the account
    #[arg(long)]
    name: String,
    /// Opening balance in naira
    #[arg(
        long,
        default_value = "0.00",
        value_name = "AMOUNT",
        allow_hyphen_values = true
    )]
    balance: String,
    #[arg(
        long,
        value_name = "ID",
        help = "mrcIdentity, the user name of its API requests [default: made up]"
    )]
    identity: Option<String>,
    /// What its messages are charged to: NGN, or CRD for message credits
    #[arg(long, default_value = "NGN", value_name = "CURRENCY")]
    sms_currency: String,
    /// Real money: only providers of the live environment deliver to it
    #[arg(long)]
    live: bool,
    /// Time zone its dates are shown in
    #[arg(long, default_value = DEFAULT_TIME_ZONE, value_name = "ZONE")]
    time_zone: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// Where the sandbox's merchants are.
const DEFAULT_TIME_ZONE: &str = "Africa/Lagos";

/// How many characters of chance an identity that was not chosen has: 62^10 are far too many to
/// guess or to meet twice.
const IDENTITY_CHANCE: usize = 10;

/// The reference the opening balance is paid in under, so that it is paid in once.
const OPENING_REFERENCE: &str = "opening-balance";

/// An account to open.
pub(crate) struct NewAccountView {
    pub(crate) name: AccountName,
    pub(crate) environment: Environment,
    pub(crate) balance: Money,
    pub(crate) identity: Option<AccountId>,
    pub(crate) message_currency: Currency,
    pub(crate) time_zone: String,
}

/// An account that was opened.
#[derive(Debug, Serialize)]
pub(crate) struct OpenedAccount {
    #[serde(rename = "mrcIdentity")]
    pub(crate) identity: String,
    #[serde(rename = "mrcAPIKey")]
    pub(crate) key: String,
    #[serde(rename = "accName")]
    pub(crate) name: String,
    pub(crate) environment: &'static str,
    #[serde(rename = "accBalance")]
    pub(crate) balance: String,
    #[serde(rename = "accCurrency")]
    pub(crate) currency: &'static str,
    #[serde(rename = "accTimezone")]
    pub(crate) time_zone: String,
}

impl NewAccountView {
    /// The account a newcomer is given to try things with.
    pub(crate) fn to_try() -> anyhow::Result<Self> {
        Ok(Self {
            name: AccountName::parse("Sandbox")?,
            environment: Environment::Test,
            balance: Money::parse("1000000.00", Currency::Ngn)?,
            identity: None,
            message_currency: Currency::Ngn,
            time_zone: DEFAULT_TIME_ZONE.to_owned(),
        })
    }

    /// Opens it, with a key that only the answer holds.
    pub(crate) async fn open(
        self,
        context: &AdminContext,
        by: &SigningAuthority,
    ) -> Result<OpenedAccount, Failure> {
        let id = self.identity.map_or_else(made_up_identity, Ok)?;
        let (key, record) = context.new_key((&id, self.environment))?;
        let now = context.now();
        let account = Account {
            id: id.clone(),
            name: self.name,
            contact: AccountContact::default(),
            environment: self.environment,
            status: AccountStatus::Active,
            currency: self.balance.currency(),
            message_currency: self.message_currency,
            time_zone: self.time_zone,
            opened_at: now,
        };
        let funding = self.balance.is_positive().then_some(Funding {
            account: id.clone(),
            reference: MerchantReference::parse(OPENING_REFERENCE)?,
            amount: self.balance,
            narration: "Opening balance".to_owned(),
            at: now,
        });
        let opened = OpenedAccount {
            identity: id.to_string(),
            key,
            name: account.name.as_str().to_owned(),
            environment: account.environment.code(),
            balance: self.balance.to_string(),
            currency: self.balance.currency().code(),
            time_zone: account.time_zone.clone(),
        };
        let new = accounts::NewAccount {
            account,
            key: record,
            funding,
        };
        let order = OperatorOrder::new(Act::AccountOpen)
            .to(&id)
            .with(&new.key.hint);
        let order = match &new.funding {
            Some(it) => order.under(&it.reference).moving(Some(it.amount)),
            None => order,
        };
        by.sign(context, &order).await?;
        match context.accounts.create(&new).await? {
            Created::Done => Ok(opened),
            Created::IdentityTaken => Err(taken(&id)),
        }
    }
}

fn taken(id: &AccountId) -> Failure {
    Failure::from(anyhow::anyhow!(
        "there is an account {id} already; choose another --identity, or leave it out to have one \
         made up"
    ))
}

fn made_up_identity() -> anyhow::Result<AccountId> {
    let chance = entropy::base62(IDENTITY_CHANCE)?;
    Ok(AccountId::parse(&format!("mrc_{chance}"))?)
}

pub(super) async fn run(options: &AccountCreateOptions, config: &Config) -> Result<(), Failure> {
    let new = read(options)?;
    let context = AdminContext::open(config, DataFolder::MadeIfMissing).await?;
    let opened = async {
        if let Some(id) = &new.identity
            && context.accounts.credentials(id).await?.is_some()
        {
            return Err(taken(id));
        }
        new.open(&context, &SigningAuthority::of(config)?).await
    };
    let opened = opened.await;
    context.close().await;
    let opened = opened?;
    if options.json {
        return Ok(output::json(&opened)?);
    }
    let OpenedAccount {
        identity,
        key,
        name,
        environment,
        balance,
        currency,
        ..
    } = &opened;
    Ok(output::line(format!(
        "Opened {name}, a {environment} account, with {currency} {balance}. The key is shown this \
         once:\n\n  \
         mrcIdentity  {identity}\n  mrcAPIKey    {key}"
    ))?)
}

fn read(options: &AccountCreateOptions) -> Result<NewAccountView, Failure> {
    let name = line("--name", &options.name, AccountName::LENGTH_MAX)?;
    let name = AccountName::parse(&name).map_err(|error| Failure::flag("--name", error))?;
    let environment = if options.live {
        Environment::Live
    } else {
        Environment::Test
    };
    Ok(NewAccountView {
        name,
        environment,
        balance: naira("--balance", &options.balance)?,
        identity: options.identity.as_deref().map(identity).transpose()?,
        message_currency: currency("--sms-currency", &options.sms_currency)?,
        time_zone: time_zone(&options.time_zone)?,
    })
}

/// The zone as the database of time zones spells it. Dates of an account in an unknown zone could
/// not be shown.
fn time_zone(name: &str) -> Result<String, Failure> {
    let zone = TimeZoneDatabase::bundled()
        .get(name)
        .with_context(|| format!("--time-zone must be a name such as {DEFAULT_TIME_ZONE}"))
        .map_err(Failure::usage)?;
    Ok(zone.iana_name().unwrap_or(name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_that_is_made_up_is_one() {
        let id = made_up_identity().unwrap();
        assert!(id.as_str().starts_with("mrc_"));
        assert_eq!(id.as_str().len(), 14);
        assert_ne!(made_up_identity().unwrap(), id);
    }

    #[test]
    fn only_a_known_time_zone_is_taken_and_spelt_as_known() {
        assert_eq!(time_zone("africa/lagos").unwrap(), "Africa/Lagos");
        assert!(time_zone("Africa/Atlantis").is_err());
        assert!(time_zone("").is_err());
    }
}
