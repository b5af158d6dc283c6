//! Instances that exchange messages in memory, over lines that a test cuts and mends. It must lose
//! what a cut line loses, and nothing else.

use async_trait::async_trait;
use domain::account::AccountId;
use domain::time::Timestamp;
use ports::PortError;
use ports::clock::Clock;
use ports::peers::{PeerEvent, PeerMessage, Peers};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// How often a line is proven where nothing is said on it.
pub const PROVEN_EVERY: Duration = Duration::from_millis(200);

/// What members meet on.
#[derive(Debug)]
pub struct Hub {
    clock: Arc<dyn Clock>,
    members: Mutex<Vec<Arc<PeerMember>>>,
}

/// One instance's end of its line.
#[derive(Debug)]
pub struct PeerMember {
    hub: Arc<Hub>,
    place: usize,
    line: Mutex<PeerLink>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct PeerLink {
    state: State,
    /// What is under way, oldest first: messages, and proofs between them.
    coming: VecDeque<PeerEvent>,
    reported: Vec<PeerMessage>,
    /// When it is to be tried next.
    trial_due: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Up,
    Cut,
    /// It works again, and the member has not received that yet.
    Mended,
}

impl Hub {
    /// A hub whose lines are proven by a clock's time.
    pub fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            clock,
            members: Mutex::default(),
        })
    }

    /// One more member, whose line works.
    pub fn join(self: &Arc<Self>) -> Arc<PeerMember> {
        let mut members = self.members();
        let member = Arc::new(PeerMember {
            hub: self.clone(),
            place: members.len(),
            line: Mutex::default(),
            changed: Notify::new(),
        });
        members.push(member.clone());
        member
    }

    /// Announces that an account changed, as its store does: every member receives it.
    pub fn account_changed(&self, id: &AccountId) {
        for member in self.members().iter() {
            member.receive(&PeerMessage::AccountChanged(id.clone()));
        }
    }

    fn members(&self) -> MutexGuard<'_, Vec<Arc<PeerMember>>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PeerMember {
    /// From now on nothing passes, without an error; what was under way is lost.
    pub fn cut(&self) {
        let mut line = self.link();
        line.state = State::Cut;
        line.coming.clear();
    }

    /// The line works again.
    pub fn mend(&self) {
        self.link().state = State::Mended;
        self.changed.notify_one();
    }

    /// Every message this member sent, in order, whether or not another received it.
    pub fn delivered_messages(&self) -> Vec<PeerMessage> {
        self.link().reported.clone()
    }

    fn receive(&self, word: &PeerMessage) {
        let mut line = self.link();
        if line.state != State::Cut {
            line.coming.push_back(PeerEvent::Message(word.clone()));
            self.changed.notify_one();
        }
    }

    /// The next event, or how long to wait for it.
    fn next(&self) -> Result<PeerEvent, Duration> {
        let now = self.hub.clock.now();
        let mut line = self.link();
        if line.state == State::Mended {
            line.state = State::Up;
            return Ok(PeerEvent::Missed);
        }
        let due = *line.trial_due.get_or_insert(now.plus(PROVEN_EVERY));
        if due <= now {
            line.trial_due = Some(now.plus(PROVEN_EVERY));
            if line.state == State::Up {
                line.coming.push_back(PeerEvent::Alive);
            }
        }
        let wait = line.trial_due.map(|due| due.since(now));
        let next = line.coming.pop_front();
        next.ok_or_else(|| wait.unwrap_or(PROVEN_EVERY))
    }

    fn link(&self) -> MutexGuard<'_, PeerLink> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Peers for PeerMember {
    async fn publish(&self, word: PeerMessage) -> Result<(), PortError> {
        {
            let mut line = self.link();
            line.reported.push(word.clone());
            if line.state == State::Cut {
                return Err(PortError::new("hub", "the line is cut"));
            }
        }
        for (place, member) in self.hub.members().iter().enumerate() {
            if place != self.place {
                member.receive(&word);
            }
        }
        Ok(())
    }

    async fn subscribe(&self) -> PeerEvent {
        loop {
            let wait = match self.next() {
                Ok(received) => return received,
                Err(wait) => wait,
            };
            tokio::select! {
                () = self.changed.notified() => {}
                () = self.hub.clock.sleep(wait) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::account_id;
    use crate::clock::ManualClock;
    use crate::contract::peers::{self as contract, Instances};
    use ports::peers::{RateLimitClass, UsageDelta};
    use tokio::task::JoinSet;

    fn spent(count: u32) -> PeerMessage {
        PeerMessage::Usage(vec![UsageDelta {
            account: account_id("shop"),
            class: RateLimitClass::Reads,
            count,
        }])
    }

    fn hub() -> (Arc<ManualClock>, Arc<Hub>) {
        let clock = ManualClock::start();
        (clock.clone(), Hub::new(clock))
    }

    /// Everything a member receives in some time, with when it received it.
    async fn received(
        clock: &Arc<ManualClock>,
        member: &Arc<PeerMember>,
        millis: u64,
    ) -> Vec<(u128, PeerEvent)> {
        let all = Arc::new(Mutex::new(Vec::new()));
        let mut listener = JoinSet::new();
        let (ear, notes, watch) = (member.clone(), all.clone(), clock.clone());
        let begun = clock.now();
        listener.spawn(async move {
            loop {
                let received = ear.subscribe().await;
                let at = watch.now().since(begun).as_millis();
                notes.lock().unwrap().push((at, received));
            }
        });
        clock.advance(Duration::from_millis(millis)).await;
        listener.shutdown().await;
        let all = all.lock().unwrap();
        all.clone()
    }

    #[tokio::test]
    async fn a_line_is_proven_five_times_a_second_words_or_not() {
        let (clock, hub) = hub();
        let (one, two) = (hub.join(), hub.join());
        let proofs = [200, 400, 600].map(|at| (at, PeerEvent::Alive));
        assert_eq!(received(&clock, &one, 600).await, proofs);
        let mut chatter = JoinSet::new();
        let time = clock.clone();
        chatter.spawn(async move {
            for count in 0.. {
                two.publish(spent(count)).await.unwrap();
                time.sleep(Duration::from_millis(30)).await;
            }
        });
        let received = received(&clock, &one, 600).await;
        let proofs = received
            .iter()
            .filter(|(_, received)| *received == PeerEvent::Alive);
        assert_eq!(proofs.count(), 3, "{received:?}");
    }

    #[tokio::test]
    async fn a_cut_line_is_silent_and_a_mended_one_says_that_words_were_missed() {
        let (clock, hub) = hub();
        let (one, two) = (hub.join(), hub.join());
        hub.account_changed(&account_id("shop"));
        one.cut();
        hub.account_changed(&account_id("shop"));
        assert_eq!(received(&clock, &one, 5000).await, []);
        assert!(one.publish(spent(1)).await.is_err());
        one.mend();
        two.publish(spent(2)).await.unwrap();
        let expected = [(0, PeerEvent::Missed), (0, PeerEvent::Message(spent(2)))];
        assert_eq!(received(&clock, &one, 100).await, expected);
        assert_eq!(one.delivered_messages(), [spent(1)]);
    }

    struct OnAHub(Arc<Hub>);

    #[async_trait]
    impl Instances for OnAHub {
        async fn join(&self) -> Arc<dyn Peers> {
            self.0.join()
        }

        async fn change(&self, id: &AccountId) {
            self.0.account_changed(id);
        }
    }

    #[tokio::test]
    async fn a_hub_keeps_the_contract() {
        let (clock, hub) = hub();
        let time_passes = async {
            loop {
                clock.advance(PROVEN_EVERY).await;
            }
        };
        let instances = OnAHub(hub);
        tokio::select! {
            () = contract::all(&instances) => {}
            () = time_passes => {}
        }
    }
}
