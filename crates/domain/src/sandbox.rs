//! Test numbers of the sandbox: the last four digits of a number, meter, card or account that force
//! what becomes of an order. It must not say how that is brought about: the sandbox does.

use crate::order::Service;
use crate::paid_lookup::LookupCategory;

/// What the last four digits of a number force in the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TestNumber {
    /// The provider refuses.
    Declined,
    /// It is pending, and delivered shortly after.
    DeliveredLater,
    /// It is delivered, and the answer is lost.
    AnswerLost,
    /// The request never arrives.
    RequestLost,
    /// It is delivered, and the provider answers an internal error.
    ServerError,
    /// It is not delivered, and the answer is unreadable.
    UnreadableAnswer,
    /// It is delivered after a time longer than a request waits.
    Slow,
    /// The answer names another amount.
    OtherAmount,
    /// It is delivered and taken back shortly after.
    Reversed,
    /// It is pending without end.
    Pending,
    /// It is delivered, and the answer says that the reference was used before.
    DuplicateReference,
    /// The provider cannot be reached.
    Down,
    /// It is delivered, and the token follows.
    TokenLater,
    /// The provider knows no such customer.
    UnknownCustomer,
    /// A message, or one part of it, cannot be delivered.
    Undelivered,
    /// The handset is not reached in time.
    Expired,
    /// The network keeps the message for the handset.
    Buffered,
    /// The account of the gateway at the provider may not buy.
    AccountRefused,
    /// The provider is too busy.
    Busy,
    /// The provider takes it for a copy of an earlier order.
    Lookalike,
    /// A register says that the number was ported, and to which network.
    Ported,
    /// A register says that the number was ported, and not to which network.
    PortedElsewhere,
    /// A register answers after a time longer than a lookup waits.
    SlowRegister,
    /// The wallet takes no money.
    WalletClosed,
    /// The person does not look at the message.
    Unread,
    /// No person answers the call.
    NoAnswer,
    /// The line is busy.
    LineBusy,
    /// The person presses a key in the call.
    KeyPressed,
    /// The person replies to the message.
    Replies,
    /// The person has not written to the sender lately.
    ConversationClosed,
    /// There is no record of the number.
    NoRecord,
    /// The device is out of reach.
    Unreachable,
}

/// Which orders a test number is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Every product that a provider delivers.
    Products,
    /// One family.
    Family(Service),
    /// Messages of every kind.
    Messages,
    /// Messages that can be read.
    ReadMessages,
    /// Calls of every kind.
    Calls,
    /// Messages that a person can reply to.
    Channels,
    /// Lookups of a category.
    Lookups(LookupCategory),
    /// Airtime for a number whose operator a register is asked for.
    Register,
}

impl TestNumber {
    /// Every one, by its digits.
    pub const ALL: [Self; 32] = [
        Self::Declined,
        Self::DeliveredLater,
        Self::AnswerLost,
        Self::RequestLost,
        Self::ServerError,
        Self::UnreadableAnswer,
        Self::Slow,
        Self::OtherAmount,
        Self::Reversed,
        Self::Pending,
        Self::DuplicateReference,
        Self::Down,
        Self::TokenLater,
        Self::UnknownCustomer,
        Self::Undelivered,
        Self::Expired,
        Self::Buffered,
        Self::AccountRefused,
        Self::Busy,
        Self::Lookalike,
        Self::Ported,
        Self::PortedElsewhere,
        Self::SlowRegister,
        Self::WalletClosed,
        Self::Unread,
        Self::NoAnswer,
        Self::LineBusy,
        Self::KeyPressed,
        Self::Replies,
        Self::ConversationClosed,
        Self::NoRecord,
        Self::Unreachable,
    ];

