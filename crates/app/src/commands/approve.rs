//! `manilla approve`: changes that operators asked for over HTTP. What is granted must be done by
//! the code of the command that does it, and never by an operator alone who asked for it.

use application::operators::change_requests::{NotDecidable, TrackedRequest};
use clap::Args;
use domain::operations::change_request::{
    CaseDecision, ChangeReason, ChangeRequest, ChangeRequestState, RequestedChange,
};
use domain::operations::maintenance::AnnouncedMaintenance;
use domain::operator::OperatorName;
use domain::provider::ProviderId;
use serde::Serialize;

use crate::commands::case::resolve::{self, CaseRequest, CaseResolveOptions};
use crate::commands::moment;
use crate::commands::provider::maintenance::{self, MaintenanceChange};
use crate::commands::provider::pause;
use crate::commands::review::resolve::VerdictArg;
use crate::commands::review::vend::VendOptions;
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::{not_signed, signer};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla approve
  manilla approve 3
  manilla approve 3 --receipt 0042 --token 12345678901234567890
  manilla approve 3 --refuse

Without a number it lists what waits, and what was granted within a day. An operator other than the
one who asked grants a request; the change is then made as by the operator's own command, signed
with the key of the one who grants it.
A review above review.dual_control_above is proposed by that, and decided when yet another operator
runs the same command. A review that was delivered may need what was handed over, and a reference
--absorb, as of `manilla case resolve`. Any operator may refuse a request. It waits for 24 hours,
and no longer than the key for requests over HTTP that asked for it. Run it again where it was cut
short; that is possible for 24 hours.")]
pub(crate) struct ApproveOptions {
    /// The request, as the list names it
    number: Option<u64>,
    /// Refuse it instead
    #[arg(long, requires = "number")]
    refuse: bool,
    /// A reference: book what was delivered as a loss of the gateway
    #[arg(long, requires = "number", conflicts_with = "refuse")]
    absorb: bool,
    #[command(flatten)]
    vend: VendOptions,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    approvals: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    number: u64,
    status: &'static str,
    action: &'static str,
    subject: String,
    reason: &'a str,
    asked_by: &'a str,
    asked_at: String,
    expires_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_at: Option<String>,
}

pub(crate) async fn run(options: ApproveOptions, config: &Config) -> Result<(), Failure> {
    let Some(number) = options.number else {
        return list(options.json, config).await;
    };
    if options.refuse {
        refuse(number, options.json, config).await
    } else {
        Box::pin(grant(number, options, config)).await
    }
}

async fn list(is_json: bool, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let newest = context.change_requests.newest().await;
    let now = context.now();
    context.close().await;
    let mut waiting = newest.map_err(not_signed)?;
    waiting.retain(|it| it.state == ChangeRequestState::Required || it.is_granted_lately(now));
    if is_json {
        let approvals = waiting.iter().map(row).collect();
        return Ok(output::json(&Document { approvals })?);
    }
    if waiting.is_empty() {
        return Ok(output::line("Nothing waits to be granted.")?);
    }
    for it in waiting.iter().rev() {
        output::line(line(it))?;
    }
    Ok(())
}

fn row(tracked: &TrackedRequest) -> Row<'_> {
    let request = &tracked.request;
    Row {
        number: request.number,
        status: tracked.state.word(),
        action: request.change.action(),
        subject: said(&request.change),
        reason: request.reason.as_str(),
        asked_by: request.by.as_str(),
        asked_at: moment(request.at),
        expires_at: moment(request.expires_at()),
        decided_by: tracked.state.decided_by().map(OperatorName::as_str),
        decided_at: tracked.decided_at.map(moment),
    }
}

fn line(tracked: &TrackedRequest) -> String {
    let request = &tracked.request;
    let now = match (&tracked.state, tracked.decided_at) {
        (ChangeRequestState::Granted(by), Some(at)) => {
            format!("granted by {by} at {}", moment(at))
        }
        _ => format!("until {}", moment(request.expires_at())),
    };
    format!(
        "{}  {}  {}  asked for by {} at {}, {now}: {}",
        request.number,
        request.change.action(),
        said(&request.change),
        request.by,
        moment(request.at),
        request.reason.as_str()
    )
}

/// What a change is done to, for people.
fn said(change: &RequestedChange) -> String {
    match change {
        RequestedChange::Maintenance(time) | RequestedChange::MaintenanceEnd(time) => {
            maintenance::said(time)
        }
        RequestedChange::Pause(_) | RequestedChange::Resume(_) | RequestedChange::Resolve(..) => {
            change.subject()
        }
    }
}

