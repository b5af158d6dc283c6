//! The sessions of an account: bound, kept up, chosen from and ended. Only a session is ever bound
//! again; a message is written once, in one of them.

use crate::deliveries::Deliveries;
use crate::link::SmppDialler;
use crate::session::{BindError, Session, SessionReader};
use crate::settings::{BindMode, SmppSettings};
use ports::clock::Clock;
use rusmpp_core::pdus::owned::{BindReceiver, BindTransceiver, BindTransmitter, Pdu};
use rusmpp_core::types::owned::COctetString;
use rusmpp_core::values::InterfaceVersion;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// SMPP 3.4.
const VERSION: u8 = 0x34;

/// How far apart sessions of one account bind again, so that they do not come all at once.
const APART: Duration = Duration::from_millis(150);

/// A session that ends sooner than it took to be of use counts as one that was not bound.
const SHORT: Duration = Duration::from_secs(10);

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BindKind {
    Transceiver,
    Transmitter,
    Receiver,
}

/// The sessions of an account.
#[derive(Debug)]
pub(crate) struct Binds {
    settings: SmppSettings,
    dialler: SmppDialler,
    clock: Arc<dyn Clock>,
    sessions: Mutex<Vec<(BindKind, Arc<Session>)>>,
    bound: Notify,
    closing: CancellationToken,
    tracker: TaskTracker,
}

/// A session with room for a message.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) session: Arc<Session>,
    /// How many parts may be outstanding at once.
    pub(crate) at_once: usize,
    /// Given back once every part is answered.
    _places: OwnedSemaphorePermit,
}

impl Binds {
    pub(crate) fn new(
        settings: SmppSettings,
        dialler: SmppDialler,
        clock: Arc<dyn Clock>,
    ) -> Arc<Self> {
        Arc::new(Self {
            settings,
            dialler,
            clock,
            sessions: Mutex::default(),
            bound: Notify::new(),
            closing: CancellationToken::new(),
            tracker: TaskTracker::new(),
        })
    }

    /// The tasks of the sessions, which closing waits for.
    pub(crate) const fn tracker(&self) -> &TaskTracker {
        &self.tracker
    }

    /// Binds every session and keeps it up until the account is closed.
    pub(crate) fn keep_up(self: &Arc<Self>, deliveries: Deliveries) {
        let deliveries = Arc::new(deliveries);
        let kinds: &[BindKind] = match self.settings.mode {
            BindMode::Transceiver => &[BindKind::Transceiver],
            BindMode::TransmitterAndReceiver => &[BindKind::Receiver, BindKind::Transmitter],
        };
        let mut number = 0_u32;
        for _ in 0..self.settings.binds {
            for kind in kinds {
                let (binds, deliveries) = (Arc::clone(self), Arc::clone(&deliveries));
                let (kind, apart) = (*kind, APART.saturating_mul(number));
                number = number.saturating_add(1);
                self.tracker.spawn(async move {
                    binds.keep_one_up(kind, apart, &deliveries).await;
                });
            }
        }
    }

