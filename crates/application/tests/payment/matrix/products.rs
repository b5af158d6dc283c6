//! One order of every product, bought through the real request of its family. A product must be
//! named here once, so that no family is left out.

use super::world::ACCOUNT;
use crate::support::request::once;
use crate::support::shelf::BANK;
use crate::support::{World, merchant};
use application::hlr::LookedUp;
use application::{Gateway, PaymentResult, RequestError};
use domain::airtime::TopUp;
use domain::bank::{AccountNumber, BankIdentifier, Narration, Payout};
use domain::bill::{BillCategory, BillPayment, RequestedBill};
use domain::billing::Billing;
use domain::cabletv::{RequestedPlan, SmartcardNumber, SmartcardQuery, Subscribe};
use domain::card::{CardToken, CardTransfer};
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, MeterNumber, MeterPayment, MeterQuery};
use domain::hlr::HlrQuery;
use domain::idempotency::IdempotencyKey;
use domain::international::{AmountAsked, InternationalTransfer, QuoteRequest, TransferPurpose};
use domain::internet::BundlePurchase;
use domain::ivr::IvrCall;
use domain::messaging::{AskedParties, MessageText};
use domain::messaging_library::{LibraryContent, LibraryName};
use domain::mobile_money::MobileMoneyTransfer;
use domain::order::Service;
use domain::paid_lookup::{LookupCategory, PaidLookupQuery};
use domain::rcs::{RcsBody, RcsContent, RcsMessage};
use domain::reference::MerchantReference;
use domain::sms::{Content, FieldNaming, Message, MessageKind, SenderStatus};
use domain::sms::{PersonalFieldName, PersonalFieldValue, PersonalFields};
use domain::voice::{
    CallMinutes, CallPlan, CallWindow, Speaker, SpeechLanguage, VoiceCall, VoiceContent,
    VoiceSpeech,
};
use domain::whatsapp::{WhatsappContent, WhatsappMessage};
use testkit::builders::{beneficiary, cedis, consent, lookup_definition};
use testkit::builders::{
    bill_query, naira, phone, plan_code, provider_code, reference, sender, serial,
};

/// The sender of the account.
const SERIAL: &str = "100000000009";

/// What is bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatrixProduct {
    Of(Service),
    /// An amount credited to a card; the family sells plans as well.
    CableCredit,
}

impl MatrixProduct {
    /// One of every product.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        Service::delivered()
            .map(Self::Of)
            .chain([Self::CableCredit])
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Of(service) => service.code(),
            Self::CableCredit => "cabletv-credit",
        }
    }

    /// The reference under which it is bought.
    pub(super) fn reference(self) -> MerchantReference {
        reference(&format!("order-{}", self.name()))
    }

    /// Buys one.
    pub(super) async fn buy(self, gateway: &Gateway) -> Result<PaymentResult, RequestError> {
        let reference = self.reference();
        let shop = merchant(ACCOUNT);
        match self {
            Self::Of(Service::Airtime) => {
                let command = top_up(reference);
                gateway.buy_airtime(&shop, once(command)).await
            }
            Self::Of(Service::CableTv) => {
                let wanted = RequestedPlan::Plan {
                    plan: plan_code("201"),
                    duration: 1,
                };
                let command = subscription(reference, wanted);
                gateway.subscribe_cable(&shop, once(command)).await
            }
            Self::CableCredit => {
                let wanted = RequestedPlan::TopUp(naira("500.00"));
                let command = subscription(reference, wanted);
                gateway.subscribe_cable(&shop, once(command)).await
            }
            Self::Of(Service::Electricity) => {
                let command = meter_payment(reference);
                gateway.pay_electricity(&shop, once(command)).await
            }
            Self::Of(Service::Internet) => buy_data(gateway, reference).await,
            Self::Of(Service::Sms) => {
                let command = message(reference);
                gateway.send_message(&shop, once(command)).await
            }
            Self::Of(Service::Whatsapp) => {
                let command = whatsapp_text(reference);
                gateway.send_whatsapp(&shop, once(command)).await
            }
            Self::Of(Service::Rcs) => {
                let command = rcs_text(reference);
                gateway.send_rcs(&shop, once(command)).await
            }
            Self::Of(Service::Voice) => {
                let command = voice_call(reference);
                gateway.call_number(&shop, once(command)).await
            }
            Self::Of(Service::Ivr) => {
                let command = flow_call(gateway, reference).await;
                gateway.run_flow(&shop, once(command)).await
            }
            Self::Of(Service::Bank) => gateway.pay_out(&shop, once(payout(reference))).await,
            Self::Of(Service::MobileMoney) => {
                let command = once(mobile_money(reference));
                gateway.pay_mobile_money(&shop, command).await
            }
            Self::Of(Service::Wallet | Service::User) => panic!("no provider delivers it"),
            Self::Of(Service::Card) => {
                let command = once(card_transfer(reference));
                gateway.pay_card(&shop, command).await
            }
            Self::Of(Service::International) => pay_abroad(gateway, reference).await,
            Self::Of(Service::Hlr) => look_up(gateway, reference).await,
            Self::Of(Service::Lookup(category)) => {
                look_up_by_name(gateway, category, reference).await
            }
            Self::Of(Service::Bill(category)) => pay_bill(gateway, category, reference).await,
        }
    }
}

