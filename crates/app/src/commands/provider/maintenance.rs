//! `manilla provider maintenance`: what is away for a time, announced while the gateway runs. It
//! must not touch what is open: that is asked about and settled either way.

use application::announced_maintenance::MaintenanceNotice;
use clap::Args;
use domain::operations::change_request::ChangeReason;
use domain::operations::maintenance::{AnnouncedMaintenance, MaintenanceScope};
use domain::order::Service;
use serde::Serialize;

use super::pause::known;
use crate::commands::{moment, moment_of};
use crate::compose::{AdminContext, DataFolder};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::sign;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider maintenance
  manilla provider maintenance --provider my-shop --reason 'new switch' \\
    --from 2026-12-01T01:00:00+01:00 --until 2026-12-01T03:00:00+01:00
  manilla provider maintenance --service electricity --biller 01 --reason 'disco is away' \\
    --from 2026-12-01T01:00:00+01:00 --until 2026-12-01T03:00:00+01:00
  manilla provider maintenance --end …the same scope and moments… --reason 'done early'

Without --reason it lists what is announced. Every instance gives what is away nothing new from the
first moment on, within five seconds of the announcement. Windows of every week belong into
[[maintenance]] of manilla.toml.")]
pub(crate) struct ProviderMaintenanceOptions {
    #[arg(long, value_name = "NAME", help = "An account, as in [provider.NAME]")]
    provider: Option<String>,
    #[arg(
        long,
        value_name = "WORD",
        help = "Or a product, whichever provider delivers it",
        conflicts_with = "provider"
    )]
    service: Option<String>,
    #[arg(
        long,
        value_name = "CODE",
        help = "Only this biller, network or bank of the product",
        requires = "service"
    )]
    biller: Option<String>,
    #[arg(long, value_name = "MOMENT", requires = "reason")]
    from: Option<String>,
    #[arg(long, value_name = "MOMENT", requires = "reason")]
    until: Option<String>,
    #[arg(
        long,
        help = "Why, in one line of 200 characters at most; all operators see it",
        requires_all = ["from", "until"]
    )]
    reason: Option<String>,
    /// End what was announced before its time
    #[arg(long, requires = "reason")]
    end: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

/// What is done to maintenance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum MaintenanceChange {
    Announce,
    End,
}

#[derive(Serialize)]
struct Document {
    maintenances: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    scope: &'static str,
    provider: Option<String>,
    service: Option<&'static str>,
    biller: Option<String>,
    from: String,
    until: String,
    announced_by: String,
    reason: String,
}

#[derive(Serialize)]
struct Outcome {
    maintenance: String,
    announced: bool,
    /// Whether that is new.
    changed: bool,
}

pub(super) async fn run(
    options: &ProviderMaintenanceOptions,
    config: &Config,
) -> Result<(), Failure> {
    let (Some(reason), Some(from), Some(until)) = (&options.reason, &options.from, &options.until)
    else {
        return list(options.json, config).await;
    };
    let reason = ChangeReason::parse(reason).map_err(|wrong| Failure::flag("--reason", wrong))?;
    let times = (moment_of("--from", from)?, moment_of("--until", until)?);
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let now = context.now();
    let scope = scope(options, &context, config);
    context.close().await;
    let time = AnnouncedMaintenance::announce(scope?, times, now);
    let time = time.map_err(|wrong| Failure::flag("--until", wrong))?;
    let change = if options.end {
        MaintenanceChange::End
    } else {
        MaintenanceChange::Announce
    };
    set(&time, (change, reason.as_str()), options.json, config).await
}

fn scope(
    options: &ProviderMaintenanceOptions,
    context: &AdminContext,
    config: &Config,
) -> Result<MaintenanceScope, Failure> {
    if let Some(name) = &options.provider {
        return known(config, name).map(MaintenanceScope::Provider);
    }
    let word = options.service.as_deref().ok_or_else(|| {
        Failure::flag("--provider", "or --service is needed: it says what is away")
    })?;
    let service = Service::delivered()
        .find(|it| it.code() == word)
        .ok_or_else(|| {
            let words: Vec<_> = Service::delivered().map(Service::code).collect();
            Failure::flag("--service", format!("must be one of {}", words.join(", ")))
        })?;
    let Some(code) = &options.biller else {
        return Ok(MaintenanceScope::Service(service));
    };
    let code = context.gateway.biller_code(service, code).ok_or_else(|| {
        let wrong = format!("is no biller of {word}; GET /operations/status lists them");
        Failure::flag("--biller", wrong)
    })?;
    MaintenanceScope::biller(service, &code).map_err(|wrong| Failure::flag("--biller", wrong))
}

async fn list(is_json: bool, config: &Config) -> Result<(), Failure> {
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let announced = context.operators.announced_maintenance().await;
    context.close().await;
    let announced = announced?;
    if is_json {
        let maintenances = announced.iter().map(row).collect();
        return Ok(output::json(&Document { maintenances })?);
    }
    if announced.is_empty() {
        return Ok(output::line("Nothing is announced to be away.")?);
    }
    for MaintenanceNotice { time, by, reason } in &announced {
        output::line(format!("{}, announced by {by}: {reason}", said(time)))?;
    }
    Ok(())
}

fn row(notice: &MaintenanceNotice) -> Row {
    let MaintenanceNotice { time, by, reason } = notice;
    let scope = time.scope();
    Row {
        scope: scope.word(),
        provider: scope.provider().map(ToString::to_string),
        service: scope.service().map(Service::code),
        biller: scope.biller_code().map(str::to_owned),
        from: moment(time.from()),
        until: moment(time.until()),
        announced_by: by.to_string(),
        reason: reason.clone(),
    }
}

/// What is away, and when, for people.
pub(in crate::commands) fn said(time: &AnnouncedMaintenance) -> String {
    let (from, until) = (moment(time.from()), moment(time.until()));
    let of = match time.scope() {
        MaintenanceScope::Provider(provider) => format!("provider {provider}"),
        MaintenanceScope::Service(service) => format!("service {}", service.code()),
        MaintenanceScope::Biller(service, code) => format!("biller {code} of {}", service.code()),
    };
    format!("{of}, from {from} until {until}")
}

/// Has an operator sign it, unless it holds already.
pub(in crate::commands) async fn set(
    time: &AnnouncedMaintenance,
    (change, reason): (MaintenanceChange, &str),
    is_json: bool,
    config: &Config,
) -> Result<(), Failure> {
    let announces = change == MaintenanceChange::Announce;
    let order = match change {
        MaintenanceChange::Announce => MaintenanceNotice::order(time, reason),
        MaintenanceChange::End => MaintenanceNotice::end(time, reason),
    };
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let changed = async {
        let known = context.operators.announced_maintenance().await?;
        let changes = known.iter().any(|it| it.time == *time) != announces;
        if changes {
            sign(&context, config, &order).await?;
        }
        Ok::<_, Failure>(changes)
    };
    let changed = changed.await;
    context.close().await;
    let changed = changed?;
    if is_json {
        return Ok(output::json(&Outcome {
            maintenance: said(time),
            announced: announces,
            changed,
        })?);
    }
    Ok(output::line(match (announces, changed) {
        (true, true) => format!("Announced: {}.", said(time)),
        (true, false) => format!("Announced already: {}.", said(time)),
        (false, true) => format!("Ended: {}.", said(time)),
        (false, false) => format!("Nothing of that kind is announced: {}.", said(time)),
    })?)
}
