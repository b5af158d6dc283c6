//! The connection slots: how many there are, which client each belongs to, and which connection is
//! ended when none is left. Over HTTP/2 each request beyond the first takes one too, so that slots
//! bound the requests under way whatever the protocol. It must never end a connection that is
//! processing a request, nor the idle connection of an account within its share.

use super::phase::{ConnectionPhase, Phase, ServeCommand};
use crate::layers::client_address::TrustedProxies;
use crate::layers::connection_owner::ConnectionOwner;
use domain::account::AccountId;
use ipnet::IpNet;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// Connections without an account from one address: a quarter of all. Merchants behind one address
/// open theirs together, before any of them has authenticated.
const OF_AN_ADDRESS: usize = 4;

/// Connections without an account from one network: half of all.
const OF_A_NETWORK: usize = 2;

/// Connections that count for one account: a quarter of all. Further ones may be ended while they
/// are idle, like anonymous ones.
const OF_AN_ACCOUNT: usize = 4;

/// The length of the network prefix of an address, as internet operators assign them to one
/// customer.
const NETWORK_BITS_V4: u8 = 24;
const NETWORK_BITS_V6: u8 = 56;

/// The connection slots of one server.
#[derive(Debug, Clone)]
pub(super) struct Places(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    max: usize,
    proxies: TrustedProxies,
    order: ServeCommand,
    taken: Mutex<SlotCounts>,
}

#[derive(Debug, Default)]
struct SlotCounts {
    next: u64,
    connections: HashMap<u64, Connection>,
    addresses: HashMap<IpAddr, usize>,
    networks: HashMap<IpNet, usize>,
    accounts: HashMap<AccountId, usize>,
}

#[derive(Debug)]
struct Connection {
    address: IpAddr,
    network: IpNet,
    holder: Holder,
    phase: ConnectionPhase,
    cut: CancellationToken,
}

/// The owner of a connection.
#[derive(Debug, PartialEq, Eq)]
enum Holder {
    /// Its address and network: no account has authenticated on it, or the account has its share.
    Stranger,
    /// A trusted proxy, which forwards requests of any client.
    Proxy,
    Account(AccountId),
}

/// A connection slot, released when dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    places: Arc<Inner>,
    id: u64,
    address: IpAddr,
    account: Mutex<Option<AccountId>>,
    pub(super) phase: ConnectionPhase,
    /// Ends the connection.
    pub(super) cut: CancellationToken,
}

impl Places {
    pub(super) fn new(max: usize, proxies: TrustedProxies) -> Self {
        Self(Arc::new(Inner {
            max: max.max(1),
            proxies,
            order: ServeCommand::default(),
            taken: Mutex::default(),
        }))
    }

    /// A slot for a connection from an address. Where there is none, the anonymous connection that
    /// has waited longest for a request is ended; `None` where none of them waits. `cut` is the
    /// parent of the token that ends the connection.
    pub(super) fn take(&self, from: IpAddr, cut: &CancellationToken) -> Option<ConnectionSlot> {
        let phase = ConnectionPhase::new(&self.0.order);
        self.0.take(from.to_canonical(), phase, cut.child_token())
    }
}

impl Inner {
    fn take(
        self: &Arc<Self>,
        address: IpAddr,
        phase: ConnectionPhase,
        cut: CancellationToken,
    ) -> Option<ConnectionSlot> {
        let network = network(address);
        let is_proxy = self.proxies.trust(address);
        let max = self.max;
        let mut taken = self.taken();
        if !is_proxy {
            let of_address = count(&taken.addresses, &address) >= share(max, OF_AN_ADDRESS);
            if of_address && !taken.give_up(|other| other.address == address) {
                return None;
            }
            let of_network = count(&taken.networks, &network) >= share(max, OF_A_NETWORK);
            if of_network && !taken.give_up(|other| other.network == network) {
                return None;
            }
        }
        if taken.connections.len() >= max && !taken.give_up(|_| true) {
            return None;
        }
        let id = taken.next;
        taken.next = id.wrapping_add(1);
        let connection = Connection {
            address,
            network,
            holder: if is_proxy {
                Holder::Proxy
            } else {
                Holder::Stranger
            },
            phase: phase.clone(),
            cut: cut.clone(),
        };
        taken.count(&connection);
        taken.connections.insert(id, connection);
        Some(ConnectionSlot {
            places: Arc::clone(self),
            id,
            address,
            account: Mutex::default(),
            phase,
            cut,
        })
    }