/// What the products need beside money.
pub(super) async fn prepare(world: &World) {
    let senders = &world.stores.senders;
    let own = sender(ACCOUNT, SERIAL, "CornerShop");
    senders.register(&own).await.unwrap();
    let approved = SenderStatus::Approved;
    let decided = senders.decide(&serial(SERIAL), approved, world.now()).await;
    decided.unwrap();
}

fn subscription(reference: MerchantReference, requested: RequestedPlan) -> Subscribe {
    Subscribe {
        reference,
        card: SmartcardQuery {
            provider: provider_code("2"),
            number: SmartcardNumber::parse("0201234567").unwrap(),
        },
        requested,
        customer_phone: None,
    }
}

fn message(reference: MerchantReference) -> Message {
    Message {
        reference,
        country: CountryCode::NIGERIA,
        number: phone("2348031234567"),
        network: Some("MTN".to_owned()),
        sender: serial(SERIAL),
        kind: MessageKind::Text,
        content: Content::parse(&"a".repeat(161)).unwrap(),
        variant: FieldNaming::A,
    }
}

fn payout(reference: MerchantReference) -> Payout {
    Payout {
        reference,
        bank: BankIdentifier::parse(BANK).unwrap(),
        number: AccountNumber::parse("0123456785").unwrap(),
        amount: naira("5,000.00"),
        narration: Narration::parse("Rent of May").unwrap(),
        salary: None,
    }
}

async fn pay_abroad(
    gateway: &Gateway,
    reference: MerchantReference,
) -> Result<PaymentResult, RequestError> {
    let shop = merchant(ACCOUNT);
    let asked = QuoteRequest {
        country: CountryCode::parse("288").unwrap(),
        currency: cedis("1.00").currency(),
        amount: AmountAsked::Source(naira("5,000.00")),
    };
    let quoted = gateway.quote_international(&shop, &asked).await?;
    let command = InternationalTransfer {
        reference,
        quote: quoted.identifier,
        beneficiary: beneficiary("1441000126789"),
        purpose: TransferPurpose::Goods,
    };
    gateway.pay_international(&shop, once(command)).await
}

fn top_up(reference: MerchantReference) -> TopUp {
    TopUp {
        reference,
        country: CountryCode::NIGERIA,
        number: phone("2348031234567"),
        network: Some("MTN".to_owned()),
        named_network: None,
        amount: naira("1,000.00"),
        billing: Billing::Prepaid,
    }
}

fn meter_payment(reference: MerchantReference) -> MeterPayment {
    MeterPayment {
        reference,
        meter: MeterQuery {
            disco: DiscoCode::parse("101").unwrap(),
            number: MeterNumber::parse("04123456789").unwrap(),
            billing: Billing::Prepaid,
        },
        customer_phone: None,
        amount: naira("5,000.00"),
    }
}

fn whatsapp_text(reference: MerchantReference) -> WhatsappMessage {
    let text = MessageText::parse("Hi", WhatsappContent::TEXT_MAX).unwrap();
    WhatsappMessage {
        reference,
        parties: parties(),
        content: WhatsappContent::Text(text),
    }
}

