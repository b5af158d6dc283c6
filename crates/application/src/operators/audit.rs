//! Whether the log of operators is whole and signed, and whether what only operators may do has its
//! act. It must read every entry, and never mend one.

mod undone;

use super::{Operators, hash, is_signed};
use domain::account::{AccountContact, AccountId, AccountIdentity};
use domain::freeze::FreezeState;
use domain::money::Money;
use domain::operator::{Act, Actor, EntryHash, OperatorEntry, OperatorOrder, Roster};
use domain::time::Timestamp;
use ports::PortError;
use ports::audit::{CheckOutcome, CheckResult, OFFENCES_MAX};
use ports::operators::SignedEffect;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Entries that are read at a time.
const PAGE: u32 = 1_000;

/// How long an act may take from its signature to what it does.
const DONE_WITHIN: Duration = Duration::from_mins(2);

/// What entries say, for comparison with what is stored.
#[derive(Debug, Default)]
struct Acts {
    entries: u64,
    previous: EntryHash,
    roster: Roster,
    /// What was signed alone, or proposed: by whom.
    proposed: BTreeMap<u64, (Actor, OperatorOrder)>,
    by_program: BTreeSet<&'static str>,
    accounts: BTreeMap<String, u64>,
    keys: BTreeSet<(String, String)>,
    /// How an account was to be reached, by each act of it, oldest first.
    contacts: BTreeMap<String, Vec<ContactAct>>,
    fundings: BTreeMap<Credit, (u64, Timestamp)>,
    settlements: BTreeSet<(String, String, Option<i64>, String)>,
    resumptions: BTreeSet<(String, String)>,
    prefundings: BTreeSet<(Credit, String)>,
    /// Accounts, what of each was frozen or let go on, and why.
    freezes: BTreeSet<(String, String, FreezeState, String)>,
    offences: Vec<String>,
}

