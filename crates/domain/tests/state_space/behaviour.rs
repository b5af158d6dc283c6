//! The tempers of providers, as data. It must say of each whether it keeps its contract: only for
//! those that do can "nothing is bought twice" be promised.

use crate::sample::Product;
use crate::world::{Observed, Truth};

/// One way in which a provider is difficult.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quirk {
    /// No answer to a submission ever comes back; questions are answered.
    LosesAnswers,
    /// No connection to it is ever made.
    Unreachable,
    /// Its index shows what it has only after the quarantine, and misses everything once more at
    /// one later moment.
    Lags,
    /// It may have no trace of what it delivered, at any time.
    LosesTrack,
    /// It reports the statuses of the parts of a message unasked, at any time.
    ReportsSteps,
    /// It has no trace of what it acknowledged until it is done with it.
    ForgetsWhatItAcknowledged,
    /// Against its contract, it may deliver what it refused.
    DeliversWhatItRefused,
    /// Against its contract, a request may arrive after any time.
    DeliversAtAnyTime,
    /// Against its contract, a request may arrive though there was "no connection".
    LiesAboutConnections,
}

/// A provider's temper.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Behaviour {
    pub(crate) name: &'static str,
    pub(crate) product: Product,
    /// What may become of a request that arrives.
    pub(crate) arrival: &'static [Truth],
    /// What may change by itself afterwards.
    pub(crate) changes: &'static [(Truth, Truth)],
    /// How it says that it is processing.
    pub(crate) acknowledgement: Option<Observed>,
    pub(crate) quirks: &'static [Quirk],
}

impl Behaviour {
    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    pub(crate) fn keeps_its_word(&self) -> bool {
        let broken = [
            Quirk::DeliversWhatItRefused,
            Quirk::DeliversAtAnyTime,
            Quirk::LiesAboutConnections,
        ];
        !broken.into_iter().any(|quirk| self.has(quirk))
    }
}

const PROCESSED: &[(Truth, Truth)] = &[
    (Truth::Processing, Truth::Delivered),
    (Truth::Processing, Truth::Refused),
];

pub(crate) const PROMPT: Behaviour = Behaviour {
    name: "prompt",
    product: Product::Airtime,
    arrival: &[Truth::Delivered, Truth::Refused],
    changes: &[],
    acknowledgement: None,
    quirks: &[],
};

pub(crate) const REFUSING: Behaviour = Behaviour {
    name: "refusing",
    product: Product::CablePlan,
    arrival: &[Truth::Refused],
    ..PROMPT
};

pub(crate) const LOSING_ANSWERS: Behaviour = Behaviour {
    name: "delivers, loses its answers",
    product: Product::Bundle,
    arrival: &[Truth::Delivered],
    quirks: &[Quirk::LosesAnswers],
    ..PROMPT
};

pub(crate) const UNREACHABLE: Behaviour = Behaviour {
    name: "unreachable",
    product: Product::Lookup,
    quirks: &[Quirk::Unreachable],
    ..PROMPT
};

pub(crate) const SLOW: Behaviour = Behaviour {
    name: "slow, acknowledges",
    arrival: &[Truth::Processing],
    changes: PROCESSED,
    acknowledgement: Some(Observed::Pending),
    quirks: &[Quirk::ForgetsWhatItAcknowledged],
    ..PROMPT
};

pub(crate) const TOKEN_LATER: Behaviour = Behaviour {
    name: "token comes later",
    product: Product::PrepaidMeter,
    arrival: &[Truth::Processing],
    changes: PROCESSED,
    acknowledgement: Some(Observed::WithoutToken),
    ..PROMPT
};

/// The same of a bill that is paid with a token.
pub(crate) const BILL_TOKEN_LATER: Behaviour = Behaviour {
    name: "token of a bill comes later",
    product: Product::PrepaidBill,
    ..TOKEN_LATER
};

/// A call that is under way when it is asked about.
pub(crate) const CALL_UNDER_WAY: Behaviour = Behaviour {
    name: "call is under way",
    product: Product::Call,
    ..TOKEN_LATER
};

pub(crate) const LATE: Behaviour = Behaviour {
    name: "late, index lags",
    product: Product::RecordLookup,
    arrival: &[Truth::Delivered, Truth::Refused],
    quirks: &[Quirk::Lags],
    ..PROMPT
};

pub(crate) const OTHER_AMOUNTS: Behaviour = Behaviour {
    name: "delivers other amounts",
    arrival: &[Truth::Delivered, Truth::OtherAmount],
    ..PROMPT
};

pub(crate) const REVERSING: Behaviour = Behaviour {
    name: "takes deliveries back",
    arrival: &[Truth::Delivered, Truth::Refused],
    changes: &[(Truth::Delivered, Truth::TakenBack)],
    ..PROMPT
};

/// A payout: its price is divided into more shares than any other, and all of them go back.
pub(crate) const PAYING_OUT: Behaviour = Behaviour {
    name: "pays out, takes back",
    product: Product::Payout,
    changes: &[(Truth::Delivered, Truth::TakenBack)],
    ..PROMPT
};

/// A network: what it accepted counts as delivered. Its receipts report what became of a message;
/// they come late, twice and out of order, also after a reversal.
pub(crate) const REPORTING_STEPS: Behaviour = Behaviour {
    name: "reports the parts of a message",
    product: Product::Message,
    arrival: &[Truth::Delivered, Truth::Refused],
    changes: &[(Truth::Delivered, Truth::TakenBack)],
    quirks: &[Quirk::ReportsSteps, Quirk::Lags],
    ..PROMPT
};

