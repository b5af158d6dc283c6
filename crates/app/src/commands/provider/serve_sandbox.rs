//! `manilla provider serve-sandbox`: the sandbox as a process of its own, with its own journal. It
//! must not open the gateway's books: it plays another company.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use domain::order::Service;
use domain::percent::Percent;
use ports::provider::Provider;
use provider_protocol::signature::SignatureKeys;
use provider_protocol::{AbsenceProof, CallbackUse, DuplicateRule, IncomingUse, ServiceProfile};
use provider_server::{
    ProviderServer, ReferenceSync, ServedFloat, ServedKeys, ServedLookups, ServedProvider,
    ServerIdentity, ServerSettings, UnknownAnswers,
};
use provider_sim::{JournalSync, SandboxFloat, Simulator};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::sandbox_callbacks::{CallbackTarget, SandboxCallbacks};
use super::sandbox_catalogue::SandboxOffers;
use crate::clock::SystemClock;
use crate::commands::naira;
use crate::commands::serve::{OtherSignals, SignalRequest, StopSignals};
use crate::compose;
use crate::config::Config;
use crate::failure::Failure;
use crate::files::{self, FileAccess};
use crate::{entropy, output, secret_files};

/// The references that were seen, beside the journal of the sandbox.
const REFERENCES_FILE: &str = "provider-references.log";

/// How long requests under way may take at shutdown: longer than a slow delivery.
const GRACE: Duration = Duration::from_secs(30);

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider serve-sandbox --data sandbox --listen 127.0.0.1:9100 --secret-file sandbox.key
  manilla provider serve-sandbox --secret-file sandbox.key --float 100000.00 --takes 97
  manilla provider serve-sandbox --data sandbox --listen 10.0.0.5:9100 --secret-file sandbox.key \\
      --tls-cert chain.pem --tls-key key.pem

It prints `ready URL` when it answers, and `stopped` when it has drained. SIGTERM or Ctrl-C drains;
a second one stops at once. SIGHUP reads the keys again. A file of keys has one or two lines, an
identifier and 32 or more bytes in base 64; the first signs, and both are accepted. Where there is
no such file, one is made.")]
pub(crate) struct ServeSandboxOptions {
    #[arg(
        long,
        value_name = "ADDR:PORT",
        default_value = "127.0.0.1:9100",
        help = "Where to answer; port 0 takes any that is free. Other machines need a certificate"
    )]
    listen: SocketAddr,
    #[arg(
        long,
        value_name = "FILE",
        help = "The keys that gateway and provider share"
    )]
    secret_file: PathBuf,
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls_key",
        help = "Certificate chain in PEM"
    )]
    tls_cert: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls_cert",
        help = "Its private key in PEM"
    )]
    tls_key: Option<PathBuf>,
    #[arg(
        long,
        value_name = "AMOUNT",
        help = "Naira that count as paid in: balance, statement and costs are offered then"
    )]
    float: Option<String>,
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "100",
        requires = "float",
        help = "What a delivery takes of them, in percent of its amount"
    )]
    takes: String,
    #[arg(
        long,
        value_name = "URL",
        help = "Where the gateway takes callbacks, https://GATEWAY/provider/NAME/callback"
    )]
    callback_url: Option<String>,
    #[arg(
        long,
        value_name = "FILE",
        requires = "callback_url",
        help = "Certificates in PEM that are trusted for callbacks, such as the gateway's ca.pem"
    )]
    callback_authority: Option<PathBuf>,
}

pub(super) async fn run(options: ServeSandboxOptions, config: &Config) -> Result<(), Failure> {
    let (mut signals, other_signals) = (StopSignals::new()?, OtherSignals::new()?);
    let keys = keys(&options.secret_file)?;
    files::private_folder(&config.data)
        .with_context(|| format!("the folder {} cannot be made", config.data.display()))?;
    let sandbox = compose::built_in(config, float(&options)?)?;
    let settings = ServerSettings {
        keys,
        references: config.data.join(REFERENCES_FILE),
        sync: match config.sandbox.sync {
            JournalSync::Off => ReferenceSync::Off,
            JournalSync::EachEntry => ReferenceSync::EachReference,
        },
        identity: identity(&options)?,
        unknown: UnknownAnswers::Fault,
        grace: GRACE,
        clock: Arc::new(SystemClock),
    };
    let target = callback_target(&options)?;
    let callback = target
        .as_ref()
        .map_or(CallbackUse::None, |_| CallbackUse::Hint);
    let offered = ServedProvider {
        catalogue: Some(Arc::new(SandboxOffers(compose::built_in_catalogue(config)))),
        ..served(&sandbox, callback)
    };
    let server = ProviderServer::bind(options.listen, offered, settings);
    let server = server.await.map_err(anyhow::Error::from)?;
    output::line(format!("ready {}", server.url()))?;
    let data = config.data.display();
    tracing::info!(address = %server.local_addr(), %data, "serving the sandbox provider");
    let calling = call_back(target, &server, &sandbox);
    let reloading = reload_keys(other_signals, (&options.secret_file, server.keys()));
    let stop = CancellationToken::new();
    let mut serving = TaskTracker::new().spawn(server.run(stop.clone()));
    tokio::select! {
        () = signals.next() => {}
        () = reloading => {}
        () = calling => {}
        ended = &mut serving => {
            return Err(Failure::from(ended.err().map_or_else(
                || anyhow::anyhow!("the server ended by itself"),
                anyhow::Error::from,
            )));
        }
    }
    tracing::info!("stopping: requests under way are finished; a second signal stops at once");
    stop.cancel();
    tokio::select! {
        ended = serving => ended.context("the server could not go on")?,
        () = signals.next() => return Err(Failure::Interrupted),
    }
    // The reader of the first line may be gone; that is no failure of the shutdown.
    let _ = output::line("stopped");
    Ok(())
}