/// An account, a reference and an amount with its currency.
type Credit = (String, String, i64, &'static str);

/// An act that set how an account is reached.
#[derive(Debug)]
struct ContactAct {
    entry: u64,
    at: Timestamp,
    /// The contact in the words of the log.
    signed: String,
}

impl Operators {
    /// The two checks of what operators do.
    ///
    /// # Errors
    /// When the store failed, or an entry cannot be read.
    pub async fn audit(&self, now: Timestamp) -> Result<Vec<CheckResult>, PortError> {
        // An act is signed before it is done: what is done by now is in the log that is read next,
        // and what was signed long before `now` is done by now.
        let done = self.log.effects().await?;
        let mut acts = Acts::default();
        loop {
            let page = self.log.entries(acts.entries, PAGE).await?;
            if page.is_empty() {
                break;
            }
            for entry in &page {
                acts.take_in(entry);
            }
        }
        let mut without: Vec<_> = done.iter().filter_map(|it| acts.lacks(it, now)).collect();
        without.extend(acts.not_done(&done, now));
        let examined = u64::try_from(done.len()).unwrap_or(u64::MAX);
        Ok(vec![
            CheckResult {
                invariant: "I19",
                rule: "Every act of an operator is signed by a key that was valid then, and the \
                       log lacks none.",
                outcome: outcome(acts.offences, acts.entries),
            },
            CheckResult {
                invariant: "I20",
                rule: "Every account with its contact, key, payment in, prefunding, freeze by an \
                       operator, settled reference and resumption has its act, and what was \
                       signed is what was done.",
                outcome: outcome(without, examined),
            },
        ])
    }
}

fn outcome(mut offences: Vec<String>, examined: u64) -> CheckOutcome {
    if offences.is_empty() {
        return CheckOutcome::Holds { examined };
    }
    offences.truncate(OFFENCES_MAX);
    CheckOutcome::Broken { offences }
}

impl Acts {
    fn take_in(&mut self, entry: &OperatorEntry) {
        self.judge(entry);
        self.entries = entry.number;
        self.previous = hash(entry);
        let order = &entry.order;
        let (account, reference) = (order.account.clone(), order.reference.clone());
        let actor = entry.actor.as_str().to_owned();
        match order.act {
            Act::AccountOpen => {
                self.keys.insert((account.clone(), order.detail.clone()));
                self.accounts.insert(account, entry.number);
                self.credit(entry);
            }
            Act::AccountCredit | Act::AccountAdjust | Act::AccountAdjustJointly => {
                self.credit(entry);
            }
            Act::AccountContact => self.reach(entry),
            Act::AccountFreeze => self.freeze(order, FreezeState::Frozen),
            Act::AccountUnfreeze => self.freeze(order, FreezeState::Active),
            Act::KeyRotate => {
                self.keys.insert((account, reference));
            }
            Act::ReferenceSettle => {
                let amount = order.amount.map(Money::minor);
                let settled = (reference, order.detail.clone(), amount, actor);
                self.settlements.insert(settled);
            }
            Act::PaymentsResume => {
                self.resumptions.insert((reference, actor));
            }
            Act::ProviderFund => {
                let paid = order.amount.map(|it| credit(&account, &reference, it));
                self.prefundings.extend(paid.map(|paid| (paid, actor)));
            }
            Act::OperatorAdd
            | Act::OperatorRevoke
            | Act::AccountBilling
            | Act::AccountSuspend
            | Act::AccountResume
            | Act::KeyRevoke
            | Act::SenderAdd
            | Act::SenderApprove
            | Act::SenderReject
            | Act::ReviewResolve
            | Act::DeadLetterRetry
            | Act::CaseOpen
            | Act::CaseResolve
            | Act::RefundApprove
            | Act::RefundRefuse
            | Act::CollectionRecord
            | Act::OperatorHttpKey
            | Act::OperatorHttpKeyRevoke
            | Act::MaintenanceAnnounce
            | Act::MaintenanceEnd
            | Act::RequestGrant
            | Act::RequestRefuse
            | Act::SecretsAccept
            | Act::RowsAuthenticate
            | Act::TransactionResend
            | Act::PaymentsFreeze
            | Act::PaymentsUnfreeze
            | Act::ProviderPause
            | Act::ProviderResume
            | Act::CataloguePublish => {}
        }
    }

    fn reach(&mut self, entry: &OperatorEntry) {
        let order = &entry.order;
        let act = ContactAct {
            entry: entry.number,
            at: entry.at,
            signed: order.detail.clone(),
        };
        let acts = self.contacts.entry(order.account.clone()).or_default();
        acts.push(act);
    }

    fn freeze(&mut self, order: &OperatorOrder, state: FreezeState) {
        let (account, target) = (order.account.clone(), order.reference.clone());
        let reason = order.detail.clone();
        self.freezes.insert((account, target, state, reason));
    }

    fn credit(&mut self, entry: &OperatorEntry) {
        let order = &entry.order;
        // A proposal alone permits nothing.
        let is_proposed = order.act == Act::AccountAdjustJointly && entry.approves.is_none();
        if let Some(amount) = order.amount.filter(|_| !is_proposed) {
            let credit = credit(&order.account, &order.reference, amount);
            // The newest act under a reference may still be under way.
            self.fundings.insert(credit, (entry.number, entry.at));
        }
    }

    /// Whether an entry follows the one before and is signed by an operator of then.
    fn judge(&mut self, entry: &OperatorEntry) {
        let mut offend = |what: String| {
            self.offences.push(format!("entry {} {what}", entry.number));
        };
        if self.entries.checked_add(1) != Some(entry.number) {
            offend(format!("follows {}", self.entries));
        }
        if entry.previous != self.previous {
            offend("does not hold the hash of the one before".to_owned());
        }
        match &entry.actor {
            Actor::Program => {
                let act = entry.order.act;
                if !act.is_also_of_the_program() || !self.by_program.insert(act.code()) {
                    offend(format!("is of the program, which does no {}", act.code()));
                }
            }
            Actor::Operator(name) if !is_signed(entry, &self.roster) => {
                offend(format!(
                    "is not signed by {name}, or {name} was no operator then"
                ));
            }
            Actor::Operator(_) => {}
        }
        let seconded = entry.approves.map(|number| self.proposed.get(&number));
        match seconded {
            None => {
                let proposal = (entry.actor.clone(), entry.order.clone());
                self.proposed.insert(entry.number, proposal);
            }
            Some(Some((by, order))) if *by != entry.actor && *order == entry.order => {}
            Some(_) => offend("approves what no other operator proposed".to_owned()),
        }
        if let Err(why) = self.roster.take_in(entry) {
            offend(format!("is refused: {why}"));
        }
    }

    /// What is wrong with something that only an act may have made.
    fn lacks(&self, effect: &SignedEffect, now: Timestamp) -> Option<String> {
        match effect {
            SignedEffect::Account(id, contact) => {
                if !self.accounts.contains_key(id.as_str()) {
                    return Some(format!("account {id} was opened by no operator"));
                }
                self.other_contact(id.as_str(), contact, now)
            }
            SignedEffect::Paid(id, identity) => self.paid_to_another(id, identity),
            SignedEffect::Key(id, hint) => {
                let made = self.keys.contains(&(id.to_string(), hint.clone()));
                (!made).then(|| format!("key {hint} of {id} was made by no operator"))
            }
            SignedEffect::Funding(id, reference, amount) => {
                let credit = credit(id.as_str(), reference.as_str(), *amount);
                let signed = self.fundings.contains_key(&credit);
                (!signed).then(|| {
                    let code = amount.currency().code();
                    format!("{code} {amount} under {reference} was paid in to {id} by no operator")
                })
            }
            SignedEffect::Settlement(reference, settled_as, by) => {
                let amount = settled_as.amount().map(Money::minor);
                let word = settled_as.code().to_owned();
                let act = (reference.to_string(), word, amount, by.clone());
                let signed = self.settlements.contains(&act);
                (!signed).then(|| {
                    let word = settled_as.code();
                    format!("{reference} is settled as {word} by {by}, who signed nothing of it")
                })
            }
            SignedEffect::Resumption(provider, by) => {
                let act = (provider.to_string(), by.clone());
                let signed = self.resumptions.contains(&act);
                (!signed).then(|| {
                    format!("payments were resumed by {by}, who signed nothing of {provider}")
                })
            }
            SignedEffect::Freeze(id, target, state, reason) => {
                let (account, target) = (id.to_string(), target.to_string());
                let act = (account, target, *state, reason.as_str().to_owned());
                let signed = self.freezes.contains(&act);
                (!signed).then(|| {
                    let (_, target, state, _) = act;
                    format!(
                        "{target} of {id} was set to {} by no operator",
                        state.code()
                    )
                })
            }
            SignedEffect::Prefunding(provider, reference, amount, by) => {
                let paid = credit(provider.as_str(), reference.as_str(), *amount);
                let signed = self.prefundings.contains(&(paid, by.clone()));
                (!signed).then(|| {
                    let code = amount.currency().code();
                    format!(
                        "{code} {amount} under {reference} was paid to {provider} by {by}, who \
                         signed nothing of it"
                    )
                })
            }
        }
    }

    /// Whether an account is reached in another way than the newest act says. Acts that may still
    /// be under way are as good as done, and as not done.
    fn other_contact(
        &self,
        account: &str,
        stored: &AccountContact,
        now: Timestamp,
    ) -> Option<String> {
        let acts = self.contacts.get(account).map_or(&[][..], Vec::as_slice);
        let stored = stored.to_string();
        let none = AccountContact::default().to_string();
        let (mut entry, mut signed) = (None, &none);
        for act in acts.iter().rev() {
            if act.signed == stored {
                return None;
            }
            if act.at.plus(DONE_WITHIN) < now {
                (entry, signed) = (Some(act.entry), &act.signed);
                break;
            }
        }
        if *signed == stored {
            return None;
        }
        let by = entry.map_or_else(
            || "no act sets its contact".to_owned(),
            |entry| format!("entry {entry} sets it to {signed}"),
        );
        Some(format!(
            "account {account} is reached by {stored}, and {by}; find out which is true and set it \
             with `manilla account update --identity {account}`"
        ))
    }

    /// Whether money that was sent to an address came to an account that no act gave it to. When
    /// the act was is not asked: clocks are set back.
    fn paid_to_another(&self, account: &AccountId, identity: &AccountIdentity) -> Option<String> {
        let acts = self.contacts.get(account.as_str());
        let acts = acts.map_or(&[][..], Vec::as_slice);
        let address = identity.to_string();
        let mut words = acts.iter().flat_map(|act| act.signed.split([' ', ',']));
        let given = words.any(|word| word == address);
        (!given).then(|| {
            format!("account {account} was paid as {address}, and no act ever gave that to it")
        })
    }
}

fn credit(account: &str, reference: &str, amount: Money) -> Credit {
    let code = amount.currency().code();
    (
        account.to_owned(),
        reference.to_owned(),
        amount.minor(),
        code,
    )
}
