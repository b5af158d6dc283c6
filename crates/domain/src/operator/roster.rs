//! Who is an operator, as the entries of the log that add and revoke operators say it. Whether
//! these are signed is for the caller to see, by the key that is asked for here.

use super::{Act, Actor, OperatorEntry, OperatorName, OperatorOrder, PublicKey};
use crate::time::Timestamp;

/// An operator who was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The operator.
    pub name: OperatorName,
    /// The key that this operator signs with.
    pub key: PublicKey,
    /// The operator who added this one; the first one added itself.
    pub added_by: OperatorName,
    /// The entry that added this operator.
    pub added_in: u64,
    /// When.
    pub added_at: Timestamp,
    /// Since when this operator signs nothing any more.
    pub revoked: Option<Revocation>,
    /// The key that opens operations over HTTP to this operator.
    pub http_key: Option<HttpKey>,
}

/// A key for requests over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpKey {
    /// The public key that follows from it: the key itself is stored nowhere.
    pub key: PublicKey,
    /// The entry that says so.
    pub entry: u64,
    /// When it was made.
    pub at: Timestamp,
}

/// The end of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revocation {
    /// The operator who revoked this one.
    pub by: OperatorName,
    /// The entry that says so: what came before it stays valid.
    pub entry: u64,
    /// When.
    pub at: Timestamp,
}

/// Why an entry adds or revokes no operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotListed {
    /// The program adds no operators.
    #[error("the program adds and revokes no operators")]
    Program,
    /// The signer is no operator.
    #[error("{0} is no operator, or none any more")]
    NoOperator(OperatorName),
    /// The name that is added or revoked is not one.
    #[error("what is added or revoked has no name or no key")]
    Unreadable,
    /// Names are used once.
    #[error("there is or was an operator {0} already; a name is used once")]
    NameTaken(OperatorName),
    /// A key is one operator's.
    #[error("the key of {0} is the key of another operator")]
    KeyTaken(OperatorName),
    /// A key for requests is made by the operator who holds it.
    #[error("{0} makes the key for requests; another operator cannot")]
    OthersKey(OperatorName),
    /// What is revoked is no operator.
    #[error("{0} is no operator, or none any more")]
    NotThere(OperatorName),
    /// Without operators nothing could be done any more.
    #[error("{0} is the last operator; add another before")]
    Last(OperatorName),
}

/// The operators, in the order they were added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster {
    members: Vec<Member>,
    /// Additions that wait for the approval of another operator.
    proposed: Vec<(u64, OperatorName, OperatorOrder)>,
}

impl Roster {
    /// The acts it is made of.
    pub const ACTS: [Act; 4] = [
        Act::OperatorAdd,
        Act::OperatorRevoke,
        Act::OperatorHttpKey,
        Act::OperatorHttpKeyRevoke,
    ];

