//! `manilla case resolve`. It must leave each decision to the code of its kind; what has none is
//! closed by an act that an operator signs.

use application::operators::Decision;
use clap::Args;
use domain::money::{Currency, Money};
use domain::operator::{Act, OperatorOrder};
use domain::reference::MerchantReference;
use serde::Serialize;

use super::show::named;
use super::{CaseKind, CaseView};
use crate::commands::reconcile::settle::{self, ReconcileSettleOptions};
use crate::commands::review::resolve::{self, ReviewResolveOptions, VerdictArg};
use crate::commands::review::vend::VendOptions;
use crate::commands::{dead_letter, identity, line};
use crate::compose::{AdminContext, DataFolder};
use crate::config::{Config, limit_is_everybodys};
use crate::failure::Failure;
use crate::operator::{not_signed, signer};
use crate::output;

/// Longest reason, in characters: it names a document, it is not one.
const REASON_MAX: usize = 500;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla case resolve review:shop_1:order-7 --verdict not-delivered --reason 'letter 2026-14'
  manilla case resolve reference:my-shop:shop_1.order-8.1 --absorb
  manilla case resolve late-delivery:my-shop:shop_1.order-9.1 --reason 'paid back on 5 May'

A review takes --verdict and --reason, and what was handed over, as `manilla review resolve` does. A
reference is asked about and booked, as by `manilla reconcile settle --accept`. A dead letter has
every change that waits tried again. A late delivery and a difference are closed by the signed act
alone, with its reason: no money moves. Above the amount review.dual_control_above two operators are
needed: the first proposes, and another resolves it by the same command.")]
pub(crate) struct CaseResolveOptions {
    /// The case, as `manilla case list` names it
    id: String,
    /// What the decision rests on
    #[arg(long)]
    reason: Option<String>,
    /// A review: delivered or not delivered
    #[arg(long, value_enum)]
    verdict: Option<VerdictArg>,
    /// A reference: book what was delivered as a loss of the gateway
    #[arg(long)]
    absorb: bool,
    #[command(flatten)]
    vend: VendOptions,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    case: &'a str,
    resolved: bool,
    /// The entry of the operators' log that waits for another operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposed: Option<u64>,
}

pub(in crate::commands) async fn run(
    options: CaseResolveOptions,
    config: &Config,
) -> Result<(), Failure> {
    limit_is_everybodys(&config.shown).map_err(|wrong| Failure::usage(anyhow::anyhow!(wrong)))?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let found = named(&context, config, &options.id).await;
    context.close().await;
    let case = found?;
    fits(&options, case.kind)?;
    match case.kind {
        CaseKind::Review => Box::pin(review(options, &case, config)).await,
        CaseKind::Reference => {
            let reference = case.provider_reference.unwrap_or_default();
            let settling = ReconcileSettleOptions::accepting(reference, options.absorb);
            settle::run(&settling.shown_as_json(options.json), config).await
        }
        CaseKind::DeadLetter => dead_letter::retry(options.json, config).await,
        CaseKind::LateDelivery | CaseKind::Difference | CaseKind::Settlement => {
            closed(&options, &case, config).await
        }
    }
}

/// A case that an operator asked over HTTP to resolve, and what the one who grants it adds.
pub(in crate::commands) struct CaseRequest {
    pub(in crate::commands) id: String,
    pub(in crate::commands) verdict: Option<VerdictArg>,
    pub(in crate::commands) reason: String,
    pub(in crate::commands) absorb: bool,
    pub(in crate::commands) vend: VendOptions,
}

impl CaseRequest {
    /// The same as options of the command.
    pub(in crate::commands) fn options(self, is_json: bool) -> CaseResolveOptions {
        let is_reference = self.id.starts_with(CaseKind::Reference.word());
        CaseResolveOptions {
            id: self.id,
            reason: (!is_reference).then_some(self.reason),
            verdict: self.verdict.filter(|_| !is_reference),
            absorb: self.absorb,
            vend: self.vend,
            json: is_json,
        }
    }
}

