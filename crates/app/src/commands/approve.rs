//! `manilla approve`: changes that operators asked for over HTTP. What is granted must be done by
//! the code of the command that does it, and never by an operator alone who asked for it.

use application::operators::change_requests::{NotDecidable, TrackedRequest};
use clap::Args;
use domain::operations::change_request::{CaseDecision, ChangeRequestState, RequestedChange};
use serde::Serialize;

use crate::commands::case::must_wait;
use crate::commands::case::resolve::resolve_as;
use crate::commands::moment;
use crate::commands::provider::maintenance::{self, MaintenanceChange};
use crate::commands::provider::pause;
use crate::commands::review::resolve::VerdictArg;
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
  manilla approve 3 --refuse

Without a number it lists what waits. An operator other than the one who asked grants a request; the
change is then made as by the operator's own command, signed with the key of the one who grants it.
A review above review.dual_control_above is proposed by that, and decided when yet another operator
runs the same command. Any operator may refuse a request. It waits for 24 hours, and no longer than
the key for requests over HTTP that asked for it. Run it again where it was cut short.")]
pub(crate) struct ApproveOptions {
    /// The request, as the list names it
    number: Option<u64>,
    /// Refuse it instead
    #[arg(long, requires = "number")]
    refuse: bool,
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
}

pub(crate) async fn run(options: &ApproveOptions, config: &Config) -> Result<(), Failure> {
    match options.number {
        None => list(options.json, config).await,
        Some(number) if options.refuse => refuse(number, options.json, config).await,
        Some(number) => grant(number, options.json, config).await,
    }
}

async fn list(is_json: bool, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let newest = context.change_requests.newest().await;
    context.close().await;
    let mut waiting = newest.map_err(not_signed)?;
    waiting.retain(|it| it.state == ChangeRequestState::Required);
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
    }
}

fn line(tracked: &TrackedRequest) -> String {
    let request = &tracked.request;
    format!(
        "{}  {}  {}  asked for by {} at {}, until {}: {}",
        request.number,
        request.change.action(),
        said(&request.change),
        request.by,
        moment(request.at),
        moment(request.expires_at()),
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

async fn grant(number: u64, is_json: bool, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let granted = async {
        let tracked = named(&context, number).await?;
        if let RequestedChange::Resolve(case, _) = &tracked.request.change {
            // A case that is not there is granted nothing.
            must_wait(&context, config, case).await?;
        }
        let signer = signer(config)?;
        let granted = context.change_requests.grant(&signer, &tracked).await;
        granted
            .map_err(not_signed)?
            .map_err(|why| not_decided(&why))?;
        Ok::<_, Failure>(tracked.request)
    };
    let granted = granted.await;
    context.close().await;
    let request = granted?;
    let reason = request.reason.as_str().to_owned();
    match request.change {
        RequestedChange::Pause(provider) => {
            pause::set(&provider, Some(&reason), is_json, config).await
        }
        RequestedChange::Resume(provider) => pause::set(&provider, None, is_json, config).await,
        RequestedChange::Maintenance(time) => {
            let change = (MaintenanceChange::Announce, &*reason);
            maintenance::set(&time, change, is_json, config).await
        }
        RequestedChange::MaintenanceEnd(time) => {
            let change = (MaintenanceChange::End, &*reason);
            maintenance::set(&time, change, is_json, config).await
        }
        RequestedChange::Resolve(case, decision) => {
            let verdict = match decision {
                CaseDecision::Delivered => Some(VerdictArg::Delivered),
                CaseDecision::Declined => Some(VerdictArg::NotDelivered),
                CaseDecision::Reversed => None,
            };
            resolve_as((case, verdict), reason, is_json, config).await
        }
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
        Ok::<_, Failure>(tracked)
    };
    let refused = refused.await;
    context.close().await;
    let mut tracked = refused?;
    if is_json {
        tracked.state = ChangeRequestState::Refused(tracked.request.by.clone());
        return Ok(output::json(&row(&tracked))?);
    }
    Ok(output::line(format!("Request {number} is refused."))?)
}