    async fn keep_one_up(&self, kind: BindKind, apart: Duration, deliveries: &Deliveries) {
        let pauses = self.settings.timers.reconnect;
        let mut failures: usize = 0;
        while !self.closing.is_cancelled() {
            let opened = tokio::select! {
                () = self.closing.cancelled() => return,
                opened = self.open(kind) => opened,
            };
            match opened {
                Ok((session, reader)) => {
                    tracing::info!(?kind, "a session with the SMSC is bound");
                    if self.hold((kind, &session), reader, deliveries).await >= SHORT {
                        failures = 0;
                    }
                    if !self.closing.is_cancelled() {
                        tracing::warn!(?kind, "a session with the SMSC ended; it is bound again");
                    }
                }
                Err(error) => {
                    let cause = std::error::Error::source(&error).map(ToString::to_string);
                    tracing::warn!(?kind, %error, cause, "no session with the SMSC; trying again");
                }
            }
            let pause = pauses.get(failures).or(pauses.last()).copied();
            failures = failures.saturating_add(1);
            let pause = pause.unwrap_or_default().saturating_add(apart);
            tokio::select! {
                () = self.closing.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    async fn open(&self, kind: BindKind) -> Result<(Arc<Session>, SessionReader), BindError> {
        let timers = self.settings.timers;
        let stream = timeout(timers.connect, self.dialler.dial()).await;
        let stream = stream.map_err(|_| BindError::Late)?;
        let stream = stream.map_err(BindError::Connect)?;
        Session::bind(stream, self.request(kind), (self.settings.window, timers)).await
    }

    fn request(&self, kind: BindKind) -> Pdu {
        let credentials = &self.settings.credentials;
        // Every one was checked when the settings were read.
        let system_id = COctetString::from_string(credentials.system_id.clone());
        let system_id = system_id.unwrap_or_default();
        let password = COctetString::from_string(credentials.password.reveal().to_owned());
        let password = password.unwrap_or_default();
        let system_type = COctetString::from_string(credentials.system_type.clone());
        let system_type = system_type.unwrap_or_default();
        let version = InterfaceVersion::from(VERSION);
        match kind {
            BindKind::Transceiver => BindTransceiver::builder()
                .system_id(system_id)
                .password(password)
                .system_type(system_type)
                .interface_version(version)
                .build()
                .into(),
            BindKind::Transmitter => BindTransmitter::builder()
                .system_id(system_id)
                .password(password)
                .system_type(system_type)
                .interface_version(version)
                .build()
                .into(),
            BindKind::Receiver => BindReceiver::builder()
                .system_id(system_id)
                .password(password)
                .system_type(system_type)
                .interface_version(version)
                .build()
                .into(),
        }
    }

    /// Has a session among those that messages are given to for as long as it lasts, and answers
    /// about how long that was.
    async fn hold(
        &self,
        (kind, session): (BindKind, &Arc<Session>),
        reader: SessionReader,
        deliveries: &Deliveries,
    ) -> Duration {
        self.sessions().push((kind, Arc::clone(session)));
        self.bound.notify_waiters();
        // Closing may have looked before the session was there.
        if self.closing.is_cancelled() {
            let (leaving, closing) = (Arc::clone(session), self.tracker.clone());
            closing.spawn(async move { leaving.leave().await });
        }
        let began = self.clock.uptime();
        session.run(reader, deliveries).await;
        self.sessions()
            .retain(|(_, known)| !Arc::ptr_eq(known, session));
        self.clock.uptime().saturating_sub(began)
    }

    /// A session with room for so many parts; `None` where there is none in time.
    pub(crate) async fn room(&self, parts: usize, patience: Duration) -> Option<Room> {
        let found = timeout(patience, async {
            loop {
                let bound = self.bound.notified();
                if self.closing.is_cancelled() {
                    return None;
                }
                let Some(session) = self.emptiest() else {
                    tokio::select! {
                        () = bound => continue,
                        () = self.closing.cancelled() => return None,
                    }
                };
                let wanted = u32::try_from(parts).unwrap_or(u32::MAX);
                let wanted = wanted.min(session.window_size());
                let places = Arc::clone(&session.window).acquire_many_owned(wanted);
                let places = tokio::select! {
                    places = places => places.ok()?,
                    () = session.ended.cancelled() => continue,
                };
                if session.is_open() {
                    return Some(Room {
                        session,
                        at_once: usize::try_from(wanted).unwrap_or(1).max(1),
                        _places: places,
                    });
                }
            }
        });
        found.await.ok().flatten()
    }

    fn emptiest(&self) -> Option<Arc<Session>> {
        let sessions = self.sessions();
        let open = sessions
            .iter()
            .filter(|(kind, session)| *kind != BindKind::Receiver && session.is_open());
        let emptiest = open.max_by_key(|(_, session)| session.window.available_permits());
        emptiest.map(|(_, session)| Arc::clone(session))
    }

    /// Ends every session in an orderly way.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        let sessions: Vec<_> = self.sessions().clone();
        for (_, session) in sessions {
            self.tracker.spawn(async move { session.leave().await });
        }
        self.tracker.close();
        self.tracker.wait().await;
    }

    fn sessions(&self) -> MutexGuard<'_, Vec<(BindKind, Arc<Session>)>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
