//! The list of families and what each brings to the protocol: the document of its order and the
//! document of what is handed over. A new family is one row of the list and one implementation of
//! [`FamilyDocuments`]; no other family's file may name it.

use crate::document::{DocumentError, read};
use domain::money::Money;
use domain::order::{Order, Service};
use domain::provider::Fulfilment;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// What a family brings.
pub(crate) trait FamilyDocuments {
    /// The order of the domain.
    type Order;
    /// Its document.
    type OrderDocument: Serialize + DeserializeOwned;
    /// The document of what is handed over; [`NoDetails`] where that is nothing but the fact.
    type ReceiptDocument: Serialize + DeserializeOwned;

    /// The document of an order. The amount stands beside it.
    fn order(order: &Self::Order) -> Self::OrderDocument;

    /// The order of a document.
    fn read_order(
        document: Self::OrderDocument,
        ordered: OrderContext,
    ) -> Result<Self::Order, DocumentError>;

    /// The document of what was handed over; `None` where that has no details.
    fn receipt(fulfilment: &Fulfilment) -> Option<Self::ReceiptDocument>;

    /// What was handed over; `None` where the details that there must be are missing.
    fn read_receipt(
        document: Option<Self::ReceiptDocument>,
        service: Service,
    ) -> Result<Option<Fulfilment>, DocumentError>;
}

/// What stands beside the document of an order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderContext {
    pub(crate) service: Service,
    pub(crate) amount: Money,
}

/// A receipt without details: an empty object, or none at all.
#[derive(Debug, Serialize, serde::Deserialize)]
pub(crate) struct NoDetails {}

macro_rules! families {
    ($($Family:ident = $room:ident :: $Documents:ident;)*) => {
        /// The document of an order, as it stands in the `order` of a request.
        ///
        /// # Errors
        /// When it is longer than a reader accepts.
        pub fn write_order(order: &Order) -> Result<Box<RawValue>, DocumentError> {
            match order {
                $(Order::$Family(order) => raw(&crate::$room::$Documents::order(order)),)*
                Order::Wallet(_) | Order::User(_) => Err(without_a_provider(order.service())),
            }
        }

        /// The order of a service in its document.
        ///
        /// # Errors
        /// When it has not the shape of the service's orders, or a field holds what it cannot.
        pub fn read_order(
            service: Service,
            document: &RawValue,
            amount: Money,
        ) -> Result<Order, DocumentError> {
            let ordered = OrderContext { service, amount };
            match service {
                $(Service::$Family { .. } => {
                    let document = read(document.get().as_bytes())?;
                    let order = crate::$room::$Documents::read_order(document, ordered)?;
                    Ok(Order::$Family(order))
                })*
                Service::Wallet | Service::User => Err(without_a_provider(service)),
            }
        }

        /// The document of what was handed over; `None` where nothing is said beside the fact.
        ///
        /// # Errors
        /// When it is longer than a reader accepts.
        pub fn write_receipt(
            fulfilment: &Fulfilment,
        ) -> Result<Option<Box<RawValue>>, DocumentError> {
            match fulfilment.service() {
                $(Service::$Family { .. } => {
                    let receipt = crate::$room::$Documents::receipt(fulfilment);
                    receipt.map(|receipt| raw(&receipt)).transpose()
                })*
                Service::Wallet | Service::User => Ok(None),
            }
        }

        /// What was handed over; `None` where the details that there must be are missing.
        ///
        /// # Errors
        /// When it has not the shape of the service's receipts, or a field holds what it cannot.
        pub fn read_receipt(
            service: Service,
            document: Option<&RawValue>,
        ) -> Result<Option<Fulfilment>, DocumentError> {
            match service {
                $(Service::$Family { .. } => {
                    let document = document.map(|it| read(it.get().as_bytes())).transpose()?;
                    crate::$room::$Documents::read_receipt(document, service)
                })*
                Service::Wallet | Service::User => Err(without_a_provider(service)),
            }
        }
    };
}

families! {
    Airtime = airtime::AirtimeDocuments;
    CableTv = cabletv::CableTvDocuments;
    Electricity = electricity::ElectricityDocuments;
    Internet = internet::InternetDocuments;
    Sms = sms::SmsDocuments;
    Whatsapp = whatsapp::WhatsappDocuments;
    Rcs = rcs::RcsDocuments;
    Voice = voice::VoiceDocuments;
    Ivr = ivr::IvrDocuments;
    Bank = bank::BankDocuments;
    Hlr = hlr::HlrDocuments;
    MobileMoney = mobile_money::MobileMoneyDocuments;
    Card = card::CardDocuments;
    International = international::InternationalDocuments;
    Bill = bill::BillDocuments;
    Lookup = paid_lookup::LookupDocuments;
}

/// The digits a provider echoes as `beneficiary`: the `number` of the order's document.
pub fn beneficiary_of(order: &Order) -> &str {
    order.digits()
}

/// The gateway books it alone: it is never asked of a provider.
fn without_a_provider(service: Service) -> DocumentError {
    DocumentError::Shape(format!("no provider delivers {}", service.code()))
}

fn raw(document: &impl Serialize) -> Result<Box<RawValue>, DocumentError> {
    let text = serde_json::to_string(document);
    let text = text.map_err(|error| DocumentError::Shape(error.to_string()))?;
    RawValue::from_string(text).map_err(|error| DocumentError::Shape(error.to_string()))
}
