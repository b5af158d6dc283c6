//! The list of product families and what each brings to the domain. A new family is one row of the
//! list and one implementation of [`FamilyOrder`]; no other family's file may name it.

use crate::account::AccountIdentity;
use crate::bill::{BillCategory, BillReceipt};
use crate::billing::Billing;
use crate::country::CountryCode;
use crate::electricity::Vend;
use crate::hlr::HlrReport;
use crate::international::Remittance;
use crate::ivr::FlowRun;
use crate::messaging::MessageDelivery;
use crate::money::Money;
use crate::paid_lookup::{LookupCategory, LookupFindings};
use crate::pricing::Use;
use crate::provider::ProviderId;
use crate::rcs::RcsDelivery;
use crate::sms::Dispatch;
use crate::time::Timestamp;
use crate::user::Recipient;
use crate::voice::Call;
use std::fmt::Debug;

/// What the order of a family says of itself.
pub trait FamilyOrder: Debug + Clone + PartialEq + Eq {
    /// Whether proof that the provider does not have the order fails the payment, or hands it to a
    /// person.
    const ABSENCE: AbsenceEnds = AbsenceEnds::Payment;

    /// Whether the stored order is sealed: it holds a name, a text or an account number.
    const IS_CONFIDENTIAL: bool = false;

    /// How price overrides name what is sold, after the family's word: `<network>`, `<disco>`,
    /// `<provider>`, `<lookup>` and `<country>` stand for a code.
    const PRODUCTS: &'static [&'static str] = &[];

    /// The family.
    fn service(&self) -> Service;

    /// The value bought; a provider must echo exactly this.
    fn amount(&self) -> Money;

    /// One line for statements, such as `Airtime MTN 2348031234567`.
    fn narration(&self) -> String;

    /// The digits it is for: a telephone, meter, card or account number.
    fn digits(&self) -> &str;

    /// The number as lists of transactions show it; `None` where they show none.
    fn listed_number(&self) -> Option<&str> {
        Some(self.digits()).filter(|digits| !digits.is_empty())
    }

    /// The code of the biller, network, operator or bank it is for, by which routes are chosen;
    /// `None` in a family without any.
    fn biller(&self) -> Option<&str> {
        None
    }

    /// Whether it is paid in advance or afterwards; `None` in a family without the difference.
    fn billing(&self) -> Option<Billing> {
        None
    }

    /// The country, where the order itself names it.
    fn country(&self) -> Option<CountryCode> {
        None
    }

    /// The moment before which it is not sent, where the order itself names it.
    fn send_from(&self) -> Option<Timestamp> {
        None
    }

    /// The moment from which no attempt may begin any more, where the order itself names it.
    fn send_before(&self) -> Option<Timestamp> {
        None
    }

    /// For how many units the price is held, where what was used is charged by the unit.
    fn units(&self) -> u8 {
        1
    }

    /// How many of these units were used, where it were fewer; `None` where all are charged.
    fn used(&self, _: &Fulfilment) -> Option<Use> {
        None
    }

    /// What the gateway's own books credit for it, in another wallet; `None` where a provider
    /// delivers it.
    fn arrives(&self) -> Option<Money> {
        None
    }

    /// Who is paid, where it pays another account.
    fn recipient(&self) -> Option<&Recipient> {
        None
    }

    /// The address that it waits for an account to have.
    fn awaited(&self) -> Option<&AccountIdentity> {
        None
    }

    /// The line on the statement of another account that it pays.
    fn narration_at_payee(&self) -> String {
        self.narration()
    }

    /// Whose quote it goes by, where it does: no other provider may be given it.
    fn quoted_by(&self) -> Option<&ProviderId> {
        None
    }

    /// Whether what a provider says it handed over is what was ordered, as far as it says. What is
    /// not there yet is no contradiction.
    fn agrees_with(&self, _: &Fulfilment) -> bool {
        true
    }

    /// Whether its parts agree with one another, where they can be worked out again.
    fn is_exact(&self) -> bool {
        true
    }

    /// Whether a token is handed over after the payment.
    fn takes_token(&self) -> bool {
        false
    }

    /// Whether this hands over all that was bought. Families whose fulfilment has details say what
    /// must be there.
    fn is_completed_by(&self, fulfilment: &Fulfilment) -> bool {
        fulfilment.service() == self.service()
    }

    /// What is recorded where a person says that it was delivered and no details are known; `None`
    /// where the details cannot be left out.
    fn fulfilment_without_details(&self) -> Option<Fulfilment>;
}