    /// Every operator there is or was.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Whether no operator was ever added.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The operators of now.
    pub fn active(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|it| it.revoked.is_none())
    }

    /// The operator of a name, of now.
    pub fn operator(&self, name: &OperatorName) -> Option<&Member> {
        self.active().find(|it| it.name == *name)
    }

    /// Whether another operator must approve an operator who is added: one who could add others
    /// alone would approve what is proposed under a second name.
    pub fn needs_approval(&self) -> bool {
        self.members.len() > 1
    }

    /// The key that an entry must be signed with, with the entries before it taken in; `None` where
    /// its actor may sign nothing. The first operator is added by its own key.
    pub fn key_of(&self, entry: &OperatorEntry) -> Option<PublicKey> {
        let Actor::Operator(name) = &entry.actor else {
            return None;
        };
        let is_first = self.is_empty()
            && entry.order.act == Act::OperatorAdd
            && entry.order.reference == name.as_str();
        if is_first {
            return PublicKey::parse(&entry.order.detail);
        }
        self.operator(name).map(|it| it.key)
    }

    /// Takes in an entry that adds or revokes an operator; others change nothing.
    ///
    /// # Errors
    /// When it may not; nothing is taken in then.
    pub fn take_in(&mut self, entry: &OperatorEntry) -> Result<(), NotListed> {
        if !Self::ACTS.contains(&entry.order.act) {
            return Ok(());
        }
        let Actor::Operator(by) = &entry.actor else {
            return Err(NotListed::Program);
        };
        let name = OperatorName::parse(&entry.order.reference);
        let name = name.map_err(|_| NotListed::Unreadable)?;
        let adds_itself = self.is_empty() && name == *by;
        if !adds_itself && self.operator(by).is_none() {
            return Err(NotListed::NoOperator(by.clone()));
        }
        let act = entry.order.act;
        if act == Act::OperatorRevoke {
            return self.revoke(entry, &name, by);
        }
        if act == Act::OperatorHttpKey {
            return self.make_http_key(entry, &name, by);
        }
        if act == Act::OperatorHttpKeyRevoke {
            return self.end_http_key(&name);
        }
        self.add(entry, name, by)
    }

    fn make_http_key(
        &mut self,
        entry: &OperatorEntry,
        name: &OperatorName,
        by: &OperatorName,
    ) -> Result<(), NotListed> {
        let key = PublicKey::parse(&entry.order.detail).ok_or(NotListed::Unreadable)?;
        if name != by {
            return Err(NotListed::OthersKey(name.clone()));
        }
        if self.has_key(key) {
            return Err(NotListed::KeyTaken(name.clone()));
        }
        let made = HttpKey {
            key,
            entry: entry.number,
            at: entry.at,
        };
        self.set_http_key(name, Some(made));
        Ok(())
    }

    fn end_http_key(&mut self, name: &OperatorName) -> Result<(), NotListed> {
        if self.operator(name).is_none() {
            return Err(NotListed::NotThere(name.clone()));
        }
        self.set_http_key(name, None);
        Ok(())
    }

    fn set_http_key(&mut self, name: &OperatorName, key: Option<HttpKey>) {
        let mut members = self.members.iter_mut();
        if let Some(member) = members.find(|it| it.name == *name) {
            member.http_key = key;
        }
    }

    /// Whether a key is one that an operator signs with, or opens operations over HTTP.
    fn has_key(&self, key: PublicKey) -> bool {
        self.members
            .iter()
            .any(|it| it.key == key || it.http_key.as_ref().is_some_and(|made| made.key == key))
    }

    fn add(
        &mut self,
        entry: &OperatorEntry,
        name: OperatorName,
        by: &OperatorName,
    ) -> Result<(), NotListed> {
        let key = PublicKey::parse(&entry.order.detail).ok_or(NotListed::Unreadable)?;
        if self.members.iter().any(|it| it.name == name) {
            return Err(NotListed::NameTaken(name));
        }
        if self.has_key(key) {
            return Err(NotListed::KeyTaken(name));
        }
        let approved = self.proposed.iter().any(|(number, proposer, order)| {
            Some(*number) == entry.approves && proposer != by && *order == entry.order
        });
        if self.needs_approval() && !approved {
            let proposal = (entry.number, by.clone(), entry.order.clone());
            self.proposed.push(proposal);
            return Ok(());
        }
        self.members.push(Member {
            name,
            key,
            added_by: by.clone(),
            added_in: entry.number,
            added_at: entry.at,
            revoked: None,
            http_key: None,
        });
        Ok(())
    }

    fn revoke(
        &mut self,
        entry: &OperatorEntry,
        name: &OperatorName,
        by: &OperatorName,
    ) -> Result<(), NotListed> {
        if self.operator(name).is_none() {
            return Err(NotListed::NotThere(name.clone()));
        }
        if self.active().count() == 1 {
            return Err(NotListed::Last(name.clone()));
        }
        let members = self.members.iter_mut();
        for member in members.filter(|it| it.name == *name) {
            member.revoked = Some(Revocation {
                by: by.clone(),
                entry: entry.number,
                at: entry.at,
            });
            member.http_key = None;
        }
        // What a revoked operator proposed is proposed no more.
        self.proposed.retain(|(_, proposer, _)| proposer != name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> OperatorName {
        OperatorName::parse(text).unwrap()
    }

    fn key(byte: u8) -> PublicKey {
        PublicKey([byte; 32])
    }

    /// Entries, each by an actor about a name, numbered from 1.
    struct Log(Roster, u64);

    impl Log {
        fn takes(
            &mut self,
            by: &str,
            order: OperatorOrder,
            approves: Option<u64>,
        ) -> Result<(), NotListed> {
            self.1 += 1;
            let entry = OperatorEntry {
                number: self.1,
                at: Timestamp::from_millis(0),
                actor: Actor::Operator(name(by)),
                order,
                approves,
                previous: [0; 32],
                signature: Vec::new(),
            };
            self.0.take_in(&entry)
        }

        fn names(&self) -> Vec<&str> {
            self.0.active().map(|it| it.name.as_str()).collect()
        }
    }

    fn add(text: &str, byte: u8) -> OperatorOrder {
        OperatorOrder::new(Act::OperatorAdd)
            .under(text)
            .with(key(byte))
    }

    fn revoke(text: &str) -> OperatorOrder {
        OperatorOrder::new(Act::OperatorRevoke).under(text)
    }

    fn http_key(text: &str, byte: u8) -> OperatorOrder {
        OperatorOrder::new(Act::OperatorHttpKey)
            .under(text)
            .with(key(byte))
    }

    #[test]
    fn an_operator_has_one_key_for_requests_and_makes_it_alone() {
        let mut log = Log(Roster::default(), 0);
        log.takes("alpha", add("alpha", 1), None).unwrap();
        log.takes("alpha", add("beta", 2), None).unwrap();
        let of = |log: &Log, text: &str| {
            let member = log.0.operator(&name(text)).cloned().unwrap();
            member.http_key.map(|it| it.key)
        };
        for byte in [7, 8] {
            log.takes("beta", http_key("beta", byte), None).unwrap();
            assert_eq!(of(&log, "beta"), Some(key(byte)));
        }
        let others = log.takes("alpha", http_key("beta", 9), None);
        assert_eq!(others, Err(NotListed::OthersKey(name("beta"))));
        for taken in [1, 2, 8] {
            let same = log.takes("alpha", http_key("alpha", taken), None);
            assert_eq!(same, Err(NotListed::KeyTaken(name("alpha"))));
        }
        let end = OperatorOrder::new(Act::OperatorHttpKeyRevoke).under("beta");
        log.takes("alpha", end, None).unwrap();
        assert_eq!(of(&log, "beta"), None);
        log.takes("beta", http_key("beta", 9), None).unwrap();
        log.takes("alpha", revoke("beta"), None).unwrap();
        let is_open = |it: &Member| it.http_key.is_some();
        assert!(!log.0.members().iter().any(is_open));
        let gone = log.takes("beta", http_key("beta", 10), None);
        assert_eq!(gone, Err(NotListed::NoOperator(name("beta"))));
    }

    #[test]
    fn the_first_adds_itself_and_the_second_alone() {
        let mut log = Log(Roster::default(), 0);
        let other = log.takes("alpha", add("beta", 1), None);
        assert_eq!(other, Err(NotListed::NoOperator(name("alpha"))));
        log.takes("alpha", add("alpha", 1), None).unwrap();
        let gamma = log.takes("gamma", add("gamma", 9), None);
        assert_eq!(gamma, Err(NotListed::NoOperator(name("gamma"))));
        log.takes("alpha", add("beta", 2), None).unwrap();
        assert_eq!(log.names(), ["alpha", "beta"]);
        let again = log.takes("alpha", add("beta", 3), None);
        assert_eq!(again, Err(NotListed::NameTaken(name("beta"))));
        let same = log.takes("alpha", add("delta", 2), None);
        assert_eq!(same, Err(NotListed::KeyTaken(name("delta"))));
    }

    #[test]
    fn a_third_needs_two_who_say_the_same() {
        let mut log = Log(Roster::default(), 0);
        log.takes("alpha", add("alpha", 1), None).unwrap();
        log.takes("alpha", add("beta", 2), None).unwrap();
        log.takes("alpha", add("delta", 3), None).unwrap();
        assert_eq!(log.names(), ["alpha", "beta"], "it is only proposed");
        log.takes("alpha", add("delta", 3), Some(3)).unwrap();
        assert_eq!(log.names(), ["alpha", "beta"], "approved by the proposer");
        log.takes("beta", add("delta", 4), Some(3)).unwrap();
        assert_eq!(log.names(), ["alpha", "beta"], "another key was approved");
        log.takes("beta", add("delta", 3), Some(3)).unwrap();
        assert_eq!(log.names(), ["alpha", "beta", "delta"]);
    }

    #[test]
    fn one_alone_cannot_make_a_second_after_revoking_the_other() {
        let mut log = Log(Roster::default(), 0);
        log.takes("alpha", add("alpha", 1), None).unwrap();
        log.takes("alpha", add("beta", 2), None).unwrap();
        log.takes("alpha", revoke("beta"), None).unwrap();
        log.takes("alpha", add("gamma", 3), None).unwrap();
        assert_eq!(log.names(), ["alpha"]);
        let last = log.takes("alpha", revoke("alpha"), None);
        assert_eq!(last, Err(NotListed::Last(name("alpha"))));
        let gone = log.takes("beta", add("delta", 4), None);
        assert_eq!(gone, Err(NotListed::NoOperator(name("beta"))));
        let twice = log.takes("alpha", revoke("beta"), None);
        assert_eq!(twice, Err(NotListed::NotThere(name("beta"))));
    }
}
