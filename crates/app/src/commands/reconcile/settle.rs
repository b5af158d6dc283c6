//! `manilla reconcile settle`: what the provider says of references that only it knows, and booking
//! what a person accepts of it. It must not book anything that was not accepted.

use std::collections::BTreeSet;

use application::Gateway;
use application::settling::{MerchantName, NotSettled, Payer, Proposal, Undecided};
use clap::Args;
use domain::account::AccountId;
use domain::money::Money;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::reference_settlement::SettledAs;
use serde::Serialize;

use super::accepting::Accepting;
use crate::compose::{AdminContext, DataFolder};
use crate::config::{Config, limit_is_everybodys};
use crate::failure::Failure;
use crate::operator::signer;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla reconcile settle
  manilla reconcile settle --accept
  manilla reconcile settle shop_1.order-7.1 --accept
  manilla reconcile settle shop_1.order-8.1 --absorb --accept --json
  manilla reconcile settle 202601151215tejh4b6oorh4mth5 --account shop_1 --reference order-7

The provider is asked about each reference, as for any payment whose outcome is not known. What was
delivered is charged to the account, with a line on its statement, or booked as a loss of the
gateway with --absorb. What was certainly not delivered is closed, and the merchant may use the
reference again. Where the provider has no definite answer nothing is proposed: ask again later. A
payment that is open and has come to another attempt is asked about as that one from then on.

Some providers take references in a form of their own, which do not say whose they are. A merchant
who repeats the payment is answered 409 meanwhile: name the account and the reference of that
request with --account and --reference. The gateway checks that the provider's reference was made of
them, and charges the account. Without them it can only be absorbed, or closed where it was not
delivered.

Nothing is booked without --accept. Each reference is settled once; who accepted a booking is kept.
Above the amount review.dual_control_above two operators are needed: the first proposes, and another
settles by running the same command with a key of their own.

Exit status: 0 if no reference waits to be settled any more, 1 otherwise.")]
pub(crate) struct ReconcileSettleOptions {
    #[arg(
        value_name = "REFERENCE",
        help = "The provider's references, as `manilla reconcile` lists them [default: all]"
    )]
    references: Vec<String>,
    #[arg(
        long,
        value_name = "ID",
        requires = "reference",
        help = "The account that a reference in a provider's own form belongs to"
    )]
    account: Option<String>,
    #[arg(
        long,
        value_name = "REFERENCE",
        requires = "account",
        help = "The merchant's reference that it stands for"
    )]
    reference: Option<String>,
    /// Book what is proposed
    #[arg(long)]
    accept: bool,
    /// Book what was delivered as a loss of the gateway instead of charging the account
    #[arg(long)]
    absorb: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

impl ReconcileSettleOptions {
    /// One reference, whose proposal is booked.
    pub(in crate::commands) fn accepting(reference: String, absorb: bool) -> Self {
        Self {
            references: vec![reference],
            account: None,
            reference: None,
            accept: true,
            absorb,
            json: false,
        }
    }

    /// The same, shown as a document for scripts where that is asked for.
    pub(in crate::commands) fn shown_as_json(self, json: bool) -> Self {
        Self { json, ..self }
    }
}

/// What came of it.
#[derive(Debug, Serialize)]
struct SettleReport {
    references: Vec<Row>,
    /// How many references wait to be settled, also of those that were not asked about.
    unsettled: usize,
}

/// One reference.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    reference: String,
    /// The word of what it would be settled as.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<&'static str>,
    /// Why there is no proposal, or why it was not booked.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    settled: bool,
}

impl Row {
    fn of(reference: &ProviderReference, settled_as: SettledAs) -> Self {
        let amount = settled_as.amount();
        Self {
            reference: reference.to_string(),
            proposal: Some(settled_as.code()),
            amount: amount.map(|amount| amount.to_string()),
            currency: amount.map(|amount| amount.currency().code()),
            ..Self::default()
        }
    }
}

pub(in crate::commands) async fn run(
    options: &ReconcileSettleOptions,
    config: &Config,
) -> Result<(), Failure> {
    limit_is_everybodys(&config.shown).map_err(|wrong| Failure::usage(anyhow::anyhow!(wrong)))?;
    let named = named(options)?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let done = settled(&context, config, (options, named.as_ref())).await;
    context.close().await;
    let outcome = done?;
    if options.json {
        output::json(&outcome)?;
    } else {
        output::line(text(&outcome, options.accept))?;
    }
    if outcome.unsettled == 0 {
        return Ok(());
    }
    Err(Failure::AlreadyReported)
}

/// The account and the merchant's reference that were named.
fn named(options: &ReconcileSettleOptions) -> Result<Option<MerchantName>, Failure> {
    let (Some(account), Some(reference)) = (&options.account, &options.reference) else {
        return Ok(None);
    };
    if options.references.len() != 1 {
        let why = "needs the one reference of the provider that it is about";
        return Err(Failure::flag("--account", why));
    }
    let account = AccountId::parse(account).map_err(|why| Failure::flag("--account", why))?;
    let reference = MerchantReference::parse(reference);
    let reference = reference.map_err(|why| Failure::flag("--reference", why))?;
    Ok(Some((account, reference)))
}