/// What an attempt that is absent at its provider ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbsenceEnds {
    /// The payment: it fails and the price is given back.
    Payment,
    /// The search: a person decides. Banks find transfers again that they said they did not have,
    /// and money that arrived in an account cannot be fetched back.
    Search,
}

/// Defines the families from their list: variant, order type, code, and what is handed over, where
/// that is more than the fact. The second part lists families that the gateway books alone, the
/// third those of categories, which are data.
macro_rules! families {
    ($d:tt families {$(
        $(#[$doc:meta])*
        $Family:ident = $module:ident::$Order:ident, $code:literal,
        $(#[$handed_over:meta])* handed over $(($Details:ty))?;
    )*}
    families without a provider {$(
        $(#[$own_doc:meta])*
        $Own:ident = $own_module:ident::$OwnOrder:ident, $own_code:literal;
    )*}
    families by category {$(
        $(#[$group_doc:meta])*
        $Group:ident($Category:ty) = $group_module:ident::$GroupOrder:ident,
        $(#[$group_handed_over:meta])* handed over ($GroupDetails:ty);
    )*}) => {
        /// The family a transaction belongs to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Service {
            $($(#[$doc])* $Family,)*
            $($(#[$own_doc])* $Own,)*
            $($(#[$group_doc])* $Group($Category),)*
        }

        impl Service {
            /// Every family, in the order of the interface.
            pub fn all() -> impl Iterator<Item = Self> + Clone {
                let families = [$(Self::$Family,)* $(Self::$Own),*].into_iter();
                $(let families = families.chain(<$Category>::all().map(Self::$Group));)*
                families
            }

            /// The lower-case word for configuration, records and logs.
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$Family => $code,)*
                    $(Self::$Own => $own_code,)*
                    $(Self::$Group(category) => category.code(),)*
                }
            }

            /// Whether providers deliver it. What they do not deliver is booked by the gateway
            /// alone.
            pub const fn has_provider(self) -> bool {
                match self {
                    $(Self::$Family => true,)*
                    $(Self::$Own => false,)*
                    $(Self::$Group(_) => true,)*
                }
            }
        }

        /// What the merchant bought.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Order {
            $($(#[$doc])* $Family($crate::$module::$Order),)*
            $($(#[$own_doc])* $Own($crate::$own_module::$OwnOrder),)*
            $($(#[$group_doc])* $Group($crate::$group_module::$GroupOrder),)*
        }

        $(
            impl From<$crate::$module::$Order> for Order {
                fn from(order: $crate::$module::$Order) -> Self {
                    Self::$Family(order)
                }
            }
        )*
        $(
            impl From<$crate::$own_module::$OwnOrder> for Order {
                fn from(order: $crate::$own_module::$OwnOrder) -> Self {
                    Self::$Own(order)
                }
            }
        )*
        $(
            impl From<$crate::$group_module::$GroupOrder> for Order {
                fn from(order: $crate::$group_module::$GroupOrder) -> Self {
                    Self::$Group(order)
                }
            }
        )*

        /// What was handed over.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Fulfilment {
            $($(#[$handed_over])* $Family $(($Details))?,)*
            $($(#[$group_handed_over])* $Group($GroupDetails),)*
        }

        impl Fulfilment {
            /// The family it belongs to.
            pub const fn service(&self) -> Service {
                match self {
                    $(Self::$Family { .. } => Service::$Family,)*
                    $(Self::$Group(details) => Service::$Group(details.category),)*
                }
            }
        }

        /// Runs an expression with the order of whatever family it is: `for_order!(order, it =>
        /// it.amount())`.
        #[macro_export]
        macro_rules! for_order {
            ($d order:expr, $d it:ident => $d body:expr) => {
                match $d order {
                    $($d crate::order::Order::$Family($d it) => $d body,)*
                    $($d crate::order::Order::$Own($d it) => $d body,)*
                    $($d crate::order::Order::$Group($d it) => $d body,)*
                }
            };
        }

        /// Evaluates an expression with the order type of a family: `for_service!(service, It =>
        /// <It as FamilyOrder>::ABSENCE)`.
        #[macro_export]
        macro_rules! for_service {
            ($d service:expr, $d it:ident => $d body:expr) => {
                match $d service {
                    $($d crate::order::Service::$Family => {
                        type $d it = $d crate::$module::$Order;
                        $d body
                    })*
                    $($d crate::order::Service::$Own => {
                        type $d it = $d crate::$own_module::$OwnOrder;
                        $d body
                    })*
                    $($d crate::order::Service::$Group(_) => {
                        type $d it = $d crate::$group_module::$GroupOrder;
                        $d body
                    })*
                }
            };
        }
    };
}

families! { $ families {
    /// Top-ups (interface §4.2).
    Airtime = airtime::AirtimeOrder, "airtime",
    /// The number was credited.
    handed over;

    /// Cable TV subscriptions (interface §4.3).
    CableTv = cabletv::CableOrder, "cabletv",
    /// The card was credited or its plan extended.
    handed over;

    /// Meter payments (interface §4.4).
    Electricity = electricity::ElectricityOrder, "electricity",
    /// The company accepted the payment; a prepaid vend is complete only with its token.
    handed over (Vend);

    /// Internet data bundles (interface §4.5).
    Internet = internet::DataOrder, "internet",
    /// The device was given the bundle.
    handed over;

    /// Text messages (interface §4.6).
    Sms = sms::MessageOrder, "sms",
    /// The network accepted the message; a receipt for each part follows.
    handed over (Dispatch);

    /// WhatsApp messages.
    Whatsapp = whatsapp::WhatsappOrder, "whatsapp",
    /// The platform accepted the message; receipts follow.
    handed over (MessageDelivery);

    /// RCS messages.
    Rcs = rcs::RcsOrder, "rcs",
    /// The platform accepted the message; receipts follow.
    handed over (RcsDelivery);

    /// Voice calls.
    Voice = voice::VoiceOrder, "voice",
    /// The call was answered, and is over.
    handed over (Call);

    /// Calls that run a flow.
    Ivr = ivr::IvrOrder, "ivr",
    /// The call was answered, and is over.
    handed over (FlowRun);

    /// Payouts to bank accounts (interface §4.7).
    Bank = bank::PayoutOrder, "bank",
    /// The account was credited.
    handed over;

    /// Lookups of mobile numbers (interface §4.8).
    Hlr = hlr::HlrOrder, "hlr",
    /// The register answered.
    handed over (HlrReport);

    /// Transfers to mobile money wallets.
    MobileMoney = mobile_money::MobileMoneyOrder, "mobilemoney",
    /// The wallet was credited.
    handed over;

    /// Transfers to cards.
    Card = card::CardOrder, "card",
    /// The card was credited.
    handed over;

    /// Transfers to accounts abroad.
    International = international::InternationalOrder, "international",
    /// The account abroad was credited.
    handed over (Remittance);

} families without a provider {
    /// Transfers between the wallets of one account.
    Wallet = wallet::WalletOrder, "wallet";

    /// Transfers to another account.
    User = user::UserOrder, "user";

} families by category {
    /// Bills of a category, such as water.
    Bill(BillCategory) = bill::BillOrder,
    /// The biller accepted the payment; a prepaid vend is complete only with its token.
    handed over (BillReceipt);

    /// Lookups that providers sell by name.
    Lookup(LookupCategory) = paid_lookup::LookupOrder,
    /// A provider answered; what it found may be left out.
    handed over (LookupFindings);
}}