/// The request of a number.
async fn named(context: &AdminContext, number: u64) -> Result<TrackedRequest, Failure> {
    let found = context.change_requests.request(number).await;
    found.map_err(not_signed)?.ok_or_else(|| {
        let none = format!("there is no request {number}; `manilla approve` lists what waits");
        Failure::from(anyhow::anyhow!(none))
    })
}

fn not_decided(why: &NotDecidable) -> Failure {
    Failure::from(anyhow::anyhow!("nothing was changed: {why}"))
}

/// A change as what does it is called with.
enum GrantedChange {
    /// A provider is paused for a reason, or resumed without one.
    Pause(ProviderId, Option<ChangeReason>),
    Maintenance(AnnouncedMaintenance, MaintenanceChange, ChangeReason),
    Case(CaseResolveOptions),
}

impl GrantedChange {
    /// What a request asks for, with what is needed besides.
    fn of(request: ChangeRequest, options: ApproveOptions) -> Result<Self, Failure> {
        let given = options.absorb.then_some("--absorb");
        let given = given.or(options.vend.given());
        let reason = request.reason;
        let change = match request.change {
            RequestedChange::Resolve(id, decision) => {
                let case = CaseRequest {
                    id,
                    verdict: verdict(decision),
                    reason: reason.as_str().to_owned(),
                    absorb: options.absorb,
                    vend: options.vend,
                };
                return Ok(Self::Case(case.options(options.json)));
            }
            RequestedChange::Pause(provider) => Self::Pause(provider, Some(reason)),
            RequestedChange::Resume(provider) => Self::Pause(provider, None),
            RequestedChange::Maintenance(time) => {
                Self::Maintenance(time, MaintenanceChange::Announce, reason)
            }
            RequestedChange::MaintenanceEnd(time) => {
                Self::Maintenance(time, MaintenanceChange::End, reason)
            }
        };
        match given {
            Some(flag) => Err(Failure::flag(flag, "belongs to cases; leave it out")),
            None => Ok(change),
        }
    }

    /// Refuses what could not be done, before anything is signed.
    async fn check(&self, context: &AdminContext, config: &Config) -> Result<(), Failure> {
        match self {
            Self::Case(options) => resolve::check(options, (context, config)).await,
            Self::Pause(provider, _) => pause::known(config, provider.as_str()).map(drop),
            Self::Maintenance(time, ..) => {
                if let Some(provider) = time.scope().provider() {
                    pause::known(config, provider.as_str())?;
                }
                if time.until() <= context.now() {
                    let over = "nothing was changed: that maintenance is over";
                    return Err(Failure::from(anyhow::anyhow!(over)));
                }
                Ok(())
            }
        }
    }

    async fn run(self, is_json: bool, config: &Config) -> Result<(), Failure> {
        match self {
            Self::Case(options) => Box::pin(resolve::run(options, config)).await,
            Self::Pause(provider, reason) => {
                let reason = reason.as_ref().map(ChangeReason::as_str);
                pause::set(&provider, reason, is_json, config).await
            }
            Self::Maintenance(time, change, reason) => {
                maintenance::set(&time, (change, reason.as_str()), is_json, config).await
            }
        }
    }
}

async fn grant(number: u64, options: ApproveOptions, config: &Config) -> Result<(), Failure> {
    let is_json = options.json;
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let granted = async {
        let tracked = named(&context, number).await?;
        if !is_json {
            output::line(line(&tracked))?;
        }
        let change = GrantedChange::of(tracked.request.clone(), options)?;
        change.check(&context, config).await?;
        let signer = signer(config)?;
        let granted = context.change_requests.grant(&signer, &tracked).await;
        granted
            .map_err(not_signed)?
            .map_err(|why| not_decided(&why))?;
        Ok::<_, Failure>(change)
    };
    let granted = granted.await;
    context.close().await;
    granted?.run(is_json, config).await
}

/// The verdict on a review that a decision stands for.
const fn verdict(decision: CaseDecision) -> Option<VerdictArg> {
    match decision {
        CaseDecision::Delivered => Some(VerdictArg::Delivered),
        CaseDecision::Declined => Some(VerdictArg::NotDelivered),
        CaseDecision::Reversed => None,
    }
}

async fn refuse(number: u64, is_json: bool, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let refused = async {
        let tracked = named(&context, number).await?;
        let signer = signer(config)?;
        let refused = context.change_requests.refuse(&signer, &tracked).await;
        refused
            .map_err(not_signed)?
            .map_err(|why| not_decided(&why))?;
        // With the operator who refused it, be it this one or one before.
        named(&context, number).await
    };
    let refused = refused.await;
    context.close().await;
    let tracked = refused?;
    if is_json {
        return Ok(output::json(&row(&tracked))?);
    }
    Ok(output::line(format!("Request {number} is refused."))?)
}
