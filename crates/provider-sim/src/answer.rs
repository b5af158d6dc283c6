//! What the provider says about an entry of its journal. It must not touch the journal: saying
//! changes nothing.

use crate::catalogue::SandboxCatalogue;
use crate::change::Change;
use crate::family_product::{Progress, TokenState};
use crate::journal::SandboxEntry;
use crate::outcome::{EntryEffect, EntryOutcome, SandboxRefusal};
use domain::messaging::{IncomingContent, MessageChannel, ProviderMessageId, ReceivedMessage};
use domain::paid_lookup::LookupMiss;
use domain::phone::PhoneNumber;
use domain::provider::{QueryOutcome, Receipt, Refusal, RefusalKind, SubmitOutcome, UnknownCause};
use domain::time::Timestamp;
use domain::voice::UnansweredCall;
use ports::callbacks::MessageReport;
use std::time::Duration;

/// What people reply.
const REPLY: &str = "Thank you, I got your message.";

/// A delivery of a moment ago.
const fn started(token: TokenState) -> Progress {
    Progress { token, steps: 0 }
}

/// The provider's own answer to a request it has recorded.
pub(crate) fn outcome(entry: &SandboxEntry, catalogue: &SandboxCatalogue) -> SubmitOutcome {
    let delivered = |token| {
        receipt(entry, started(token), catalogue).map_or(
            SubmitOutcome::Unknown(UnknownCause::Unreadable),
            SubmitOutcome::Delivered,
        )
    };
    match entry.outcome {
        EntryOutcome::Refused(kind) => SubmitOutcome::Declined(refusal(kind)),
        EntryOutcome::Delivered | EntryOutcome::Slow { .. } | EntryOutcome::Reversed { .. } => {
            delivered(TokenState::Made)
        }
        EntryOutcome::TokenLater { .. } => delivered(TokenState::Awaited),
        EntryOutcome::Later { .. } | EntryOutcome::Never => SubmitOutcome::Pending,
    }
}

/// What the provider says when asked about an entry.
pub(crate) fn finding(
    entry: &SandboxEntry,
    now: Timestamp,
    catalogue: &SandboxCatalogue,
) -> QueryOutcome {
    if !entry.arrived(now) {
        return QueryOutcome::NotFound;
    }
    match (entry.effects(now), entry.outcome) {
        (EntryEffect::Refused, EntryOutcome::Refused(kind)) => {
            QueryOutcome::Declined(refusal(kind))
        }
        (EntryEffect::Delivered, _) => {
            let token = TokenState::Made;
            let steps = entry.product.steps_by(&entry.facts(), now);
            delivered(entry, Progress { token, steps }, catalogue)
        }
        (EntryEffect::Reversed, _) => QueryOutcome::Reversed,
        // The payment is taken and the token is not made: half a yes.
        (EntryEffect::Awaited, EntryOutcome::TokenLater { .. }) => {
            delivered(entry, started(TokenState::Awaited), catalogue)
        }
        (EntryEffect::Awaited | EntryEffect::Refused, _) => QueryOutcome::Pending,
    }
}

/// What the provider says of its own accord.
pub(crate) fn reported(
    entry: &SandboxEntry,
    change: Change,
    catalogue: &SandboxCatalogue,
) -> QueryOutcome {
    match change {
        Change::TakenBack => QueryOutcome::Reversed,
        Change::Receipt { steps } | Change::Reply { steps, .. } => {
            let token = TokenState::Made;
            delivered(entry, Progress { token, steps }, catalogue)
        }
    }
}

/// What a person writes, where that is the change.
pub(crate) fn reply(entry: &SandboxEntry, change: Change) -> Option<MessageReport> {
    let Change::Reply { at, .. } = change else {
        return None;
    };
    let sender = entry.product.replied_sender()?.clone();
    let channel = MessageChannel::from_code(entry.service().code())?;
    // The reference is unique at the provider, so this is too.
    let id = format!("reply-{}", entry.reference);
    Some(MessageReport {
        message: ReceivedMessage {
            id: ProviderMessageId::parse(&id).ok()?,
            channel,
            number: PhoneNumber::parse(entry.digits()).ok()?,
            sender,
            content: IncomingContent::new(channel, Some(REPLY), None).ok()?,
            received_at: at,
        },
        reference: Some(entry.reference.clone()),
    })
}

fn delivered(
    entry: &SandboxEntry,
    progress: Progress,
    catalogue: &SandboxCatalogue,
) -> QueryOutcome {
    receipt(entry, progress, catalogue).map_or(QueryOutcome::Unknown, QueryOutcome::Delivered)
}

/// How long a provider that is busy asks to be left alone.
const BUSY_FOR: Duration = Duration::from_secs(30);

/// What the provider says of a refusal.
pub(crate) fn refusal(refused: SandboxRefusal) -> Refusal {
    let moment = RefusalKind::Moment {
        retry_after: Some(BUSY_FOR),
    };
    let (kind, code, reason) = match refused {
        SandboxRefusal::Declined => (RefusalKind::Order, "51", "declined by the biller"),
        SandboxRefusal::UnknownCustomer => (RefusalKind::Order, "14", "unknown to the biller"),
        SandboxRefusal::UnknownBiller => (RefusalKind::Order, "15", "no such biller"),
        SandboxRefusal::Account => (RefusalKind::Account, "61", "the float is spent"),
        SandboxRefusal::Busy => (moment, "91", "too many requests"),
        SandboxRefusal::Lookalike => (RefusalKind::Lookalike, "94", "like an earlier order"),
        SandboxRefusal::NoAnswer => (
            RefusalKind::Order,
            UnansweredCall::NoAnswer.code(),
            "the person did not answer",
        ),
        SandboxRefusal::LineBusy => (
            RefusalKind::Order,
            UnansweredCall::Busy.code(),
            "the line was busy",
        ),
        SandboxRefusal::NoRecord => (
            RefusalKind::Order,
            LookupMiss::NoRecord.code(),
            "there is no record of the number",
        ),
        SandboxRefusal::Unreachable => (
            RefusalKind::Order,
            LookupMiss::Unreachable.code(),
            "the device is out of reach",
        ),
    };
    Refusal {
        kind,
        code: code.to_owned(),
        reason: reason.to_owned(),
    }
}

/// The refusal of a reference that was sealed. The order is not at fault.
pub(crate) fn refusal_of_seal() -> Refusal {
    Refusal {
        kind: RefusalKind::Moment { retry_after: None },
        code: "sealed".to_owned(),
        reason: "the reference was sealed before any request under it".to_owned(),
    }
}

/// Every refusal the provider may answer with.
pub fn refusals() -> impl Iterator<Item = Refusal> {
    let own = SandboxRefusal::ALL.into_iter().map(refusal);
    own.chain([refusal_of_seal(), refusal_of_reference()])
}

/// The refusal of a request that cannot even be recorded.
pub(crate) fn refusal_of_reference() -> Refusal {
    Refusal {
        kind: RefusalKind::Order,
        code: "12".to_owned(),
        reason: "the reference is not acceptable".to_owned(),
    }
}

fn receipt(
    entry: &SandboxEntry,
    progress: Progress,
    catalogue: &SandboxCatalogue,
) -> Option<Receipt> {
    let product = &entry.product;
    Some(Receipt {
        reference: entry.reference.clone(),
        amount: entry.amount,
        fulfilment: product.fulfilment(&entry.facts(), progress, catalogue)?,
    })
}
