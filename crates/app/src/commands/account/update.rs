//! `manilla account update`: how an account is reached. It must not find out whether an address or
//! a number is its owner's: that is the operator's part.

use anyhow::anyhow;
use clap::{ArgGroup, Args};
use domain::account::{Account, AccountContact, AccountId, AccountIdentity, EmailAddress};
use domain::operator::{Act, OperatorOrder};
use domain::phone::PhoneNumber;
use ports::accounts::ContactChange;
use serde::Serialize;

use crate::commands::{identity, no_such_account};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::{self, sign_as};
use crate::output;

/// How often a change that others came before is tried again.
const TRIES: u8 = 4;

const EMAIL: &str = "e-mail address";
const PHONE: &str = "phone number";

#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("address").args(["email", "no_email"])),
    group(ArgGroup::new("number").args(["phone", "no_phone"])),
    group(
        ArgGroup::new("wanted")
            .required(true)
            .multiple(true)
            .args(["email", "no_email", "phone", "no_phone"]),
    ),
    after_help = "\
An address and a number lead to one account of an environment. Make sure that they are the
merchant's before you set them.

Examples:
  manilla account update --identity shop_1 --email owner@shop.example --phone 2348031234567
  manilla account update --identity shop_1 --no-phone --json")]
pub(crate) struct AccountUpdateOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    /// Its e-mail address
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// It has no e-mail address any more
    #[arg(long)]
    no_email: bool,
    /// Its phone number, in international format
    #[arg(long, value_name = "NUMBER")]
    phone: Option<String>,
    /// It has no phone number any more
    #[arg(long)]
    no_phone: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Changed<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    #[serde(rename = "accEmail")]
    email: Option<&'a str>,
    #[serde(rename = "accPhone")]
    phone: Option<&'a str>,
}

/// What the options name, read; what they do not name stays as it is.
struct ContactUpdate<'a> {
    options: &'a AccountUpdateOptions,
    named: AccountContact,
}

impl<'a> ContactUpdate<'a> {
    fn read(options: &'a AccountUpdateOptions) -> Result<Self, Failure> {
        let email = options.email.as_deref().map(EmailAddress::parse);
        let phone = options.phone.as_deref().map(PhoneNumber::parse);
        let email = email.transpose();
        let phone = phone.transpose();
        let named = AccountContact {
            email: email.map_err(|error| Failure::flag("--email", error))?,
            phone: phone.map_err(|error| Failure::flag("--phone", error))?,
        };
        Ok(Self { options, named })
    }

    fn of(&self, known: AccountContact) -> AccountContact {
        let email = known.email.filter(|_| !self.options.no_email);
        let phone = known.phone.filter(|_| !self.options.no_phone);
        AccountContact {
            email: self.named.email.clone().or(email),
            phone: self.named.phone.clone().or(phone),
        }
    }
}

pub(super) async fn run(options: &AccountUpdateOptions, config: &Config) -> Result<(), Failure> {
    let account = identity(&options.identity)?;
    let update = ContactUpdate::read(options)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let changed = change(&context, config, &account, &update).await;
    context.close().await;
    let contact = changed?;
    if options.json {
        return Ok(output::json(&Changed {
            identity: account.as_str(),
            email: contact.email.as_ref().map(EmailAddress::as_str),
            phone: contact.phone.as_ref().map(PhoneNumber::digits),
        })?);
    }
    let (email, phone) = words(&contact);
    Ok(output::line(format!(
        "{account} has the e-mail address {email} and the phone number {phone}."
    ))?)
}

/// Signs and sets, and again where another change came between. The newest act of an account must
/// say how it is reached, so what was signed for nothing is followed by what is true.
async fn change(
    context: &AdminContext,
    config: &Config,
    account: &AccountId,
    update: &ContactUpdate<'_>,
) -> Result<AccountContact, Failure> {
    let mut signer = None;
    for _ in 0..TRIES {
        let Some(known) = context.accounts.credentials(account).await? else {
            return Err(no_such_account(account));
        };
        let known = known.account;
        let wanted = update.of(known.contact.clone());
        let taken = taken(context, &known, &wanted).await?;
        let contact = taken.map_or(&wanted, |_| &known.contact);
        let is_signed = newest_act(context, account).await? == contact.to_string();
        if !is_signed && (taken.is_none() || signer.is_some()) {
            let signer = match &signer {
                Some(signer) => signer,
                None => signer.insert(operator::signer(config)?),
            };
            let order = OperatorOrder::new(Act::AccountContact).to(account);
            sign_as(context, signer, &order.with(contact.to_string())).await?;
        }
        if let Some(what) = taken {
            let environment = known.environment.code();
            return Err(Failure::from(anyhow!(
                "another {environment} account has this {what}; take it from that one first"
            )));
        }
        if wanted == known.contact {
            return Ok(wanted);
        }
        let accounts = &context.accounts;
        match accounts
            .set_contact(account, &known.contact, &wanted)
            .await?
        {
            ContactChange::Done => return Ok(wanted),
            ContactChange::AccountUnknown => return Err(no_such_account(account)),
            // Read again: the next round sees what came between.
            ContactChange::Behind | ContactChange::EmailTaken | ContactChange::PhoneTaken => {}
        }
    }
    Err(Failure::from(anyhow!(
        "others change how {account} is reached at the same time; nothing was changed, try again"
    )))
}

/// What of a contact belongs to another account of the environment.
async fn taken(
    context: &AdminContext,
    known: &Account,
    wanted: &AccountContact,
) -> Result<Option<&'static str>, Failure> {
    for (what, identity) in identities(wanted) {
        let accounts = &context.accounts;
        let owner = accounts.account_by_identity(known.environment, &identity);
        if owner.await?.is_some_and(|owner| owner.id != known.id) {
            return Ok(Some(what));
        }
    }
    Ok(None)
}

/// What the newest act says of how an account is reached.
async fn newest_act(context: &AdminContext, account: &AccountId) -> Result<String, Failure> {
    let acts = context.operator_log.of_acts(&[Act::AccountContact]).await?;
    let mut newest = acts.into_iter().rev().map(|entry| entry.order);
    let newest = newest.find(|order| order.account == account.as_str());
    Ok(newest.map_or_else(
        || AccountContact::default().to_string(),
        |order| order.detail,
    ))
}

/// By what an account with this contact is found.
fn identities(contact: &AccountContact) -> impl Iterator<Item = (&'static str, AccountIdentity)> {
    let email = contact.email.clone().map(AccountIdentity::Email);
    let phone = contact.phone.clone().map(AccountIdentity::Phone);
    let email = email.map(|identity| (EMAIL, identity));
    email
        .into_iter()
        .chain(phone.map(|identity| (PHONE, identity)))
}

fn words(contact: &AccountContact) -> (&str, &str) {
    let email = contact.email.as_ref().map(EmailAddress::as_str);
    let phone = contact.phone.as_ref().map(PhoneNumber::digits);
    (email.unwrap_or("none"), phone.unwrap_or("none"))
}