async fn settled(
    context: &AdminContext,
    config: &Config,
    (options, named): (&ReconcileSettleOptions, Option<&MerchantName>),
) -> Result<SettleReport, Failure> {
    let gateway = context.asking(config)?;
    let wanted = wanted(context, &options.references).await?;
    let accepts = options.accept && !wanted.is_empty();
    let signer = accepts.then(|| signer(config)).transpose()?;
    let accepting = signer.as_ref().map(|signer| Accepting {
        context,
        signer,
        alone_up_to: config.settings.dual_control_above,
    });
    let providers: BTreeSet<_> = wanted.iter().map(|(_, provider)| provider).collect();
    for provider in providers {
        // Where it does not answer now it does not answer the questions either.
        if let Err(error) = gateway.make_readable(provider).await {
            tracing::warn!(%error, %provider, "a provider is not ready");
        }
    }
    let mut references = Vec::new();
    for (reference, provider) in wanted {
        let settling = Settling {
            gateway: &gateway,
            reference: &reference,
            provider: &provider,
            named,
        };
        let row = settling.one(options.absorb, accepting.as_ref()).await;
        references.push(row?);
    }
    if references.iter().any(|row| row.settled) {
        // What the provider reported of them meanwhile was not accounted for.
        context.changes.make_due(context.now()).await?;
    }
    let unsettled = context.reconciliation.unsettled().await?.len();
    Ok(SettleReport {
        references,
        unsettled,
    })
}

/// Those that wait, all or the named ones of them.
async fn wanted(
    context: &AdminContext,
    named: &[String],
) -> Result<Vec<(ProviderReference, ProviderId)>, Failure> {
    let unsettled = context.reconciliation.unsettled().await?;
    let waits = |name: &String| {
        let mut listed = unsettled.iter();
        listed.any(|it| it.reference.as_str() == name)
    };
    if let Some(other) = named.iter().find(|name| !waits(name)) {
        let reference = ProviderReference::from_echo(other.clone());
        let why = match context.reconciliation.settled_as(&reference).await? {
            Some(it) => format!("{other} was settled before, as {}", words(it)),
            None => format!("{other} does not wait to be settled; `manilla reconcile` lists those"),
        };
        return Err(Failure::from(anyhow::anyhow!("{why}; nothing was changed")));
    }
    let is_wanted =
        |name: &ProviderReference| named.is_empty() || named.iter().any(|it| it == name.as_str());
    let wanted = unsettled.into_iter();
    let wanted = wanted.filter(|it| is_wanted(&it.reference));
    Ok(wanted.map(|it| (it.reference, it.provider)).collect())
}

/// One reference that waits.
struct Settling<'a> {
    gateway: &'a Gateway,
    reference: &'a ProviderReference,
    provider: &'a ProviderId,
    named: Option<&'a MerchantName>,
}

impl Settling<'_> {
    /// Asks about it, and books what is accepted.
    async fn one(&self, absorb: bool, accepting: Option<&Accepting<'_>>) -> Result<Row, Failure> {
        let (reference, name) = (self.reference, (self.reference, self.provider));
        let proposal = self.gateway.propose_settlement(name, self.named).await?;
        let settled_as = match means(&proposal, absorb) {
            Ok(settled_as) => settled_as,
            Err(because) => {
                let amount = match proposal {
                    Proposal::Delivered { amount, .. } => Some(amount),
                    Proposal::NotDelivered | Proposal::Reopened | Proposal::Undecided(_) => None,
                };
                return Ok(Row {
                    reference: reference.to_string(),
                    amount: amount.map(|amount| amount.to_string()),
                    currency: amount.map(|amount| amount.currency().code()),
                    because: Some(because),
                    ..Row::default()
                });
            }
        };
        let row = Row::of(reference, settled_as);
        let Some(accepting) = accepting else {
            return Ok(row);
        };
        if let Some(entry) = accepting.sign((reference, self.named), settled_as).await? {
            return Ok(Row {
                because: Some(format!(
                    "entry {entry} proposes it; another operator settles it by the same command"
                )),
                ..row
            });
        }
        let by = accepting.signer.name.as_str();
        let decided = (settled_as, by);
        match self
            .gateway
            .settle_reference(name, self.named, decided)
            .await
        {
            Ok(()) => Ok(Row {
                settled: true,
                ..row
            }),
            Err(NotSettled::Store(error)) => Err(error.into()),
            Err(
                why @ (NotSettled::Settled
                | NotSettled::Unfounded
                | NotSettled::Queued
                | NotSettled::AccountUnknown
                | NotSettled::InsufficientFunds(_)
                | NotSettled::NotOurs(_)),
            ) => Ok(Row {
                because: Some(why.to_string()),
                ..row
            }),
        }
    }
}

