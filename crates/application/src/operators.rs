//! What operators do: each act is signed and durable in the log before it is done. An act of who is
//! no operator, or is none any more, must never be done, nor what they proposed be approved.

mod audit;
pub mod change_requests;
pub mod http_keys;

use crate::hex::hex;
use domain::operator::{
    Act, Actor, EntryHash, NotListed, OperatorEntry, OperatorName, OperatorOrder, Roster,
};
use operator_keys::SigningKey;
use ports::PortError;
use ports::clock::Clock;
use ports::operators::{Appended, OperatorLog};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// How often an entry is signed again because others were faster.
const SIGNED_MAX: usize = 20;

/// An operator who is there to sign.
#[derive(Debug)]
pub struct Signer {
    /// The operator.
    pub name: OperatorName,
    /// The key of this operator.
    pub key: SigningKey,
}

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
pub enum NotSigned {
    /// There is no operator at all.
    #[error("there is no operator yet")]
    NoOperators,
    /// It is no operator, or none any more.
    #[error("{0} is no operator here, or was revoked")]
    NoOperator(OperatorName),
    /// Another key was added under the name.
    #[error("the key of {0} that was added here is another one")]
    OtherKey(OperatorName),
    /// It adds or revokes an operator, and may not.
    #[error(transparent)]
    NotListed(#[from] NotListed),
    /// The log was tampered with.
    #[error("the log of operators is broken: {0}; `manilla audit` shows more")]
    Broken(String),
    /// Others were faster each time.
    #[error("other operators sign all the time; try again")]
    Behind,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] PortError),
}

/// What became of an order that two operators must give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Another operator proposed it, and this one approved: it may be done.
    Approved {
        /// The operator who proposed it.
        proposed_by: OperatorName,
    },
    /// It is proposed, and waits for another operator.
    Proposed {
        /// The entry that proposes it.
        entry: u64,
    },
}

