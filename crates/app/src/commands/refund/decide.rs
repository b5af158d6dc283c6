//! `manilla refund approve` and `manilla refund refuse`. Nothing may be given back before operators
//! have signed it, nor twice.

use anyhow::anyhow;
use application::operators::{Decision, Signer};
use application::refunds::RefundDecisionRefused;
use clap::Args;
use domain::account::AccountId;
use domain::operator::{Act, OperatorOrder};
use domain::reference::MerchantReference;
use domain::refund::{RefundDecision, RefundRequest, RefundState, RefundVerdict};
use serde::Serialize;

use crate::commands::{identity, known, line};
use crate::compose::{AdminContext, DataFolder};
use crate::config::{Config, limit_is_everybodys};
use crate::failure::Failure;
use crate::operator::{not_signed, sign_as, signer};
use crate::output;

/// Longest reason of a refusal, in characters.
const REASON_MAX: usize = 500;

#[derive(Debug, Args)]
#[command(after_help = "\
The price, or the part of it that was asked for, comes back to the account at the gateway's cost,
once. Approving again changes nothing; after a crash it gives what was not given.

Examples:
  manilla refund approve --identity shop_1 --reference back-1
  manilla refund approve --identity shop_1 --reference back-1 --json

Above the amount review.dual_control_above two operators decide: the first proposes it, and another
decides it by running the very same command with a key of their own.")]
pub(crate) struct RefundApproveOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[arg(long, help = "mrcReference of the refund")]
    reference: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Nothing comes back. The merchant may ask for another refund of the payment.

Examples:
  manilla refund refuse --identity shop_1 --reference back-1 --reason 'the network confirms it'")]
pub(crate) struct RefundRefuseOptions {
    #[arg(long, value_name = "ID", help = "mrcIdentity of the account")]
    identity: String,
    #[arg(long, help = "mrcReference of the refund")]
    reference: String,
    /// Why, for the log of operators
    #[arg(long)]
    reason: String,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// What either command is given.
pub(super) struct RefundChoice {
    identity: String,
    reference: String,
    reason: Option<String>,
    json: bool,
}

impl RefundApproveOptions {
    pub(super) fn choice(self) -> RefundChoice {
        RefundChoice {
            identity: self.identity,
            reference: self.reference,
            reason: None,
            json: self.json,
        }
    }
}

impl RefundRefuseOptions {
    pub(super) fn choice(self) -> RefundChoice {
        RefundChoice {
            identity: self.identity,
            reference: self.reference,
            reason: Some(self.reason),
            json: self.json,
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(rename = "mrcIdentity")]
    identity: &'a str,
    #[serde(rename = "mrcReference")]
    reference: &'a str,
    #[serde(rename = "rfdStatus")]
    status: &'static str,
    /// The entry of the operators' log that waits for another operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposed: Option<u64>,
}

pub(super) async fn run(
    (verdict, choice): (RefundVerdict, &RefundChoice),
    config: &Config,
) -> Result<(), Failure> {
    let account = identity(&choice.identity)?;
    let reference = MerchantReference::parse(&choice.reference)
        .map_err(|error| Failure::flag("--reference", error))?;
    let reason = choice.reason.as_deref();
    let reason = reason.map(|text| line("--reason", text, REASON_MAX));
    let reason = reason.transpose()?;
    limit_is_everybodys(&config.shown).map_err(|wrong| Failure::usage(anyhow!(wrong)))?;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let decided = async {
        known(&context, &account).await?;
        let state = asked(&context, &account, &reference).await?;
        let detail = detail(&state, reason.as_deref());
        let signer = signer(config)?;
        Box::pin(decide(&context, &signer, (state, verdict, detail))).await
    };
    let decided = decided.await;
    context.close().await;
    let (state, proposed) = decided?;
    let decided = DecidedRefund {
        state: &state,
        proposed,
    };
    decided.print(choice.json)
}

/// What became of a refund.
pub(in crate::commands) struct DecidedRefund<'a> {
    pub(in crate::commands) state: &'a RefundState,
    /// The entry of the operators' log that waits for another operator.
    pub(in crate::commands) proposed: Option<u64>,
}

impl DecidedRefund<'_> {
    pub(in crate::commands) fn print(&self, is_json: bool) -> Result<(), Failure> {
        let RefundRequest {
            account, reference, ..
        } = &self.state.request;
        let status = self.state.status().code();
        if is_json {
            return Ok(output::json(&Answer {
                identity: account.as_str(),
                reference: reference.as_str(),
                status,
                proposed: self.proposed,
            })?);
        }
        Ok(output::line(match self.proposed {
            None => format!("Refund {reference} of {account} is {status}."),
            Some(entry) => format!(
                "Entry {entry} proposes it; refund {reference} of {account} is {status} still. \
                 Another operator decides it by the same command."
            ),
        })?)
    }
}

