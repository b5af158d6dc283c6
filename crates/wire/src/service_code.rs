//! The service codes of the interface (§7.2). It must hold only those the interface gives a
//! subject: the others have no known meaning and are never sent.

/// The subject of an error, beside its HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ServiceCode {
    Password,
    AccountId,
    ApiToken,
    ApiConnection,
    ActivationCode,
    VerificationCode,
    AccountBalance,
    CreditBalance,
    PaymentChannel,
    Amount,
    ServiceProvider,
    EmailAddress,
    PhoneNumber,
    MeterNumber,
    SmartcardNumber,
    SubscriptionPlan,
    BankProvider,
    BankList,
    BankAccount,
    Continent,
    Country,
    State,
    City,
    IpAddress,
    SenderId,
}

impl ServiceCode {
    /// The number, 800–870.
    pub const fn number(self) -> u16 {
        self.entry().0
    }

    /// The subject as the interface lists it.
    pub const fn subject(self) -> &'static str {
        self.entry().1
    }

    const fn entry(self) -> (u16, &'static str) {
        match self {
            Self::Password => (800, "Password"),
            Self::AccountId => (801, "Account ID"),
            Self::ApiToken => (802, "API Token"),
            Self::ApiConnection => (803, "API Connection"),
            Self::ActivationCode => (805, "Activation Code"),
            Self::VerificationCode => (806, "Verification Code"),
            Self::AccountBalance => (807, "Account Balance"),
            Self::CreditBalance => (808, "Credit Balance"),
            Self::PaymentChannel => (812, "Payment Channel"),
            Self::Amount => (814, "Amount"),
            Self::ServiceProvider => (820, "Service Provider"),
            Self::EmailAddress => (821, "Email Address"),
            Self::PhoneNumber => (822, "Phone Number"),
            Self::MeterNumber => (823, "Meter Number"),
            Self::SmartcardNumber => (824, "Smartcard Number"),
            Self::SubscriptionPlan => (830, "Subscription Plan"),
            Self::BankProvider => (840, "Bank Provider"),
            Self::BankList => (841, "Bank List"),
            Self::BankAccount => (842, "Bank Account"),
            Self::Continent => (850, "Continent"),
            Self::Country => (851, "Country"),
            Self::State => (852, "State/Region"),
            Self::City => (853, "City/Town"),
            Self::IpAddress => (859, "IP Address"),
            Self::SenderId => (870, "Sender ID"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ServiceCode::{
        AccountBalance, Amount, MeterNumber, PhoneNumber, SenderId, ServiceProvider, State,
    };

    #[test]
    fn codes_carry_the_numbers_and_subjects_of_the_interface() {
        let listed = [
            (AccountBalance, 807, "Account Balance"),
            (Amount, 814, "Amount"),
            (ServiceProvider, 820, "Service Provider"),
            (PhoneNumber, 822, "Phone Number"),
            (MeterNumber, 823, "Meter Number"),
            (State, 852, "State/Region"),
            (SenderId, 870, "Sender ID"),
        ];
        for (code, number, subject) in listed {
            assert_eq!((code.number(), code.subject()), (number, subject));
        }
    }
}
