//! Requests made up from the OpenAPI document, sent to the program itself: every answer must be one
//! the document describes, and none a failure of ours. It must not reach anything but this machine.

use anyhow::Result;
use clap::Args;

use crate::packages;
use crate::process::Run;
use crate::repo::Repo;
use crate::served::ServedGateway;

/// The release that is installed from the Python package index.
const PACKAGE: &str = "schemathesis==4.32.5";

/// How many requests are made up per operation by default: some ten seconds in all.
const EXAMPLES: &str = "20";

/// What is checked. The first and the last two are ours, in [`OWN_CHECKS`]: whether nothing
/// breaks, a valid request is accepted and an invalid one refused, but for what no document says.
const CHECKS: &str = "nothing_breaks,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,\
                      unsupported_method,ignored_auth,valid_is_accepted,invalid_is_refused";

/// The checks of our own, each exclusion with its reason.
const OWN_CHECKS: &str = "xtask/src/schemathesis/checks.py";

/// No request is limited, nothing is waited for, and no DNS server is asked.
const SETTINGS: [&str; 10] = [
    "lookup.dns=off",
    "limits.payments_per_minute=1000000",
    "limits.bulks_per_minute=1000000",
    "limits.payments_at_once=1000000",
    "limits.reads_per_minute=1000000",
    "limits.lookups_per_minute=1000000",
    "limits.failed_logins_per_minute=1000000",
    "payment.answer_window_ms=1000",
    "sandbox.latency_min_ms=0",
    "sandbox.latency_max_ms=0",
];

#[derive(Args, Debug)]
pub(crate) struct SchemathesisOptions {
    /// How many requests are made up per operation
    #[arg(long, default_value = EXAMPLES)]
    examples: u32,
    /// Begin from this number, to repeat a run
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Default for SchemathesisOptions {
    fn default() -> Self {
        Self {
            examples: EXAMPLES.parse().unwrap_or(1),
            seed: 1,
        }
    }
}

/// The operation that is left out: it would freeze the account that all others are asked with. What
/// it takes is what `unfreeze` takes.
const STOPS_THE_ACCOUNT: &str = "freeze";

pub(crate) fn run(repo: &Repo, options: &SchemathesisOptions) -> Result<()> {
    let home = repo.target()?.join("schemathesis");
    packages::python(repo, &home, &[PACKAGE])?;
    let server = ServedGateway::start(repo, &SETTINGS)?;
    let (examples, seed) = (options.examples.to_string(), options.seed.to_string());
    let login = format!("{}:{}", server.identity, server.key);
    let document = repo.root().join("docs/openapi.json");
    let document = document.to_string_lossy();
    let arguments = [
        "run",
        &document,
        "--url",
        &server.url,
        "--tls-verify",
        "false",
        "--auth",
        &login,
        "--checks",
        CHECKS,
        "--max-examples",
        &examples,
        "--seed",
        &seed,
        "--generation-with-security-parameters",
        "false",
        "--exclude-operation-id",
        STOPS_THE_ACCOUNT,
        "--continue-on-failure",
        "--no-color",
    ];
    // It keeps notes in the folder it runs in.
    let tool = home.join("bin/schemathesis");
    let own = repo.root().join(OWN_CHECKS);
    Run::new(&tool.to_string_lossy(), arguments)
        .variable("SCHEMATHESIS_HOOKS", own.to_string_lossy())
        .stream(&home)
}