    fn taken(&self) -> MutexGuard<'_, SlotCounts> {
        // Every change is complete before anything could panic.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlot {
    /// A further slot of the same client, for a request beside another of the connection. It is
    /// never the one that is ended for a new connection: a request is under way in it.
    pub(super) fn another(&self) -> Option<Self> {
        let phase = ConnectionPhase::new(&self.places.order);
        phase.set(Phase::Busy);
        self.places
            .take(self.address, phase, CancellationToken::new())
    }
}

impl ConnectionOwner for ConnectionSlot {
    fn is_of(&self, account: &AccountId) {
        let mut known = self.account.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref() == Some(account) {
            return;
        }
        *known = Some(account.clone());
        self.places
            .taken()
            .belongs(self.id, account, share(self.places.max, OF_AN_ACCOUNT));
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.places.taken().release(self.id);
    }
}

impl SlotCounts {
    /// Ends the anonymous connection that waits longest for a request, of those that `may` be
    /// ended; returns whether there was one.
    fn give_up(&mut self, may: impl Fn(&Connection) -> bool) -> bool {
        let waits = |(id, connection): (&u64, &Connection)| {
            if connection.holder != Holder::Stranger || !may(connection) {
                return None;
            }
            connection.phase.waits_since().map(|since| (since, *id))
        };
        let Some((_, longest)) = self.connections.iter().filter_map(waits).min() else {
            return false;
        };
        if let Some(connection) = self.release(longest) {
            connection.cut.cancel();
        }
        true
    }

    fn belongs(&mut self, id: u64, account: &AccountId, share: usize) {
        // A connection that has lost its slot ends soon.
        let Some(mut connection) = self.release(id) else {
            return;
        };
        if connection.holder != Holder::Proxy {
            connection.holder = if count(&self.accounts, account) < share {
                Holder::Account(account.clone())
            } else {
                Holder::Stranger
            };
        }
        self.count(&connection);
        self.connections.insert(id, connection);
    }

    fn count(&mut self, connection: &Connection) {
        match &connection.holder {
            Holder::Stranger => {
                add(&mut self.addresses, connection.address);
                add(&mut self.networks, connection.network);
            }
            Holder::Proxy => {}
            Holder::Account(account) => add(&mut self.accounts, account.clone()),
        }
    }

    fn release(&mut self, id: u64) -> Option<Connection> {
        let connection = self.connections.remove(&id)?;
        match &connection.holder {
            Holder::Stranger => {
                remove(&mut self.addresses, &connection.address);
                remove(&mut self.networks, &connection.network);
            }
            Holder::Proxy => {}
            Holder::Account(account) => remove(&mut self.accounts, account),
        }
        Some(connection)
    }
}

fn network(address: IpAddr) -> IpNet {
    let bits = match address {
        IpAddr::V4(_) => NETWORK_BITS_V4,
        IpAddr::V6(_) => NETWORK_BITS_V6,
    };
    IpNet::new(address, bits).map_or(IpNet::from(address), |network| network.trunc())
}

fn share(max: usize, part: usize) -> usize {
    max.div_ceil(part)
}

fn count<K: Eq + Hash>(counts: &HashMap<K, usize>, key: &K) -> usize {
    counts.get(key).copied().unwrap_or(0)
}

fn add<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K) {
    let count = counts.entry(key).or_default();
    *count = count.saturating_add(1);
}

