//! `manilla provider check`: whether a provider that speaks the provider protocol is safe to sell
//! through. It must buy nothing but what its scenario allows, and must not open the ledger.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use clap::Args;
use outbound_http::tls::authorities;
use provider_check::{
    CHECK_SCENARIO_EXAMPLE, CheckGrade, CheckProgress, CheckReport, CheckScenario, CheckTarget,
    CheckVerdict, EffectCounter, ProviderCheckPlan, ProviderCheckReport, listed_checks,
};
use rustls_pki_types::CertificateDer;
use tokio::process::Command;
use tokio::time::timeout;
use tracing::instrument::WithSubscriber as _;
use tracing::subscriber::NoSubscriber;

use crate::clock::SystemClock;
use crate::failure::Failure;
use crate::files;
use crate::{entropy, output};

/// How long the command that counts effects may take: it reads one number.
const COUNTING_MAX: Duration = Duration::from_secs(20);

/// Length of the text that makes a run unlike any other: 2^95 of them.
const RUN_LENGTH: usize = 16;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider check --scenario-example > scenario.toml
  manilla provider check --url http://127.0.0.1:9200 --keys keys --scenario scenario.toml
  manilla provider check --url https://provider.example --keys keys --authority ca.pem \\
      --scenario scenario.toml --max-spend 500.00 --json
  manilla provider check --url http://127.0.0.1:9200 --keys keys --scenario scenario.toml \\
      --only airtime::seal --only provider::signature
  manilla provider check --url http://127.0.0.1:9100 --keys keys --scenario scenario.toml \\
      --callbacks 127.0.0.1:9300
  manilla provider check --list

It buys what the scenario allows and nothing else, says before it starts for how much at the most,
and shows its progress on standard error. The grade is A where silence is settled at once, B where
it is settled after a time, C where a person has to settle it, and none where a check failed or was
left out. Exit status 0: every check passed. 1: one failed. 2: it could not begin.

Run it on an account that no one else uses. A provider that breaks a rule may deliver more than
it was asked for.")]
pub(crate) struct ProviderCheckOptions {
    #[arg(
        long,
        required_unless_present_any = ["list", "scenario_example"],
        help = "Base address of the provider; plain http only on this machine"
    )]
    url: Option<String>,
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present_any = ["list", "scenario_example"],
        help = "The keys that both sides share, one or two lines"
    )]
    keys: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        help = "Certificate authorities in PEM that are trusted besides those of the machine"
    )]
    authority: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present_any = ["list", "scenario_example"],
        help = "The orders that may be bought"
    )]
    scenario: Option<PathBuf>,
    #[arg(
        long,
        value_name = "AMOUNT",
        help = "Lowers `max_spend` of the scenario"
    )]
    max_spend: Option<String>,
    #[arg(
        long,
        value_name = "NAME",
        help = "Only this check, or those whose name begins so; may be repeated"
    )]
    only: Vec<String>,
    #[arg(
        long,
        value_name = "ADDR:PORT",
        help = "Take callbacks here, on this machine; the provider sends them to it"
    )]
    callbacks: Option<SocketAddr>,
    /// Show the names of all checks, each with its rule
    #[arg(long)]
    list: bool,
    /// Print a scenario with comments
    #[arg(long)]
    scenario_example: bool,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(options: &ProviderCheckOptions) -> Result<(), Failure> {
    if options.scenario_example {
        return Ok(output::line(CHECK_SCENARIO_EXAMPLE.trim_end())?);
    }
    if options.list {
        return list(options.json);
    }
    let plan = plan(options)?;
    // The adapter warns of each fault it meets, and here it meets them on purpose.
    let running = plan.run(&ProgressLines);
    let report = running.with_subscriber(NoSubscriber::default()).await;
    if options.json {
        output::json(&report)?;
    } else {
        output::line(shown(&report))?;
    }
    if report.failed().next().is_some() {
        return Err(Failure::AlreadyReported);
    }
    Ok(())
}

fn list(json: bool) -> Result<(), Failure> {
    let checks = listed_checks(&[]);
    if json {
        return Ok(output::json(&checks)?);
    }
    let rows: Vec<[String; 2]> = checks
        .into_iter()
        .map(|check| [check.name, check.rule.to_owned()])
        .collect();
    Ok(output::line(output::table(["CHECK", "RULE"], &rows))?)
}