/// Refuses what cannot resolve its case, before anything is signed.
pub(in crate::commands) async fn check(
    options: &CaseResolveOptions,
    (context, config): (&AdminContext, &Config),
) -> Result<(), Failure> {
    limit_is_everybodys(&config.shown).map_err(|wrong| Failure::usage(anyhow::anyhow!(wrong)))?;
    let case = named(context, config, &options.id).await?;
    fits(options, case.kind)?;
    let (Some(verdict), Some(account), Some(reference)) =
        (options.verdict, &case.identity, &case.reference)
    else {
        return Ok(());
    };
    let account = identity(account)?;
    let reference = MerchantReference::parse(reference).map_err(anyhow::Error::from)?;
    let stored = context
        .gateway
        .under_reference(&account, &reference)
        .await?;
    let Some(stored) = stored else {
        return Ok(());
    };
    resolve::verdict(&stored.order, (verdict, &options.vend)).map(drop)
}

/// Refuses what a case of the kind does not take, so that nothing is dropped in silence.
fn fits(options: &CaseResolveOptions, kind: CaseKind) -> Result<(), Failure> {
    let takes_reason = match kind {
        CaseKind::Review | CaseKind::LateDelivery | CaseKind::Difference | CaseKind::Settlement => {
            true
        }
        CaseKind::Reference | CaseKind::DeadLetter => false,
    };
    let is_review = kind == CaseKind::Review;
    let checks = [
        (
            "--reason",
            options.reason.is_some(),
            takes_reason,
            takes_reason,
        ),
        ("--verdict", options.verdict.is_some(), is_review, is_review),
        (
            "--absorb",
            options.absorb,
            kind == CaseKind::Reference,
            false,
        ),
    ];
    for (flag, is_given, is_taken, is_needed) in checks {
        if is_given && !is_taken {
            let wrong = format!("belongs to other cases; a {} takes none", kind.word());
            return Err(Failure::flag(flag, wrong));
        }
        if is_needed && !is_given {
            return Err(Failure::flag(
                flag,
                format!("is needed for a {}", kind.word()),
            ));
        }
    }
    match options.vend.given().filter(|_| !is_review) {
        Some(flag) => Err(Failure::flag(flag, "belongs to reviews; leave it out")),
        None => Ok(()),
    }
}

async fn review(
    options: CaseResolveOptions,
    case: &CaseView,
    config: &Config,
) -> Result<(), Failure> {
    let (Some(verdict), Some(reason)) = (options.verdict, options.reason) else {
        return Err(Failure::flag(
            "--verdict",
            "and --reason are needed for a review",
        ));
    };
    let ruling = ReviewResolveOptions {
        identity: case.identity.clone().unwrap_or_default(),
        reference: case.reference.clone().unwrap_or_default(),
        verdict,
        evidence: reason,
        vend: options.vend,
        json: options.json,
    };
    resolve::run(&ruling, config).await
}

/// Closes a case that no other code decides about.
async fn closed(
    options: &CaseResolveOptions,
    case: &CaseView,
    config: &Config,
) -> Result<(), Failure> {
    let reason = options.reason.as_deref().unwrap_or_default();
    let reason = line("--reason", reason, REASON_MAX)?;
    let amount = case.minor.zip(case.currency.and_then(Currency::from_code));
    let amount = amount.map(|(minor, currency)| Money::from_minor(minor, currency));
    let order = OperatorOrder::new(Act::CaseResolve).under(&case.id);
    let order = order.moving(amount).with(&reason);
    let alone_up_to = config.settings.dual_control_above.minor();
    let needs_two = amount.map_or(0, Money::minor) > alone_up_to;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let signed = async {
        let operator = signer(config)?;
        let operators = &context.operators;
        if !needs_two {
            let entry = operators.sign(&operator, &order).await;
            return entry.map(|_| None).map_err(not_signed);
        }
        let decided = operators.decide(&operator, &order).await;
        Ok(match decided.map_err(not_signed)? {
            Decision::Approved { .. } => None,
            Decision::Proposed { entry } => Some(entry),
        })
    };
    let signed = signed.await;
    context.close().await;
    let proposed = signed?;
    if options.json {
        return Ok(output::json(&Document {
            case: &case.id,
            resolved: proposed.is_none(),
            proposed,
        })?);
    }
    Ok(output::line(match proposed {
        None => format!("{} is resolved.", case.id),
        Some(entry) => format!(
            "Entry {entry} proposes it; another operator resolves {} by the same command.",
            case.id
        ),
    })?)
}