/// Where callbacks go, if anywhere.
fn callback_target(options: &ServeSandboxOptions) -> Result<Option<CallbackTarget>, Failure> {
    let Some(url) = &options.callback_url else {
        return Ok(None);
    };
    let target = CallbackTarget::open(url, options.callback_authority.as_deref());
    target.map(Some).map_err(Failure::usage)
}

/// Sends callbacks for ever, if there is a place for them.
fn call_back(
    target: Option<CallbackTarget>,
    server: &ProviderServer,
    sandbox: &Arc<Simulator>,
) -> impl Future<Output = ()> + use<> {
    let callbacks = target.map(|target| SandboxCallbacks {
        target,
        keys: server.keys(),
        sandbox: Arc::clone(sandbox),
        undecided: server.undecided(),
    });
    async move {
        match callbacks {
            Some(callbacks) => callbacks.run().await,
            None => std::future::pending().await,
        }
    }
}

/// Reads the keys again at each SIGHUP, for ever. A file that cannot be used changes nothing.
async fn reload_keys(mut signals: OtherSignals, (file, served): (&Path, ServedKeys)) {
    loop {
        match signals.next().await {
            SignalRequest::Nothing(signal) => {
                tracing::info!(signal, "ignored: SIGHUP reloads, SIGTERM stops");
            }
            SignalRequest::Reload => match kept_keys(file) {
                Ok(keys) => {
                    served.replace(keys);
                    tracing::warn!("reloaded the keys");
                }
                Err(error) => {
                    let cause = error.message();
                    tracing::error!(cause, "the keys were not reloaded: they stay as they were");
                }
            },
        }
    }
}

/// The gateway's money at the sandbox, where any was paid in.
fn float(options: &ServeSandboxOptions) -> Result<Option<SandboxFloat>, Failure> {
    let Some(paid_in) = &options.float else {
        return Ok(None);
    };
    let takes = Percent::parse(&options.takes);
    Ok(Some(SandboxFloat {
        paid_in: naira("--float", paid_in)?,
        takes: takes.map_err(|error| Failure::flag("--takes", error))?,
    }))
}

/// The sandbox and what it promises.
fn served(sandbox: &Arc<Simulator>, callback: CallbackUse) -> ServedProvider {
    let float = match sandbox.float() {
        Some(_) => ServedFloat::Offered,
        None => ServedFloat::NotOffered,
    };
    ServedProvider {
        provider: Arc::clone(sandbox) as Arc<dyn Provider>,
        seals: Some(Arc::clone(sandbox) as _),
        lookups: ServedLookups {
            meters: Some(Arc::clone(sandbox) as _),
            smartcards: Some(Arc::clone(sandbox) as _),
            bank_accounts: Some(Arc::clone(sandbox) as _),
            mobile_wallets: Some(Arc::clone(sandbox) as _),
            cards: Some(Arc::clone(sandbox) as _),
            exchange_quotes: Some(Arc::clone(sandbox) as _),
            bill_accounts: Some(Arc::clone(sandbox) as _),
            number_operators: Some(Arc::clone(sandbox) as _),
        },
        name: "Manilla sandbox".to_owned(),
        services: Service::delivered().collect(),
        profile: ServiceProfile {
            duplicate: DuplicateRule::Replay,
            absence: AbsenceProof::Sealed,
            settle_seconds: 600,
            reversal_days: 1,
            retention_days: 3_650,
            lookalike_seconds: 0,
            cooling_off_seconds: 0,
            max_concurrent: 256,
            per_second: 10_000,
            deadline_seconds: 30,
            multi_effect: false,
            callback,
            incoming: IncomingUse::None,
        },
        refusals: provider_sim::refusals().collect(),
        float,
        catalogue: None,
    }
}

/// The keys of a file, which is made where there is none.
fn keys(path: &Path) -> Result<SignatureKeys, Failure> {
    let readable = || format!("{} cannot be read", path.display());
    if files::read(path).with_context(readable)?.is_none() {
        // Base 64 of 33 bytes; letters and digits alone are base 64 as well.
        let text = format!("key-1 {}\n", entropy::base62(44)?);
        files::create(path, text.as_bytes(), FileAccess::Private)
            .with_context(|| format!("{} cannot be made", path.display()))?;
    }
    kept_keys(path)
}

/// The keys of a file that is there: another one in its place would shut the gateway out.
fn kept_keys(path: &Path) -> Result<SignatureKeys, Failure> {
    let readable = || format!("{} cannot be read", path.display());
    if let Some(warning) = secret_files::guarded(path)? {
        tracing::warn!("{warning}");
    }
    let bytes = files::read(path)
        .with_context(readable)?
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let keys = SignatureKeys::parse(&text);
    keys.map_err(|error| Failure::flag("--secret-file", format!("{}: {error}", path.display())))
}

fn identity(options: &ServeSandboxOptions) -> Result<Option<ServerIdentity>, Failure> {
    let (Some(chain), Some(key)) = (&options.tls_cert, &options.tls_key) else {
        return Ok(None);
    };
    let read = |path: &Path| {
        std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
    };
    if let Some(warning) = secret_files::guarded(key)? {
        tracing::warn!("{warning}");
    }
    let identity = ServerIdentity::from_pem(&read(chain)?, &read(key)?);
    Ok(Some(identity.map_err(anyhow::Error::from)?))
}
