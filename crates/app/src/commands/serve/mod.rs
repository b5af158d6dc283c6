//! `manilla serve`: from the first line on standard output to the last commit. It must not leave
//! while payments are in flight, unless stopped twice.

mod background;
mod reload;
mod service_manager;
mod signals;

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use application::journals::Journals;
use application::recovery::Recovery;
use application::reports::files::ReportWriter;
use application::request_log::RequestLogWriter;
use application::retention::Retention;
use application::{ClaimWorker, Gateway, QueueWorker, RecurringWorker};
use clap::Args;
use domain::account::AccountId;
use domain::sms::{SenderName, SenderStatus};
use tokio::task::{JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(crate) use self::background::BackgroundTasks;
use self::background::{waited, waited_at_most};
pub(crate) use self::signals::{OtherSignals, SignalRequest, StopSignals};
use crate::clock::SystemClock;
use crate::commands::account::NewAccountView;
use crate::commands::sender;
use crate::compose::{self, AdminContext, Monitoring, RunningGateway, ServeGuard};
use crate::config::Config;
use crate::failure::Failure;
use crate::operator::SigningAuthority;
use crate::output;
use crate::tls;
use crate::welcome::Welcome;

#[derive(Debug, Clone, Default, Args)]
#[command(after_help = "\
Examples:
  manilla serve
  manilla serve --listen 0.0.0.0:8443 --data /var/lib/manilla
  MANILLA_DATABASE='postgres://manilla_server@db.internal/manilla?sslmode=verify-full' manilla serve
  manilla serve --listen 127.0.0.1:0 --set sandbox.pending_delay_ms=100 --log-format json

It prints `ready https://ADDR:PORT` when it answers, and `stopped` when it has drained. SIGTERM or
Ctrl-C drains; a second one stops at once. SIGHUP reads the configuration again and takes up routes,
maintenance windows, limits and secrets of providers, the certificate and the log level.")]
pub(crate) struct ServeOptions {
    #[arg(
        long,
        value_name = "ADDR:PORT",
        help = "Address and port to answer on [default: 127.0.0.1:8443] [env: MANILLA_LISTEN]"
    )]
    pub(crate) listen: Option<String>,
    /// Open an account and say how to use it, where there is none.
    #[arg(skip)]
    pub(crate) welcome: bool,
}

impl ServeOptions {
    /// What a bare `manilla` means.
    pub(crate) const fn welcoming() -> Self {
        Self {
            listen: None,
            welcome: true,
        }
    }
}

pub(crate) async fn run(options: &ServeOptions, config: Config) -> Result<(), Failure> {
    let (mut signals, other_signals) = (StopSignals::new()?, OtherSignals::new()?);
    let running = tokio::select! {
        running = RunningGateway::open(&config) => running?,
        () = signals.next() => return Ok(()),
    };
    let address = running.server.local_addr();
    if options.welcome {
        welcome_newcomer(&running.context, &config, address).await?;
    }
    let url = format!("https://{address}");
    let environments = environments(&config.live_providers());
    if let Some(monitoring) = &running.monitoring {
        output::line(format!("metrics {}", monitoring.url()))?;
    }
    output::line(format!("{environments}\nlistening on {url}\nready {url}"))?;
    service_manager::ready();
    tracing::info!(%address, data = %config.data.display(), environments, "serving");
    let certificate = running.server.certificate();
    let live = running.live.clone();
    let reloading = reload::on_signals(other_signals, &config, (&certificate, live));
    let renewing = tls::renew_hourly((&config.data, &config.server), &SystemClock, |material| {
        Ok(certificate.replace(compose::usable(&material)?)?)
    });
    tokio::select! {
        served = serve(running, &mut signals) => served,
        () = reloading => Ok(()),
        () = renewing => Ok(()),
        () = service_manager::keep_alive() => Ok(()),
    }
}

/// Whether real money can move, in one line.
fn environments(live: &[&str]) -> String {
    if live.is_empty() {
        return "test accounts only: no route leads to a live provider".to_owned();
    }
    format!(
        "test and live accounts: what live accounts buy from {} costs REAL MONEY",
        live.join(", ")
    )
}

/// The name a newcomer's messages are sent under.
const SENDER_TO_TRY: &str = "Manilla";