/// What is run, with its cost stated.
fn plan(options: &ProviderCheckOptions) -> Result<ProviderCheckPlan, Failure> {
    let mut scenario = CheckScenario::parse(&text("--scenario", options.scenario.as_deref())?)
        .map_err(|error| Failure::flag("--scenario", error))?;
    if let Some(limit) = &options.max_spend {
        scenario
            .limit_spend(limit)
            .map_err(|error| Failure::flag("--max-spend", error))?;
    }
    let effects = scenario.effects_command().map(|(program, arguments)| {
        let counter = EffectsCommand {
            program: program.to_owned(),
            arguments: arguments.to_vec(),
        };
        Arc::new(counter) as Arc<dyn EffectCounter>
    });
    let target = CheckTarget {
        url: options.url.clone().unwrap_or_default(),
        keys: text("--keys", options.keys.as_deref())?,
        authorities: trusted(options.authority.as_deref())?,
        clock: Arc::new(SystemClock),
        run: entropy::base62(RUN_LENGTH)?,
        effects,
        callbacks: options.callbacks,
    };
    let counts = target.effects.is_some();
    let plan = ProviderCheckPlan::new(target, &scenario, &options.only).map_err(Failure::usage)?;
    let (cost, limit) = (plan.cost_max(), scenario.max_spend());
    say(&format!(
        "buying up to {} orders for {cost} {currency} at the most; {limit} {currency} may be spent",
        plan.orders_max(),
        currency = cost.currency().code(),
    ));
    if let Some(url) = plan.callback_url() {
        say(&format!("callbacks are taken at {url}"));
    }
    if !counts {
        say("effects are judged by the answers alone: the scenario has no `effects_command`");
    }
    Ok(plan)
}

fn text(flag: &'static str, path: Option<&Path>) -> Result<String, Failure> {
    let path = path.unwrap_or(Path::new(""));
    let refused = |why: &str| Failure::flag(flag, format!("{}: {why}", path.display()));
    let bytes = files::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let bytes = bytes.ok_or_else(|| refused("there is no such file"))?;
    String::from_utf8(bytes).map_err(|_| refused("it is no text in UTF-8"))
}

fn trusted(path: Option<&Path>) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let Some(path) = path else {
        return Ok(Vec::new());
    };
    let pem = text("--authority", Some(path))?;
    authorities(pem.as_bytes()).map_err(|error| Failure::flag("--authority", error))
}

/// Writes a line about the progress. Where it is not read, the run goes on.
fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

struct ProgressLines;

impl CheckProgress for ProgressLines {
    fn ended(&self, check: &CheckReport) {
        let (name, took) = (&check.name, check.took.as_millis());
        say(&match &check.verdict {
            CheckVerdict::Ok => format!("ok      {name} ({took} ms)"),
            CheckVerdict::Failed(what) => format!("FAILED  {name} ({took} ms): {what}"),
            CheckVerdict::NotApplicable(why) => format!("-       {name}: {why}"),
        });
    }
}

/// The program of the scenario that prints how many effects there were.
#[derive(Debug)]
struct EffectsCommand {
    program: String,
    arguments: Vec<String>,
}

#[async_trait]
impl EffectCounter for EffectsCommand {
    async fn count(&self) -> Result<u64, String> {
        let program = &self.program;
        let output = Command::new(program)
            .args(&self.arguments)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = timeout(COUNTING_MAX, output).await;
        let output = output.map_err(|_| format!("{program} takes longer than 20 s"))?;
        let output = output.map_err(|error| format!("{program}: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{program} failed: {}", said.trim()));
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let number = said.trim().parse();
        number.map_err(|_| format!("{program} printed no number: {}", said.trim()))
    }
}

/// What was found, for people.
fn shown(report: &ProviderCheckReport) -> String {
    let mut lines = Vec::new();
    for check in report.failed() {
        let CheckVerdict::Failed(what) = &check.verdict else {
            continue;
        };
        lines.push(format!(
            "{}\n  found   {what}\n  rule    {}\n  remedy  {}",
            check.name, check.rule, check.remedy
        ));
        for exchange in &check.transcript {
            lines.push(indented(exchange));
        }
    }
    let count = |wanted: fn(&CheckVerdict) -> bool| {
        let checks = report.checks.iter();
        checks.filter(|check| wanted(&check.verdict)).count()
    };
    lines.push(format!(
        "provider  {}\nspent     {}\nchecks    {} ok, {} failed, {} not applicable",
        report.provider.as_deref().unwrap_or("unknown"),
        report.spent,
        count(|it| matches!(it, CheckVerdict::Ok)),
        count(|it| matches!(it, CheckVerdict::Failed(_))),
        count(|it| matches!(it, CheckVerdict::NotApplicable(_))),
    ));
    for (service, grade) in &report.services {
        lines.push(format!(
            "grade     {grade} for {service}: {}",
            means(*grade)
        ));
    }
    if !report.unchecked.is_empty() {
        let unchecked = report.unchecked.join(", ");
        lines.push(format!(
            "unchecked {unchecked}: the scenario orders none of it"
        ));
    }
    lines.push(format!("grade     {}, of what was checked", report.grade));
    lines.join("\n")
}

fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("  | {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

const fn means(grade: CheckGrade) -> &'static str {
    match grade {
        CheckGrade::A => "silence is settled at once; enough for everything",
        CheckGrade::B => "silence is settled after a time; enough for money",
        CheckGrade::C => "a person settles silence; enough for messages and lookups alone",
        CheckGrade::Ungraded => "a check failed, or not all were run",
    }
}