fn remove<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::phase::Phase;
    use super::*;

    const MAX: usize = 16;

    fn places(trusted: &[&str]) -> Places {
        let trusted = trusted.iter().map(|net| net.parse().unwrap()).collect();
        Places::new(MAX, TrustedProxies::new(trusted))
    }

    fn take(places: &Places, from: &str) -> Option<ConnectionSlot> {
        places.take(from.parse().unwrap(), &CancellationToken::new())
    }

    fn account(name: &str) -> AccountId {
        AccountId::parse(name).unwrap()
    }

    /// Connections, each from a network of its own.
    fn strangers(places: &Places, count: usize) -> Vec<ConnectionSlot> {
        let from = |index| take(places, &format!("10.0.{index}.1")).unwrap();
        (0..count).map(from).collect()
    }

    fn ended(places: &[ConnectionSlot]) -> Vec<usize> {
        let ended = places.iter().enumerate();
        ended
            .filter_map(|(index, place)| place.cut.is_cancelled().then_some(index))
            .collect()
    }

    #[test]
    fn a_full_server_ends_the_stranger_that_has_waited_longest() {
        let places = places(&[]);
        let held = strangers(&places, MAX);
        held[0].phase.set(Phase::Busy);
        held[1].phase.set(Phase::Busy);
        held[1].phase.set(Phase::Idle);
        let new = take(&places, "10.1.0.1").unwrap();
        assert_eq!(ended(&held), [2]);
        assert!(!new.cut.is_cancelled());
    }

    #[test]
    fn what_works_on_a_request_or_belongs_to_an_account_is_not_ended() {
        let places = places(&[]);
        let held = strangers(&places, MAX);
        for (index, place) in held.iter().enumerate() {
            match index {
                0..4 => place.is_of(&account("shop")),
                4..10 => place.phase.set(Phase::Busy),
                _ => place.phase.set(Phase::Answering),
            }
        }
        assert!(take(&places, "10.1.0.1").is_none());
        assert_eq!(ended(&held), [0; 0]);
        drop(held);
        assert!(take(&places, "10.1.0.1").is_some());
    }

    #[test]
    fn an_address_has_a_quarter_and_a_network_half_of_the_places() {
        let places = places(&[]);
        let of_address: Vec<_> = (0..5).filter_map(|_| take(&places, "10.0.0.1")).collect();
        assert_eq!((of_address.len(), ended(&of_address)), (5, vec![0]));
        let from = |index: usize| take(&places, &format!("10.0.0.{index}"));
        let of_network: Vec<_> = (2..7).filter_map(from).collect();
        assert_eq!((of_network.len(), ended(&of_network)), (5, vec![]));
        assert_eq!(ended(&of_address), [0, 1]);
        // Where none of them waits there is no slot for another one.
        for place in of_address.iter().chain(&of_network) {
            place.phase.set(Phase::Busy);
        }
        assert!(take(&places, "10.0.0.9").is_none());
        assert!(take(&places, "10.0.1.1").is_some());
    }

    #[test]
    fn a_trusted_proxy_has_as_many_places_as_there_are_and_keeps_them() {
        let places = places(&["10.9.0.0/16"]);
        let from = |_| take(&places, "::ffff:10.9.0.1");
        let held: Vec<_> = (0..MAX).filter_map(from).collect();
        held[0].is_of(&account("shop"));
        assert_eq!((held.len(), ended(&held)), (MAX, vec![]));
        assert!(take(&places, "10.9.0.1").is_none());
    }

    #[test]
    fn an_account_keeps_its_share_and_no_more() {
        let places = places(&[]);
        let held = strangers(&places, MAX);
        for place in &held {
            place.is_of(&account("shop"));
        }
        let new = take(&places, "10.1.0.1").unwrap();
        assert_eq!(ended(&held), [4]);
        // A connection belongs to the account of the last key sent on it.
        held[0].is_of(&account("other"));
        held[5].is_of(&account("shop"));
        held[5].is_of(&account("other"));
        let newer = take(&places, "10.2.0.1").unwrap();
        assert_eq!(ended(&held), [4, 6]);
        drop((new, newer));
    }

    #[test]
    fn places_that_were_given_up_or_left_are_counted_once() {
        let places = places(&[]);
        for _ in 0..3 {
            let held = strangers(&places, 2 * MAX);
            held[3].is_of(&account("shop"));
            held[MAX + 1].is_of(&account("shop"));
        }
        let taken = places.0.taken();
        assert!(taken.connections.is_empty());
        assert!(taken.addresses.is_empty() && taken.networks.is_empty());
        assert!(taken.accounts.is_empty());
    }
}