/// The same, and against its contract it may send what it refused.
pub(crate) const SENDING_WHAT_IT_REFUSED: Behaviour = Behaviour {
    name: "sends what it refused",
    product: Product::Message,
    arrival: &[Truth::Refused],
    changes: &[(Truth::Refused, Truth::Delivered)],
    quirks: &[Quirk::ReportsSteps, Quirk::DeliversWhatItRefused],
    ..PROMPT
};

/// Everything a provider may do without breaking its contract.
pub(crate) const ANYTHING_ALLOWED: Behaviour = Behaviour {
    name: "anything allowed",
    product: Product::PrepaidMeter,
    arrival: &[Truth::Processing, Truth::OtherAmount],
    changes: &[
        (Truth::Processing, Truth::Delivered),
        (Truth::Processing, Truth::Refused),
        (Truth::Delivered, Truth::TakenBack),
    ],
    acknowledgement: Some(Observed::WithoutToken),
    quirks: &[Quirk::Lags, Quirk::ForgetsWhatItAcknowledged],
};

pub(crate) const DELIVERING_WHAT_IT_REFUSED: Behaviour = Behaviour {
    name: "delivers what it refused",
    arrival: &[Truth::Refused],
    changes: &[(Truth::Refused, Truth::Delivered)],
    quirks: &[Quirk::DeliversWhatItRefused],
    ..PROMPT
};

/// The same, and it may take it back.
pub(crate) const TAKING_BACK_WHAT_IT_REFUSED: Behaviour = Behaviour {
    name: "takes back what it refused",
    changes: &[
        (Truth::Refused, Truth::Delivered),
        (Truth::Delivered, Truth::TakenBack),
    ],
    ..DELIVERING_WHAT_IT_REFUSED
};

pub(crate) const DELIVERING_AT_ANY_TIME: Behaviour = Behaviour {
    name: "delivers at any time",
    arrival: &[Truth::Delivered],
    quirks: &[Quirk::DeliversAtAnyTime],
    ..PROMPT
};

pub(crate) const LYING_ABOUT_CONNECTIONS: Behaviour = Behaviour {
    name: "lies about connections",
    arrival: &[Truth::Delivered],
    quirks: &[Quirk::LiesAboutConnections],
    ..PROMPT
};

/// A bank rail whose answers to questions miss transfers for any time: absence proves nothing.
pub(crate) const LOSING_TRACK: Behaviour = Behaviour {
    name: "pays out, loses track",
    product: Product::Payout,
    arrival: &[Truth::Delivered, Truth::Refused],
    quirks: &[Quirk::LosesTrack],
    ..PROMPT
};

/// A mobile money operator: what it accepted it may still refuse, and what arrived stays.
pub(crate) const PAYING_WALLETS: Behaviour = Behaviour {
    name: "pays wallets",
    product: Product::MobileMoney,
    ..PROMPT
};

/// A platform of messages that are priced as a whole: it takes back what it took over.
pub(crate) const SENDING_WHATSAPP: Behaviour = Behaviour {
    name: "sends WhatsApp messages, takes back",
    product: Product::Whatsapp,
    changes: &[(Truth::Delivered, Truth::TakenBack)],
    ..PROMPT
};

/// The same of messages for which a text message may go instead.
pub(crate) const SENDING_RCS: Behaviour = Behaviour {
    name: "sends RCS messages, takes back",
    product: Product::Rcs,
    ..SENDING_WHATSAPP
};

/// A caller that is paid by the minute: less is charged than was held, and that goes back.
pub(crate) const CALLING: Behaviour = Behaviour {
    name: "calls, takes back",
    product: Product::Call,
    changes: &[(Truth::Delivered, Truth::TakenBack)],
    ..PROMPT
};

/// The same of calls that run a flow.
pub(crate) const RUNNING_FLOWS: Behaviour = Behaviour {
    name: "runs flows, takes back",
    product: Product::FlowCall,
    ..CALLING
};

/// A card scheme: it takes back what it credited.
pub(crate) const PAYING_CARDS: Behaviour = Behaviour {
    name: "pays cards, takes back",
    product: Product::Card,
    changes: &[(Truth::Delivered, Truth::TakenBack)],
    ..PROMPT
};

/// It pays abroad by its quote, and takes back.
pub(crate) const PAYING_ABROAD: Behaviour = Behaviour {
    name: "pays abroad, takes back",
    product: Product::International,
    changes: &[(Truth::Delivered, Truth::TakenBack)],
    ..PROMPT
};

/// It says it delivered another amount, and later that the order was delivered.
pub(crate) const CORRECTING_ITSELF: Behaviour = Behaviour {
    name: "corrects other amounts",
    arrival: &[Truth::OtherAmount],
    changes: &[(Truth::OtherAmount, Truth::Delivered)],
    ..PROMPT
};

pub(crate) const ALL: [Behaviour; 28] = [
    PROMPT,
    REFUSING,
    LOSING_ANSWERS,
    UNREACHABLE,
    SLOW,
    TOKEN_LATER,
    BILL_TOKEN_LATER,
    CALL_UNDER_WAY,
    LATE,
    OTHER_AMOUNTS,
    CORRECTING_ITSELF,
    REVERSING,
    PAYING_OUT,
    LOSING_TRACK,
    PAYING_WALLETS,
    SENDING_WHATSAPP,
    SENDING_RCS,
    CALLING,
    RUNNING_FLOWS,
    PAYING_CARDS,
    PAYING_ABROAD,
    REPORTING_STEPS,
    SENDING_WHAT_IT_REFUSED,
    ANYTHING_ALLOWED,
    DELIVERING_WHAT_IT_REFUSED,
    TAKING_BACK_WHAT_IT_REFUSED,
    DELIVERING_AT_ANY_TIME,
    LYING_ABOUT_CONNECTIONS,
];
