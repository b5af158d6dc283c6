//! Callbacks of providers as bytes: in the form of VTpass about attempts that do not exist, and in
//! that of the provider protocol about attempts that are open, each of which asks the provider. An
//! attempt here must stay open, however often it is asked about.

use crate::bench::SpeedBench;
use crate::gateway::BenchGateway;
use crate::load::{self, post};
use anyhow::{Context, Result, bail};
use provider_protocol::signature::SignatureKeys;
use provider_protocol::{
    AttemptCallback, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER, CALLBACK_TIMESTAMP_HEADER,
    CallbackParts, sign_callback, write,
};
use provider_sim::journal;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tests::patience;
use tests::sandbox_process::{self, ACCOUNT, KEYS};

/// The account whose provider sends callbacks about what does not exist. Nothing is routed to it,
/// and nothing listens there.
const CALLING: &str = "calling";

/// The settings of that account.
pub(crate) const CALLING_ACCOUNT: &str = "\
[provider.calling]
adapter = \"vtpass\"
environment = \"test\"
url = \"https://127.0.0.1:9/api/\"
api_key = \"benchmark\"
secret_key = \"SK_benchmark\"
phone = \"2348031234567\"

[[route]]
product = \"airtime\"
provider = \"sandbox\"
";

/// The settings beside which attempts stay open without being asked about but by callbacks.
pub(crate) const OPEN_SETTINGS: &str = "\
[payment]
answer_window_ms = 2000

[recovery]
recheck_first_ms = 60000
recheck_waiting_max_ms = 60000

";

/// How many attempts are open: each is called back about once a second at 500 a second.
const OPEN: u64 = 500;

/// How many are opened at a time: each is waited for as long as the window of answers is.
const CONNECTIONS: usize = 250;

/// How long opening them may take.
const OPENED_WITHIN: Duration = Duration::from_mins(2);

/// What an aggregator posts about a transaction that nothing is known of.
pub(crate) fn of_nothing(number: u64) -> String {
    let request = format!("202611250000{number:024}");
    let body =
        format!("{{\"type\":\"transaction-update\",\"data\":{{\"requestId\":\"{request}\"}}}}");
    format!(
        "POST /provider/{CALLING}/callback HTTP/1.1\r\nHost: localhost\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Attempts that the provider says are pending, for ever.
#[derive(Debug, Clone)]
pub(crate) struct OpenAttempts {
    references: Arc<Vec<String>>,
    keys: Arc<SignatureKeys>,
}

impl OpenAttempts {
    /// Opens some at a provider process, whose folder is given.
    pub(crate) async fn buy(
        (bench, gateway): (&SpeedBench, &BenchGateway),
        provider: &Path,
    ) -> Result<Self> {
        let path = sandbox_process::data(provider).join("sandbox.journal");
        let known = || -> Result<Vec<String>> {
            let entries = journal::read(&path).context("the provider's journal")?;
            Ok(entries.iter().map(|it| it.reference.to_string()).collect())
        };
        let before = known()?.len();
        let payer = gateway.payers.first().context("no account")?.clone();
        let load = load::BenchLoad {
            time: OPENED_WITHIN,
            numbers: Arc::new(AtomicU64::new(0)),
            ..bench.load(gateway, CONNECTIONS)
        };
        let opened = move |number| {
            let body = format!(
                "{{\"mrcReference\":\"open-{number}\",\"countryCode\":566,\
                 \"number\":\"2348031230010\",\"amount\":\"100.00\",\"billing\":\"prepaid\"}}"
            );
            (number < OPEN).then(|| post(&payer, "/payment/airtime", &body))
        };
        load.run(opened).await?;
        let mut references = known()?;
        let references = references.split_off(before.min(references.len()));
        if u64::try_from(references.len())? != OPEN {
            bail!("{} attempts are open, not {OPEN}", references.len());
        }
        let open = Self {
            references: Arc::new(references),
            keys: Arc::new(SignatureKeys::parse(KEYS).context("no keys")?),
        };
        // One that is taken was asked about: the others are like it.
        let callback = open.callback(0).context("no callback")?;
        load::ask(gateway.server()?, &callback).await?;
        Ok(open)
    }

    /// A callback about one of them, in turn.
    pub(crate) fn callback(&self, number: u64) -> Option<String> {
        let turn = usize::try_from(number).ok()?;
        let turn = turn.checked_rem(self.references.len())?;
        let body = write(&AttemptCallback::changed(self.references.get(turn)?)).ok()?;
        let id = format!("cb_{number}");
        let now = patience::time_of_day().as_millis();
        let timestamp = now.div_euclid(1_000).to_string();
        let parts = CallbackParts {
            id: &id,
            timestamp: &timestamp,
            body: &body,
        };
        let signature = sign_callback(&self.keys, parts);
        let text = std::str::from_utf8(&body).ok()?;
        Some(format!(
            "POST /provider/{ACCOUNT}/callback HTTP/1.1\r\nHost: localhost\r\n\
             Content-Type: application/json\r\n{CALLBACK_ID_HEADER}: {id}\r\n\
             {CALLBACK_TIMESTAMP_HEADER}: {timestamp}\r\n\
             {CALLBACK_SIGNATURE_HEADER}: {signature}\r\nContent-Length: {}\r\n\r\n{text}",
            body.len()
        ))
    }
}