async fn asked(
    context: &AdminContext,
    account: &AccountId,
    reference: &MerchantReference,
) -> Result<RefundState, Failure> {
    let found = context.gateway.refund_of(account, reference).await?;
    found.ok_or_else(|| {
        anyhow!(
            "{account} asked for no refund {reference}; `manilla refund list --identity {account}` \
             shows what waits"
        )
        .into()
    })
}

/// What the act is signed with: the payment, and why it is refused.
fn detail(state: &RefundState, reason: Option<&str>) -> String {
    let original = &state.request.original;
    match reason {
        None => format!("payment {original}"),
        Some(reason) => format!("payment {original}: {reason}"),
    }
}

/// The refund as it is now, and the entry that waits for another operator.
pub(in crate::commands) async fn decide(
    context: &AdminContext,
    signer: &Signer,
    (state, verdict, detail): (RefundState, RefundVerdict, String),
) -> Result<(RefundState, Option<u64>), Failure> {
    let mut decision = RefundDecision {
        verdict,
        by: signer.name.clone(),
        confirmed_by: None,
        at: context.now(),
    };
    match state.verdict() {
        Some(before) if before != verdict => {
            return Err(unchanged(RefundDecisionRefused::Decided(before)));
        }
        // It is decided and signed: what was not given is given.
        Some(_) => {}
        None => {
            let order = order(&state, verdict, &detail);
            match context.gateway.may_decide(&state, &decision) {
                Ok(()) => sign_as(context, signer, &order).await?,
                Err(RefundDecisionRefused::SecondPersonNeeded) => {
                    let decided = context.operators.decide(signer, &order).await;
                    match decided.map_err(not_signed)? {
                        Decision::Proposed { entry } => return Ok((state, Some(entry))),
                        Decision::Approved { proposed_by } => {
                            decision.by = proposed_by;
                            decision.confirmed_by = Some(signer.name.clone());
                        }
                    }
                }
                Err(refused) => return Err(unchanged(refused)),
            }
        }
    }
    let decided = context.gateway.decide_refund(&state, &decision).await;
    decided.map(|state| (state, None)).map_err(unchanged)
}

/// What is signed.
fn order(state: &RefundState, verdict: RefundVerdict, detail: &str) -> OperatorOrder {
    let act = match verdict {
        RefundVerdict::Approved => Act::RefundApprove,
        RefundVerdict::Refused => Act::RefundRefuse,
    };
    OperatorOrder::new(act)
        .to(&state.request.account)
        .under(&state.request.reference)
        .moving(Some(state.request.amount))
        .with(detail)
}

fn unchanged(refused: RefundDecisionRefused) -> Failure {
    let what = match &refused {
        RefundDecisionRefused::Store(_) => {
            "it is not certain that it was done; run the same command again"
        }
        RefundDecisionRefused::NotGiven => {
            "nothing was given back; look at the payment with `manilla transaction show`"
        }
        RefundDecisionRefused::Unknown
        | RefundDecisionRefused::Decided(_)
        | RefundDecisionRefused::GivenByProvider
        | RefundDecisionRefused::SecondPersonNeeded => "nothing was changed",
    };
    Failure::from(anyhow!(refused).context(what))
}