/// Opens a test account at the first start, and shows how to use it.
async fn welcome_newcomer(
    context: &AdminContext,
    config: &Config,
    address: SocketAddr,
) -> Result<(), Failure> {
    if !context.accounts.list().await?.is_empty() {
        return Ok(());
    }
    let opened = NewAccountView::to_try()?
        .open(context, &SigningAuthority::Program)
        .await?;
    let account = AccountId::parse(&opened.identity)?;
    let name = SenderName::parse(SENDER_TO_TRY)?;
    let sender = sender::register(
        context,
        &SigningAuthority::Program,
        (account, name, SenderStatus::Approved),
    )
    .await?;
    let welcome = Welcome {
        live: &config.live_providers(),
        address,
        data: &config.data,
        local_certificate: config.server.certificate.is_none(),
        opened: &opened,
        sender: &sender.serial,
    };
    Ok(output::line(welcome.text())?)
}

/// What goes on with payments that no merchant waits for.
fn in_background(
    (recovery, queue): (Recovery, QueueWorker),
    gateway: &Gateway,
    stop: CancellationToken,
) -> impl Future<Output = ()> + use<> {
    let claims = ClaimWorker::new(gateway);
    let subscriptions = RecurringWorker::new(gateway);
    async move {
        tokio::join!(
            recovery.run(stop.clone()),
            queue.run(stop.clone()),
            claims.run(stop.clone()),
            subscriptions.run(stop)
        );
    }
}

/// What may end without the server: erasing in time, and writing files of reports and the log of
/// requests.
fn beside_payments(
    tasks: &BackgroundTasks,
    (retention, files): (Retention, ReportWriter),
    gateway: &Gateway,
    stop: &CancellationToken,
) -> RequestRecording {
    tasks.spawn("retention", retention.run(stop.clone()));
    tasks.spawn("files of reports", files.run(stop.clone()));
    RequestRecording::start(tasks, gateway)
}

/// Answers operators' tools until everything is done.
fn watch(
    tasks: &BackgroundTasks,
    monitoring: Option<Monitoring>,
    (stop, done): (&CancellationToken, &CancellationToken),
) {
    if let Some(monitoring) = monitoring {
        tasks.spawn("metrics", monitoring.run(stop.clone(), done.clone()));
    }
}

/// Requests are recorded until the last one is answered.
struct RequestRecording {
    answered: CancellationToken,
    written: JoinHandle<()>,
}

impl RequestRecording {
    fn start(tasks: &BackgroundTasks, gateway: &Gateway) -> Self {
        let answered = CancellationToken::new();
        let writer = RequestLogWriter::new(gateway).run(answered.clone());
        let written = tasks.spawn("log of requests", writer);
        Self { answered, written }
    }

    /// Once the last request is answered: writes what waits, though not for long.
    async fn end(self) {
        self.answered.cancel();
        if let Err(error) = self.written.await {
            tracing::error!(%error, "the writer of the log of requests failed");
        }
    }
}

