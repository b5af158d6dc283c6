//! The list of families the sandbox serves. A new family is one row of the list and one
//! implementation of [`FamilyProduct`].

use crate::airtime::AirtimeProduct;
use crate::bank::PayoutProduct;
use crate::bill::BillProduct;
use crate::cabletv::CableTvProduct;
use crate::card::CardProduct;
use crate::catalogue::SandboxCatalogue;
use crate::electricity::ElectricityProduct;
use crate::entry_facts::EntryFacts;
use crate::family_product::{FamilyProduct, ProductFields, Progress, ReceiptSchedule};
use crate::hlr::LookupProduct;
use crate::international::InternationalProduct;
use crate::internet::DataProduct;
use crate::ivr::FlowCallProduct;
use crate::mobile_money::MobileMoneyProduct;
use crate::paid_lookup::PaidLookupProduct;
use crate::rcs::RcsProduct;
use crate::sms::MessageProduct;
use crate::voice::CallProduct;
use crate::whatsapp::WhatsappProduct;
use domain::order::{Order, Service};
use domain::provider::Fulfilment;
use domain::sms::SenderName;
use domain::time::Timestamp;

/// Defines what was ordered from the list of families: the variant of [`Order`] and [`Service`],
/// and the type of its product.
macro_rules! products {
    ($($Family:ident = $Product:ident;)*) => {
        /// What was ordered.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub(crate) enum SandboxProduct {
            $($Family($Product),)*
        }

        impl SandboxProduct {
            /// What an order asks for; `None` of what no provider delivers.
            pub(crate) fn of(order: &Order, catalogue: &SandboxCatalogue) -> Option<Self> {
                match order {
                    $(Order::$Family(order) => {
                        Some(Self::$Family($Product::of(order, catalogue)))
                    })*
                    Order::Wallet(_) | Order::User(_) => None,
                }
            }

            /// Whether the biller of an order is one the sandbox delivers for.
            pub(crate) fn is_served(order: &Order, catalogue: &SandboxCatalogue) -> bool {
                match order {
                    $(Order::$Family(order) => $Product::is_served(order, catalogue),)*
                    Order::Wallet(_) | Order::User(_) => false,
                }
            }

            /// The product of a line of the journal.
            pub(crate) fn read(service: Service, fields: ProductFields<'_>) -> Option<Self> {
                match service {
                    $(Service::$Family { .. } => {
                        $Product::read(service, fields).map(Self::$Family)
                    })*
                    Service::Wallet | Service::User => None,
                }
            }

            pub(crate) fn service(&self) -> Service {
                match self {
                    $(Self::$Family(product) => product.service(),)*
                }
            }

            pub(crate) fn digits(&self) -> &str {
                match self {
                    $(Self::$Family(product) => product.digits(),)*
                }
            }

            pub(crate) fn fields(&self) -> (Option<String>, Option<String>) {
                match self {
                    $(Self::$Family(product) => product.fields(),)*
                }
            }

            pub(crate) fn fulfilment(
                &self,
                entry: &EntryFacts<'_>,
                progress: Progress,
                catalogue: &SandboxCatalogue,
            ) -> Option<Fulfilment> {
                match self {
                    $(Self::$Family(product) => product.fulfilment(entry, progress, catalogue),)*
                }
            }

            pub(crate) fn steps_by(&self, entry: &EntryFacts<'_>, now: Timestamp) -> usize {
                match self {
                    $(Self::$Family(product) => product.steps_by(entry, now),)*
                }
            }

            pub(crate) fn replied_sender(&self) -> Option<&SenderName> {
                match self {
                    $(Self::$Family(product) => product.replied_sender(),)*
                }
            }

            pub(crate) fn receipts(&self, entry: &EntryFacts<'_>) -> Vec<ReceiptSchedule> {
                match self {
                    $(Self::$Family(product) => product.receipts(entry),)*
                }
            }
        }
    };
}

products! {
    Airtime = AirtimeProduct;
    CableTv = CableTvProduct;
    Electricity = ElectricityProduct;
    Internet = DataProduct;
    Sms = MessageProduct;
    Whatsapp = WhatsappProduct;
    Rcs = RcsProduct;
    Voice = CallProduct;
    Ivr = FlowCallProduct;
    Bank = PayoutProduct;
    Hlr = LookupProduct;
    MobileMoney = MobileMoneyProduct;
    Card = CardProduct;
    International = InternationalProduct;
    Bill = BillProduct;
    Lookup = PaidLookupProduct;
}