/// The log of operators, as those use it who act.
#[derive(Debug, Clone)]
pub struct Operators {
    pub(crate) log: Arc<dyn OperatorLog>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Operators {
    /// Over a log.
    pub fn new(log: Arc<dyn OperatorLog>, clock: Arc<dyn Clock>) -> Self {
        Self { log, clock }
    }

    /// The operators; every addition and revocation is verified.
    ///
    /// # Errors
    /// When the log was tampered with, or the store failed.
    pub async fn roster(&self) -> Result<Roster, NotSigned> {
        let mut roster = Roster::default();
        for entry in self.log.of_acts(&Roster::ACTS).await? {
            let broken = |why: &str| NotSigned::Broken(format!("entry {} {why}", entry.number));
            if !is_signed(&entry, &roster) {
                return Err(broken("is not signed by an operator"));
            }
            let taken_in = roster.take_in(&entry);
            taken_in.map_err(|why| broken(&format!("is refused: {why}")))?;
        }
        Ok(roster)
    }

    /// The entries of some acts that an operator of their moment signed, in the order of the log,
    /// each with that operator; those of the roster are among them. Others count for nothing: the
    /// audit names them (I19).
    ///
    /// # Errors
    /// When the store failed.
    pub(crate) async fn signed_of(
        &self,
        acts: &[Act],
    ) -> Result<Vec<(OperatorName, OperatorEntry)>, PortError> {
        let mut roster = Roster::default();
        let mut signed = Vec::new();
        let acts = [&Roster::ACTS[..], acts].concat();
        for entry in self.log.of_acts(&acts).await? {
            let Actor::Operator(by) = &entry.actor else {
                continue;
            };
            if !is_signed(&entry, &roster) {
                continue;
            }
            // Of an entry that is refused nothing is taken in.
            let _ = roster.take_in(&entry);
            signed.push((by.clone(), entry));
        }
        Ok(signed)
    }

    /// Signs what an operator is about to do. Answers the number of the entry.
    ///
    /// # Errors
    /// When this is no operator, or nothing could be stored.
    pub async fn sign(&self, signer: &Signer, order: &OperatorOrder) -> Result<u64, NotSigned> {
        self.append(Some(signer), order, None).await
    }

    /// Notes what the program does by itself, once, for the account that it opens to try things
    /// with.
    ///
    /// # Errors
    /// When nothing could be stored.
    pub async fn note(&self, order: &OperatorOrder) -> Result<u64, NotSigned> {
        self.append(None, order, None).await
    }

    /// Signs an order that two operators must give: approves it where another one proposed the very
    /// same, else proposes it.
    ///
    /// # Errors
    /// When this is no operator, or nothing could be stored.
    pub async fn decide(
        &self,
        signer: &Signer,
        order: &OperatorOrder,
    ) -> Result<Decision, NotSigned> {
        let roster = self.roster().await?;
        let entries = self.log.of_acts(&[order.act]).await?;
        let same: Vec<_> = entries.iter().filter(|it| it.order == *order).collect();
        let is_ours = |it: &&&OperatorEntry| it.actor == Actor::Operator(signer.name.clone());
        let proposer = |it: &OperatorEntry| match &it.actor {
            Actor::Operator(name) if it.approves.is_none() && is_signed(it, &roster) => {
                Some((it.number, name.clone()))
            }
            Actor::Operator(_) | Actor::Program => None,
        };
        let mut proposals = same.iter().rev().filter_map(|it| proposer(it));
        let other = proposals.find(|(_, name)| *name != signer.name);
        let Some((number, proposed_by)) = other else {
            let waits = same.iter().filter(is_ours).find(|it| it.approves.is_none());
            let entry = match waits {
                Some(entry) => entry.number,
                None => self.append(Some(signer), order, None).await?,
            };
            return Ok(Decision::Proposed { entry });
        };
        // What was approved before and then not done is done now.
        let mut ours = same.iter().filter(is_ours);
        if !ours.any(|it| it.approves == Some(number)) {
            self.append(Some(signer), order, Some(number)).await?;
        }
        Ok(Decision::Approved { proposed_by })
    }

    /// Whether two operators gave an order: one proposed it and another approved it.
    ///
    /// # Errors
    /// When the log could not be read, or was tampered with.
    pub async fn was_approved(&self, order: &OperatorOrder) -> Result<bool, NotSigned> {
        let roster = self.roster().await?;
        let entries = self.log.of_acts(&[order.act]).await?;
        let same: Vec<_> = entries
            .iter()
            .filter(|it| it.order == *order && is_signed(it, &roster))
            .collect();
        let is_of_another = |approval: &&OperatorEntry| {
            same.iter().any(|it| {
                approval.approves == Some(it.number)
                    && it.approves.is_none()
                    && it.actor != approval.actor
            })
        };
        Ok(same.iter().any(is_of_another))
    }

    async fn append(
        &self,
        signer: Option<&Signer>,
        order: &OperatorOrder,
        approves: Option<u64>,
    ) -> Result<u64, NotSigned> {
        let mut roster = self.roster().await?;
        for _ in 0..SIGNED_MAX {
            let last = self.log.last().await?;
            let mut entry = OperatorEntry {
                number: last.as_ref().map_or(0, |it| it.number).saturating_add(1),
                at: self.clock.now(),
                actor: signer.map_or(Actor::Program, |it| Actor::Operator(it.name.clone())),
                order: order.clone(),
                approves,
                previous: last.as_ref().map_or([0; 32], hash),
                signature: Vec::new(),
            };
            if let Some(signer) = signer {
                may_sign(&roster, signer, &entry)?;
                entry.signature = signer.key.sign(&entry.signed_bytes());
            }
            roster.clone().take_in(&entry)?;
            if self.log.append(&entry).await? == Appended::Done {
                return Ok(entry.number);
            }
            roster = self.roster().await?;
        }
        Err(NotSigned::Behind)
    }
}

/// Whether an operator signs with the key that was added.
fn may_sign(roster: &Roster, signer: &Signer, entry: &OperatorEntry) -> Result<(), NotSigned> {
    let adds = entry.order.act == Act::OperatorAdd;
    if roster.is_empty() && !adds {
        return Err(NotSigned::NoOperators);
    }
    match roster.key_of(entry) {
        None => Err(NotSigned::NoOperator(signer.name.clone())),
        Some(key) if key.0 != signer.key.public() => Err(NotSigned::OtherKey(signer.name.clone())),
        Some(_) => Ok(()),
    }
}

/// Whether an entry is signed by an operator of that moment.
pub(crate) fn is_signed(entry: &OperatorEntry, roster: &Roster) -> bool {
    let key = roster.key_of(entry);
    key.is_some_and(|key| operator_keys::is_signed(key.0, &entry.signed_bytes(), &entry.signature))
}

/// A text that says which secret was meant, and not the secret.
pub fn fingerprint(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// The hash of an entry with its signature.
fn hash(entry: &OperatorEntry) -> EntryHash {
    let mut hash = Sha256::new();
    hash.update(entry.signed_bytes());
    hash.update(&entry.signature);
    hash.finalize().into()
}