/// Serves until a signal comes, then until everything under way is settled or known to recovery.
async fn serve(running: RunningGateway, signals: &mut StopSignals) -> Result<(), Failure> {
    let RunningGateway {
        context,
        gateway,
        catalogue,
        mut recovery,
        queue,
        keeping,
        server,
        monitoring,
        dispatcher,
        journals,
        availability,
        mut floats,
        live: _,
        serve_guard,
    } = running;
    // Before any request is served: payments in flight by then would be taken for abandoned.
    tokio::join!(recovery.reclaim(), floats.prepare());
    let (stop, done) = (CancellationToken::new(), CancellationToken::new());
    let (tasks, http) = (BackgroundTasks::default(), TaskTracker::new());
    let listening = gateway.clone().listen(server.budgets(), stop.clone());
    let mut listened = tasks.spawn("events of other instances", listening);
    let mut served = http.spawn(server.run(stop.clone()));
    let in_background = in_background((recovery, queue), &gateway, stop.clone());
    let mut recovered = tasks.spawn("recovery and the queue", in_background);
    let integrity = stop.clone().run_until_cancelled_owned(context.integrity());
    tasks.spawn("check of the file", integrity);
    watch(&tasks, monitoring, (&stop, &done));
    let recording = beside_payments(&tasks, keeping, &gateway, &stop);
    let mut availability = tasks.spawn("log of operators", availability.run(stop.clone()));
    let leased = floats.start(&tasks, &stop);
    let mut catalogued = tasks.spawn("catalogue", catalogue.keep_current(stop.clone()));
    let mut dispatching = tasks.spawn("delivery of events", dispatcher.run(stop.clone()));
    let journal = journals.own().clone();
    let mut compared = tasks.spawn("attempt journals", journals.run(stop.clone()));
    let mut guarded = tasks.spawn("place among the instances", kept(serve_guard, done.clone()));
    http.close();
    // Neither ends before it is stopped; if one does, the server must not go on without it.
    let ended = tokio::select! {
        () = signals.next() => Ok(()),
        ended = &mut served => by_itself(ended, "the server ended by itself"),
        ended = &mut recovered => by_itself(ended, "recovery or the queue ended by itself"),
        ended = &mut availability => by_itself(ended, "reading the log of operators ended"),
        ended = &mut dispatching => by_itself(ended, "the delivery of events ended by itself"),
        ended = &mut compared => by_itself(ended, "comparing the attempt journals ended by itself"),
        ended = &mut catalogued => by_itself(ended, "reading the catalogue ended by itself"),
        ended = &mut listened => by_itself(ended, "listening to other instances ended by itself"),
        ended = &mut guarded => by_itself(ended, "the place among the instances was given up"),
    };
    tracing::info!("stopping: payments under way are finished; a second signal stops at once");
    service_manager::stopping();
    stop.cancel();
    let drained = async {
        settled(&gateway, &http, &mut recovered, recording).await;
        released(async { tokio::join!(Journals::release(&gateway, &journal), leased.release()) })
            .await;
        // Other instances would take what is under way for left behind once the place is empty.
        done.cancel();
        closed(&tasks, context).await;
    };
    tokio::select! {
        () = drained => {}
        () = signals.next() => return Err(Failure::Interrupted),
    }
    stopped(ended)
}

/// How long a stop waits for the store to note that this process has ended. Without that note other
/// instances have its leases when they run out, and its journal is compared at the next start.
const RELEASED_WITHIN: Duration = Duration::from_secs(10);

/// How long a stop waits for tasks beside requests, and then for connections to be closed. All that
/// they may still do is safe to be cut off, as by a crash.
const ENDED_WITHIN: Duration = Duration::from_secs(10);

/// Waits until every request is answered, and every payment under way is settled or known to
/// recovery.
async fn settled(
    gateway: &Gateway,
    http: &TaskTracker,
    recovered: &mut JoinHandle<()>,
    recording: RequestRecording,
) {
    // Accepted connections are served: another instance takes new ones, and no client is asked to
    // come back later.
    waited(|| "requests".to_owned(), http.wait()).await;
    let workers = async {
        if !recovered.is_finished() {
            // How it ended is in the log of a panic; the stop goes on.
            let _ = recovered.await;
        }
    };
    // What it claims before it looks at the stop is a payment under way.
    waited(|| "recovery and the queue".to_owned(), workers).await;
    let payments = async { tokio::join!(gateway.drain(), recording.end()) };
    waited(|| "payments under way".to_owned(), payments).await;
}

/// Has the store note that this process has ended, where it answers.
async fn released(noting: impl Future<Output = ((), ())>) {
    let noting = async {
        let ((), ()) = noting.await;
    };
    waited_at_most(RELEASED_WITHIN, || "the database".to_owned(), noting).await;
}

/// Waits for what runs beside requests, and closes the store.
async fn closed(tasks: &BackgroundTasks, context: AdminContext) {
    waited_at_most(ENDED_WITHIN, || tasks.running(), tasks.ended()).await;
    let store = || "connections to the store".to_owned();
    waited_at_most(ENDED_WITHIN, store, context.close()).await;
}

/// Everything is done; whether it was asked for.
fn stopped(ended: anyhow::Result<()>) -> Result<(), Failure> {
    tracing::info!("stopped");
    // The reader of the first lines may be gone; that is no failure of the shutdown.
    let _ = output::line("stopped");
    ended
        .context("the server could not go on")
        .map_err(Failure::from)
}

/// Keeps the place among the instances until everything is done.
async fn kept(serve_guard: Option<ServeGuard>, done: CancellationToken) {
    match serve_guard {
        Some(serve_guard) => serve_guard.keep(done).await,
        None => done.cancelled().await,
    }
}

/// A task that must run until it is asked to stop has ended.
fn by_itself<T>(ended: Result<T, JoinError>, what: &'static str) -> anyhow::Result<()> {
    match ended {
        Ok(_) => Err(anyhow::anyhow!(what)),
        Err(error) => Err(error.into()),
    }
}