/// What a reference is to be settled as, or why it is not.
fn means(proposal: &Proposal, absorb: bool) -> Result<SettledAs, String> {
    match proposal {
        Proposal::Delivered { amount, .. } if absorb => Ok(SettledAs::Absorbed(*amount)),
        Proposal::Delivered {
            amount,
            payer: Payer::Account,
        } => Ok(SettledAs::Charged(*amount)),
        Proposal::Delivered {
            amount,
            payer: Payer::Gateway,
        } => Err(format!(
            "{} was delivered and no account is known that can be charged for it; see --account, \
             or book it as a loss with --absorb",
            shown(*amount)
        )),
        Proposal::NotDelivered => Ok(SettledAs::NotDelivered),
        Proposal::Reopened => Ok(SettledAs::Reopened),
        Proposal::Undecided(why @ Undecided::AnotherThanNamed) => Err(why.to_string()),
        Proposal::Undecided(why) => Err(format!("{why}; ask again later")),
    }
}

fn words(settled_as: SettledAs) -> String {
    match settled_as {
        SettledAs::Charged(amount) => format!("charged {}", shown(amount)),
        SettledAs::Absorbed(amount) => format!("absorbed {}", shown(amount)),
        SettledAs::NotDelivered => "not delivered".to_owned(),
        SettledAs::Reopened => "reopened".to_owned(),
    }
}

fn shown(amount: Money) -> String {
    format!("{} {amount}", amount.currency().code())
}

fn text(outcome: &SettleReport, accepted: bool) -> String {
    let mut lines: Vec<_> = outcome.references.iter().map(sentence).collect();
    let settled = outcome.references.iter().filter(|row| row.settled).count();
    let proposed = outcome.references.iter().any(|row| row.proposal.is_some());
    lines.push(match outcome.unsettled {
        0 => "No reference waits to be settled.".to_owned(),
        waiting => format!("{settled} settled now; {waiting} wait to be settled."),
    });
    if !accepted && proposed {
        lines.push("Nothing was changed. --accept books what is proposed.".to_owned());
    }
    lines.join("\n")
}

fn sentence(row: &Row) -> String {
    let amount = match (row.currency, &row.amount) {
        (Some(code), Some(amount)) => format!(" {code} {amount}"),
        (_, _) => String::new(),
    };
    let verb = if row.settled { "settled" } else { "proposed" };
    let proposal = row
        .proposal
        .map(|word| format!("{verb} as {}{amount}", word.replace('_', " ")));
    let parts: Vec<_> = proposal.into_iter().chain(row.because.clone()).collect();
    format!("  {}: {}", row.reference, parts.join("; "))
}

#[cfg(test)]
mod tests {
    use domain::money::Currency;

    use super::*;

    const AMOUNT: Money = Money::from_minor(100_000, Currency::Ngn);

    fn delivered(payer: Payer) -> Proposal {
        Proposal::Delivered {
            amount: AMOUNT,
            payer,
        }
    }

    #[test]
    fn a_delivery_is_charged_unless_the_gateway_absorbs_it_or_must() {
        let charged = means(&delivered(Payer::Account), false);
        assert_eq!(charged, Ok(SettledAs::Charged(AMOUNT)));
        for payer in [Payer::Account, Payer::Gateway] {
            let absorbed = means(&delivered(payer), true);
            assert_eq!(absorbed, Ok(SettledAs::Absorbed(AMOUNT)));
        }
        let why = means(&delivered(Payer::Gateway), false).unwrap_err();
        assert!(why.contains("--absorb"), "{why}");
    }

    #[test]
    fn absorbing_changes_nothing_of_what_was_not_delivered() {
        for absorb in [false, true] {
            let means = |proposal| means(&proposal, absorb);
            let not_delivered = means(Proposal::NotDelivered);
            assert_eq!(not_delivered, Ok(SettledAs::NotDelivered));
            assert_eq!(means(Proposal::Reopened), Ok(SettledAs::Reopened));
            let why = means(Proposal::Undecided(Undecided::Pending)).unwrap_err();
            assert!(why.ends_with("ask again later"), "{why}");
        }
    }

    #[test]
    fn the_text_says_what_was_proposed_and_what_to_do_next() {
        let reference = ProviderReference::from_echo("shop.order-7.1");
        let outcome = SettleReport {
            references: vec![
                Row::of(&reference, SettledAs::Charged(AMOUNT)),
                Row {
                    reference: "shop.order-8.1".into(),
                    because: Some("its provider did not say; ask again later".into()),
                    ..Row::default()
                },
            ],
            unsettled: 2,
        };
        assert_eq!(
            text(&outcome, false),
            "  shop.order-7.1: proposed as charged NGN 1,000.00\n  \
             shop.order-8.1: its provider did not say; ask again later\n\
             0 settled now; 2 wait to be settled.\n\
             Nothing was changed. --accept books what is proposed."
        );
        let outcome = SettleReport {
            references: vec![Row {
                settled: true,
                ..Row::of(&reference, SettledAs::NotDelivered)
            }],
            unsettled: 0,
        };
        assert_eq!(
            text(&outcome, true),
            "  shop.order-7.1: settled as not delivered\nNo reference waits to be settled."
        );
    }
}