fn rcs_text(reference: MerchantReference) -> RcsMessage {
    let text = RcsBody::Text(MessageText::parse("Hi", RcsContent::TEXT_MAX).unwrap());
    RcsMessage {
        reference,
        parties: parties(),
        content: RcsContent::of(text, Vec::new(), None).unwrap(),
    }
}

fn parties() -> AskedParties {
    AskedParties {
        country: CountryCode::NIGERIA,
        number: phone("2348031234567"),
        network: None,
        sender: serial(SERIAL),
    }
}

fn voice_call(reference: MerchantReference) -> VoiceCall {
    VoiceCall {
        reference,
        parties: parties(),
        content: VoiceContent::Speech(VoiceSpeech {
            text: MessageText::parse("Hi", 2).unwrap(),
            speaker: Speaker::Male,
            language: SpeechLanguage::english(),
        }),
        plan: CallPlan::try_new(CallMinutes::DEFAULT, 1, 0).unwrap(),
        window: CallWindow::DEFAULT,
    }
}

/// A call with a flow that the merchant keeps.
async fn flow_call(gateway: &Gateway, reference: MerchantReference) -> IvrCall {
    let name = LibraryName::parse("Hours").unwrap();
    let content = LibraryContent::Flow(testkit::builders::call_flow());
    let once = IdempotencyKey::parse("the-flow").unwrap();
    let shop = merchant(ACCOUNT);
    let kept = gateway.keep_item(&shop, (name, content), Some(&once));
    let first = PersonalFieldName::parse("first").unwrap();
    let value = PersonalFieldValue::parse("Ada").unwrap();
    IvrCall {
        reference,
        parties: parties(),
        flow: kept.await.unwrap().item.id,
        values: PersonalFields::from([(first, value)]),
        minutes: CallMinutes::DEFAULT,
        window: CallWindow::DEFAULT,
    }
}

fn card_transfer(reference: MerchantReference) -> CardTransfer {
    CardTransfer {
        reference,
        token: CardToken::parse("tok_visa_6789").unwrap(),
        amount: naira("5,000.00"),
        narration: Narration::parse("Prize of May").unwrap(),
    }
}

fn mobile_money(reference: MerchantReference) -> MobileMoneyTransfer {
    MobileMoneyTransfer {
        reference,
        country: CountryCode::NIGERIA,
        operator: provider_code("901"),
        number: phone("2348031234567"),
        amount: naira("5,000.00"),
        narration: Narration::parse("Prize of May").unwrap(),
    }
}

async fn look_up(
    gateway: &Gateway,
    reference: MerchantReference,
) -> Result<PaymentResult, RequestError> {
    let query = HlrQuery {
        reference: Some(reference),
        country: CountryCode::NIGERIA,
        number: phone("2348031234567"),
    };
    match gateway.look_up_number(&merchant(ACCOUNT), query).await? {
        LookedUp::Queried(paid) => Ok(*paid),
        LookedUp::NotMobile(other) => panic!("{other:?}"),
    }
}

async fn buy_data(
    gateway: &Gateway,
    reference: MerchantReference,
) -> Result<PaymentResult, RequestError> {
    let command = BundlePurchase {
        reference,
        plan: plan_code("105"),
        number: phone("2348031234567"),
    };
    gateway.buy_data(&merchant(ACCOUNT), once(command)).await
}

async fn look_up_by_name(
    gateway: &Gateway,
    category: LookupCategory,
    reference: MerchantReference,
) -> Result<PaymentResult, RequestError> {
    let query = PaidLookupQuery {
        reference: Some(reference),
        definition: lookup_definition(category),
        number: "2348031234567".to_owned(),
        values: Vec::new(),
        consent: Some(consent("consent-1")),
    };
    gateway.look_up(&merchant(ACCOUNT), query).await
}

/// Pays what the customer owes, within the limits of the biller.
async fn pay_bill(
    gateway: &Gateway,
    category: BillCategory,
    reference: MerchantReference,
) -> Result<PaymentResult, RequestError> {
    let shop = merchant(ACCOUNT);
    let customer = bill_query(category, category.definition().number.example);
    let validated = gateway.validate_bill(&shop, &customer).await?;
    let command = BillPayment {
        reference,
        customer,
        requested: RequestedBill::Amount(validated.limits.0),
        bill_reference: None,
        customer_phone: None,
    };
    gateway.pay_bill(&shop, once(command)).await
}