    /// Its word on the interface, and the four digits.
    const fn parts(self) -> (&'static str, &'static str, Reach) {
        match self {
            Self::Declined => ("declined", "0001", Reach::Products),
            Self::DeliveredLater => ("deliveredLater", "0002", Reach::Products),
            Self::AnswerLost => ("answerLost", "0003", Reach::Products),
            Self::RequestLost => ("requestLost", "0004", Reach::Products),
            Self::ServerError => ("serverError", "0005", Reach::Products),
            Self::UnreadableAnswer => ("unreadableAnswer", "0006", Reach::Products),
            Self::Slow => ("slow", "0007", Reach::Products),
            Self::OtherAmount => ("otherAmount", "0008", Reach::Products),
            Self::Reversed => ("reversed", "0009", Reach::Products),
            Self::Pending => ("pending", "0010", Reach::Products),
            Self::DuplicateReference => ("duplicateReference", "0011", Reach::Products),
            Self::Down => ("down", "0012", Reach::Products),
            Self::TokenLater => ("tokenLater", "0013", Reach::Family(Service::Electricity)),
            Self::UnknownCustomer => ("unknownCustomer", "0014", Reach::Products),
            Self::Undelivered => ("undelivered", "0015", Reach::Messages),
            Self::Expired => ("expired", "0016", Reach::Family(Service::Sms)),
            Self::Buffered => ("buffered", "0017", Reach::Family(Service::Sms)),
            Self::AccountRefused => ("accountRefused", "0018", Reach::Products),
            Self::Busy => ("busy", "0019", Reach::Products),
            Self::Lookalike => ("lookalike", "0020", Reach::Products),
            Self::Ported => ("ported", "0021", Reach::Register),
            Self::PortedElsewhere => ("portedElsewhere", "0022", Reach::Register),
            Self::SlowRegister => ("slowRegister", "0023", Reach::Register),
            Self::WalletClosed => ("walletClosed", "0024", Reach::Family(Service::MobileMoney)),
            Self::Unread => ("unread", "0025", Reach::ReadMessages),
            Self::NoAnswer => ("noAnswer", "0026", Reach::Calls),
            Self::LineBusy => ("lineBusy", "0027", Reach::Calls),
            Self::KeyPressed => ("keyPressed", "0028", Reach::Calls),
            Self::Replies => ("replies", "0029", Reach::Channels),
            Self::ConversationClosed => (
                "conversationClosed",
                "0030",
                Reach::Family(Service::Whatsapp),
            ),
            Self::NoRecord => ("noRecord", "0031", Reach::Lookups(LookupCategory::Record)),
            Self::Unreachable => (
                "unreachable",
                "0032",
                Reach::Lookups(LookupCategory::Device),
            ),
        }
    }

    /// Its word on the interface.
    pub const fn code(self) -> &'static str {
        self.parts().0
    }

    /// The last four digits of the number.
    pub const fn digits(self) -> &'static str {
        self.parts().1
    }

    /// What the last four digits of a number force; `None` where they force nothing.
    pub fn of(number: &str) -> Option<Self> {
        let start = number.len().saturating_sub(4);
        let digits = number.get(start..)?;
        Self::ALL.into_iter().find(|it| it.digits() == digits)
    }

    /// Whether it forces something of an order of a family.
    pub fn is_of(self, service: Service) -> bool {
        match self.parts().2 {
            Reach::Products => service.has_provider(),
            Reach::Family(family) => service == family,
            Reach::Messages => {
                matches!(service, Service::Sms | Service::Whatsapp | Service::Rcs)
            }
            Reach::ReadMessages => matches!(service, Service::Whatsapp | Service::Rcs),
            Reach::Calls => matches!(service, Service::Voice | Service::Ivr),
            Reach::Channels => matches!(service, Service::Sms | Service::Whatsapp),
            Reach::Lookups(category) => service == Service::Lookup(category),
            Reach::Register => service == Service::Airtime,
        }
    }

    /// Whether it forces what becomes of an order, and not what a register answers before it.
    pub fn forces_order(self) -> bool {
        self.parts().2 != Reach::Register
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_digits_and_has_a_word_of_its_own() {
        assert!(TestNumber::ALL.is_sorted_by(|one, other| one.digits() < other.digits()));
        for (index, test) in TestNumber::ALL.into_iter().enumerate() {
            assert_eq!(test.digits().len(), 4);
            assert_eq!(
                TestNumber::of(&format!("234803123{}", test.digits())),
                Some(test)
            );
            assert_eq!(TestNumber::of(test.digits()), Some(test));
            let others = TestNumber::ALL.iter().skip(index.saturating_add(1));
            assert!(others.into_iter().all(|other| other.code() != test.code()));
        }
        for nothing in ["", "1", "001", "2348031234567", "2348031230033"] {
            assert_eq!(TestNumber::of(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn what_is_forced_belongs_to_families_that_a_provider_delivers() {
        for test in TestNumber::ALL {
            let mut families = Service::all().filter(|service| test.is_of(*service));
            assert!(families.all(Service::has_provider), "{test:?}");
        }
        assert!(TestNumber::Declined.is_of(Service::Bank));
        assert!(!TestNumber::Declined.is_of(Service::Wallet));
        assert!(TestNumber::TokenLater.is_of(Service::Electricity));
        assert!(!TestNumber::TokenLater.is_of(Service::Airtime));
        assert!(!TestNumber::Ported.forces_order() && TestNumber::Ported.is_of(Service::Airtime));
    }
}
