//! One order of every family, its quote and the answers to it, for every test of the transaction.
//! It must not vary them: what differs between tests is what happens, never what was bought.

mod lookups;

use domain::account::AccountId;
use domain::airtime::AirtimeOrder;
use domain::bank::charges::Charges;
use domain::bank::{
    AccountKind, AccountNumber, BankAccount, BankIdentifier, Narration, PayoutOrder,
};
use domain::bill::{BillCategory, BillNumber, BillOrder, BillReceipt};
use domain::billing::Billing;
use domain::cabletv::{CableOrder, SmartcardNumber, Subscription};
use domain::card::{CardDigits, CardOrder, CardToken};
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff, Vend};
use domain::international::{
    Beneficiary, BeneficiaryAccount, BeneficiaryName, Bic, DestinationAmount, DestinationCurrency,
    ExchangeRate, ForeignAccountNumber, InternationalOrder, PostalAddress, ProviderQuoteId,
    Remittance, TransferPurpose,
};
use domain::internet::DataOrder;
use domain::ivr::{FilledFlow, FlowRun, FlowStep, IvrOrder, Prompt, StepName};
use domain::messaging::{MessageDelivery, MessageParties, MessageText};
use domain::messaging_library::LibraryItemId;
use domain::mobile_money::MobileMoneyOrder;
use domain::money::{Currency, Money};
use domain::opening::Draft;
use domain::order::Order;
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::{Quote, Terms, UnitTerms, quote, quote_payout, quote_units};
use domain::provider::AbsencePolicy;
use domain::provider::{Fulfilment, ProviderId, Receipt, Refusal, RefusalKind};
use domain::rcs::{RcsBody, RcsContent, RcsDelivery, RcsOrder};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::sms::{
    Content, DeliveryStatus, Dispatch, FieldNaming, MessageKind, MessageOrder, Segments,
    SenderName, SenderSerial,
};
use domain::subscription::{BillerCode, PlanCode};
use domain::time::Timestamp;
use domain::token::{Token, TokenNumber};
use domain::transaction::{
    ApplyContext, AttemptNumber, Observation, PreparedAttempt, Ruling, Transaction, Transition,
    Verdict,
};
use domain::voice::{
    Call, CallMinutes, CallPlan, Speaker, SpeechLanguage, VoiceContent, VoiceOrder, VoiceSpeech,
};
use domain::whatsapp::{WhatsappContent, WhatsappOrder};
use rust_decimal::Decimal;

const AMOUNT: i64 = 100_000;

fn naira(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

pub(crate) fn account() -> AccountId {
    AccountId::parse("shop").unwrap()
}

fn phone() -> PhoneNumber {
    PhoneNumber::parse("2348031234567").unwrap()
}

fn airtime() -> Order {
    Order::Airtime(AirtimeOrder {
        number: phone(),
        country: CountryCode::NIGERIA,
        network_code: "mtn".to_owned(),
        network_brandname: "MTN".to_owned(),
        billing: Billing::Prepaid,
        amount: naira(AMOUNT),
    })
}

fn prepaid_meter() -> Order {
    let meter = Meter {
        disco: DiscoCode::parse("1").unwrap(),
        brandname: "Ikeja Electric".to_owned(),
        number: MeterNumber::parse("01234567890").unwrap(),
        owner: "A. Customer".to_owned(),
        address: "1 Some Street".to_owned(),
        billing: Billing::Prepaid,
        debt: Some(naira(0)),
        minimum: naira(1),
        maximum: naira(AMOUNT),
        last_purchase: None,
        last_paid: None,
        tariff: Tariff {
            band: "A".to_owned(),
            rate: Some(Decimal::ONE_HUNDRED),
        },
    };
    Order::Electricity(ElectricityOrder {
        meter,
        amount: naira(AMOUNT),
        customer_phone: None,
    })
}

fn cable_plan() -> Order {
    Order::CableTv(CableOrder {
        provider: BillerCode::parse("1").unwrap(),
        brandname: "DStv".to_owned(),
        number: SmartcardNumber::parse("7012345678").unwrap(),
        customer_name: "A. Customer".to_owned(),
        subscription: Some(Subscription {
            plan: PlanCode::parse("11").unwrap(),
            name: "DStv Padi".to_owned(),
            duration: 1,
        }),
        amount: naira(AMOUNT),
        customer_phone: None,
    })
}

fn bundle() -> Order {
    Order::Internet(DataOrder {
        provider: BillerCode::parse("1").unwrap(),
        brandname: "MTN".to_owned(),
        plan: PlanCode::parse("21").unwrap(),
        name: "1GB Daily".to_owned(),
        validity_days: 1,
        number: phone(),
        amount: naira(AMOUNT),
    })
}

/// A message of two parts, paid for in credits.
fn message() -> Order {
    let kind = MessageKind::Text;
    let content = Content::parse(&"a".repeat(200)).unwrap();
    Order::Sms(MessageOrder {
        number: phone(),
        country: CountryCode::NIGERIA,
        network: "MTN".to_owned(),
        sender: SenderSerial::parse("100000000001").unwrap(),
        sender_name: SenderName::parse("MyShop").unwrap(),
        kind,
        segments: Segments::of(kind, &content).unwrap(),
        content,
        variant: FieldNaming::A,
        amount: Money::from_minor(AMOUNT, Currency::Crd),
    })
}

fn parties() -> MessageParties {
    MessageParties {
        number: phone(),
        country: CountryCode::NIGERIA,
        network: "MTN".to_owned(),
        sender: SenderSerial::parse("100000000001").unwrap(),
        sender_name: SenderName::parse("MyShop").unwrap(),
    }
}

fn whatsapp() -> Order {
    Order::Whatsapp(WhatsappOrder {
        parties: parties(),
        content: WhatsappContent::Text(MessageText::parse("Hi", 2).unwrap()),
        amount: naira(AMOUNT),
    })
}

fn rcs() -> Order {
    let text = RcsBody::Text(MessageText::parse("Hi", 2).unwrap());
    Order::Rcs(RcsOrder {
        parties: parties(),
        content: RcsContent::of(text, Vec::new(), None).unwrap(),
        amount: naira(AMOUNT),
    })
}

/// A call that may take three minutes; [`fulfilment`] takes two of them.
fn call() -> Order {
    Order::Voice(VoiceOrder {
        parties: parties(),
        content: VoiceContent::Speech(VoiceSpeech {
            text: MessageText::parse("Hi", 2).unwrap(),
            speaker: Speaker::Female,
            language: SpeechLanguage::english(),
        }),
        plan: CallPlan::try_new(CallMinutes::try_new(3).unwrap(), 1, 0).unwrap(),
        call_before: Timestamp::from_millis(i64::MAX),
        amount: naira(99_900),
    })
}

/// The same with a flow of one step.
fn flow_call() -> Order {
    let step = FlowStep {
        name: StepName::parse("hello").unwrap(),
        prompt: Prompt::Speech(FilledFlow::text("Hi").unwrap()),
        choices: Vec::new(),
        next: None,
    };
    let spoken = (Speaker::Female, SpeechLanguage::english());
    Order::Ivr(IvrOrder {
        parties: parties(),
        flow_id: LibraryItemId::new(TransactionNumber::try_new(7).unwrap()),
        flow: FilledFlow::try_new(spoken, vec![step]).unwrap(),
        minutes: CallMinutes::try_new(3).unwrap(),
        call_before: Timestamp::from_millis(i64::MAX),
        amount: naira(99_900),
    })
}

fn payout() -> Order {
    Order::Bank(PayoutOrder {
        account: BankAccount {
            bank: BankIdentifier::parse("00000000058").unwrap(),
            number: AccountNumber::parse("0123456789").unwrap(),
            name: "A. CUSTOMER".to_owned(),
            kind: AccountKind::Savings,
        },
        bank_fullname: "Some Bank".to_owned(),
        amount: naira(AMOUNT),
        narration: Narration::parse("Rent").unwrap(),
        salary: None,
    })
}

fn mobile_money() -> Order {
    Order::MobileMoney(MobileMoneyOrder {
        operator: BillerCode::parse("901").unwrap(),
        brandname: "MoMo PSB".to_owned(),
        country: CountryCode::NIGERIA,
        number: phone(),
        account_name: "A. CUSTOMER".to_owned(),
        amount: naira(AMOUNT),
        narration: Narration::parse("Prize").unwrap(),
    })
}

fn card() -> Order {
    Order::Card(CardOrder {
        token: CardToken::parse("tok_visa_6789").unwrap(),
        brand: "Visa".to_owned(),
        last: CardDigits::parse("6789").unwrap(),
        amount: naira(AMOUNT),
        narration: Narration::parse("Prize").unwrap(),
    })
}

fn international() -> Order {
    let cedi = DestinationCurrency::from_code("GHS").unwrap();
    Order::International(InternationalOrder {
        quoted_by: ProviderId::parse("sandbox").unwrap(),
        quote: ProviderQuoteId::parse("q-1").unwrap(),
        quote_ends: Timestamp::from_millis(i64::MAX),
        country: CountryCode::parse("288").unwrap(),
        source: naira(AMOUNT),
        destination: DestinationAmount::from_minor(AMOUNT, cedi).unwrap(),
        rate: ExchangeRate::parse("1").unwrap(),
        beneficiary: Beneficiary {
            name: BeneficiaryName::parse("Ama Mensah").unwrap(),
            account: BeneficiaryAccount::AtBank(
                Bic::parse("GCBLGHAC").unwrap(),
                ForeignAccountNumber::parse("1441000126789").unwrap(),
            ),
            address: PostalAddress::parse("12 High Street, Accra").unwrap(),
        },
        purpose: TransferPurpose::Goods,
    })
}

fn prepaid_bill() -> Order {
    let category = BillCategory::from_code("water").unwrap();
    Order::Bill(BillOrder {
        category,
        biller: BillerCode::parse("601").unwrap(),
        brandname: "Lagos Water".to_owned(),
        number: BillNumber::parse(category, "04123456789").unwrap(),
        fields: Vec::new(),
        customer_name: "A. CUSTOMER".to_owned(),
        billing: Billing::Prepaid,
        debt: naira(0),
        bill_reference: None,
        plan: None,
        has_token: true,
        amount: naira(AMOUNT),
        customer_phone: None,
    })
}

/// What the merchant buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    Airtime,
    CablePlan,
    PrepaidMeter,
    Bundle,
    Message,
    Whatsapp,
    Rcs,
    Call,
    FlowCall,
    Payout,
    Lookup,
    PrepaidBill,
    MobileMoney,
    Card,
    International,
    RecordLookup,
}

impl Product {
    pub(crate) const ALL: [Self; 16] = [
        Self::Airtime,
        Self::CablePlan,
        Self::PrepaidMeter,
        Self::Bundle,
        Self::Message,
        Self::Whatsapp,
        Self::Rcs,
        Self::Call,
        Self::FlowCall,
        Self::Payout,
        Self::Lookup,
        Self::PrepaidBill,
        Self::MobileMoney,
        Self::Card,
        Self::International,
        Self::RecordLookup,
    ];

    fn order(self) -> Order {
        match self {
            Self::Airtime => airtime(),
            Self::CablePlan => cable_plan(),
            Self::PrepaidMeter => prepaid_meter(),
            Self::Bundle => bundle(),
            Self::Message => message(),
            Self::Whatsapp => whatsapp(),
            Self::Rcs => rcs(),
            Self::Call => call(),
            Self::FlowCall => flow_call(),
            Self::Payout => payout(),
            Self::Lookup => lookups::hlr(),
            Self::PrepaidBill => prepaid_bill(),
            Self::MobileMoney => mobile_money(),
            Self::Card => card(),
            Self::International => international(),
            Self::RecordLookup => lookups::record(),
        }
    }
}

fn priced(order: &Order) -> Quote {
    let amount = order.amount();
    let sum = |minor| Money::from_minor(minor, amount.currency());
    if matches!(
        order,
        Order::Bank(_) | Order::MobileMoney(_) | Order::Card(_) | Order::International(_)
    ) {
        let charges = Charges {
            charge: sum(1_000),
            vat: sum(75),
            levy: sum(5_000),
        };
        return quote_payout(amount, &charges, "sample".to_owned()).unwrap();
    }
    let terms = Terms {
        commission: Percent::parse("3").unwrap(),
        discount: Percent::parse("4").unwrap(),
        fee: sum(1_000),
    };
    let rule = "sample".to_owned();
    let units = order.units();
    if units > 1 {
        let unit = sum(amount.minor() / i64::from(units));
        return quote_units(&UnitTerms { unit, terms }, units, rule).unwrap();
    }
    quote(amount, &terms, rule).unwrap()
}

pub(crate) fn draft(product: Product) -> Draft {
    let order = product.order();
    let name = (account(), MerchantReference::parse("order-1").unwrap());
    Draft {
        number: TransactionNumber::try_new(1).unwrap(),
        prepared: PreparedAttempt::derived(provider(), (&name.0, &name.1), AttemptNumber::FIRST),
        route: None,
        account: name.0,
        reference: name.1,
        idempotency: None,
        quote: priced(&order),
        order,
    }
}

fn provider() -> ProviderId {
    ProviderId::parse("sandbox").unwrap()
}

/// The second attempt, at the provider of the first.
pub(crate) fn next(tx: &Transaction) -> PreparedAttempt {
    next_at(tx, provider())
}

/// The second attempt, at some provider; of what is queued the first.
pub(crate) fn next_at(tx: &Transaction, provider: ProviderId) -> PreparedAttempt {
    let next = match tx.attempt() {
        Some(_) => AttemptNumber::try_new(2).unwrap(),
        None => AttemptNumber::FIRST,
    };
    PreparedAttempt::derived(provider, (&tx.account, &tx.reference), next)
}

/// News judged by a profile, where a second attempt is prepared or not.
pub(crate) fn applied(
    tx: &Transaction,
    observation: &Observation,
    (now, profile): (Timestamp, &AbsencePolicy),
    next: Option<&PreparedAttempt>,
) -> Transition {
    let context = ApplyContext {
        next,
        ..ApplyContext::new(now, profile)
    };
    tx.clone().apply(observation, context)
}

fn vend(token: Option<Token>) -> Fulfilment {
    Fulfilment::Electricity(Vend {
        receipt: "R1".to_owned(),
        debt: Some(naira(0)),
        outstanding: Some(naira(0)),
        last_purchase: None,
        last_paid: None,
        token,
    })
}

fn token() -> Token {
    Token {
        number: TokenNumber::parse("12345678901234567890").ok(),
        cost: Some(naira(93_023)),
        units: Some(Decimal::ONE),
    }
}

fn bill(order: &BillOrder, token: Option<Token>) -> BillReceipt {
    BillReceipt {
        category: order.category,
        receipt: "R1".to_owned(),
        outstanding: order.outstanding(),
        token: token.filter(|_| order.has_token),
    }
}

/// What completes the order of a transaction.
pub(crate) fn fulfilment(tx: &Transaction) -> Fulfilment {
    match &tx.order {
        Order::Airtime(_) => Fulfilment::Airtime,
        Order::CableTv(_) => Fulfilment::CableTv,
        Order::Electricity(_) => vend(Some(token())),
        Order::Internet(_) => Fulfilment::Internet,
        Order::Sms(order) => Fulfilment::Sms(Dispatch::new(order.segments.parts)),
        Order::Whatsapp(_) => Fulfilment::Whatsapp(MessageDelivery::SUBMITTED),
        Order::Rcs(_) => Fulfilment::Rcs(RcsDelivery::SUBMITTED),
        Order::Voice(_) => Fulfilment::Voice(Call {
            seconds: Some(61),
            ..Call::UNDER_WAY
        }),
        Order::Ivr(_) => Fulfilment::Ivr(FlowRun {
            call: Call {
                seconds: Some(61),
                ..Call::UNDER_WAY
            },
            ..FlowRun::UNDER_WAY
        }),
        Order::Bank(_) => Fulfilment::Bank,
        Order::MobileMoney(_) => Fulfilment::MobileMoney,
        Order::Card(_) => Fulfilment::Card,
        Order::International(order) => {
            let credited = order.destination;
            Fulfilment::International(Remittance { credited })
        }
        Order::Hlr(_) => Fulfilment::Hlr(lookups::report()),
        Order::Wallet(_) | Order::User(_) => panic!("no provider delivers it"),
        Order::Bill(order) => Fulfilment::Bill(bill(order, Some(token()))),
        Order::Lookup(order) => Fulfilment::Lookup(lookups::findings(order.category)),
    }
}

/// A receipt with the statuses of the parts of a message; for any other order the receipt that is
/// exactly right.
pub(crate) fn reported(
    tx: &Transaction,
    attempt: AttemptNumber,
    parts: &[DeliveryStatus],
) -> Receipt {
    let right = receipt(tx, attempt);
    if !matches!(right.fulfilment, Fulfilment::Sms(_)) {
        return right;
    }
    Receipt {
        fulfilment: Fulfilment::Sms(Dispatch::try_from_parts(parts.to_vec()).unwrap()),
        ..right
    }
}

/// The receipt that is exactly right.
pub(crate) fn receipt(tx: &Transaction, attempt: AttemptNumber) -> Receipt {
    Receipt {
        reference: tx.provider_reference(attempt),
        amount: tx.order.amount(),
        fulfilment: fulfilment(tx),
    }
}

/// A receipt over another amount.
pub(crate) fn other_amount(tx: &Transaction, attempt: AttemptNumber) -> Receipt {
    Receipt {
        amount: Money::from_minor(AMOUNT / 2, tx.order.amount().currency()),
        ..receipt(tx, attempt)
    }
}

/// A receipt for a payment that the biller has accepted without issuing the token yet. A message
/// has no token; its receipt has another number of parts. Any other order has no vend.
pub(crate) fn without_token(tx: &Transaction, attempt: AttemptNumber) -> Receipt {
    let fulfilment = match &tx.order {
        Order::Sms(order) => Fulfilment::Sms(Dispatch::new(order.segments.parts + 1)),
        Order::Bill(order) => Fulfilment::Bill(bill(order, None)),
        Order::Voice(_) => Fulfilment::Voice(Call::UNDER_WAY),
        Order::Ivr(_) => Fulfilment::Ivr(FlowRun::UNDER_WAY),
        Order::Airtime(_)
        | Order::CableTv(_)
        | Order::Electricity(_)
        | Order::Internet(_)
        | Order::Whatsapp(_)
        | Order::Rcs(_)
        | Order::Bank(_)
        | Order::MobileMoney(_)
        | Order::Card(_)
        | Order::International(_)
        | Order::Wallet(_)
        | Order::User(_)
        | Order::Hlr(_)
        | Order::Lookup(_) => vend(None),
    };
    Receipt {
        fulfilment,
        ..receipt(tx, attempt)
    }
}

pub(crate) fn refusal() -> Refusal {
    Refusal {
        kind: RefusalKind::Order,
        code: "51".to_owned(),
        reason: "refused".to_owned(),
    }
}

pub(crate) fn ruling(verdict: Verdict) -> Ruling {
    Ruling {
        verdict,
        by: "ada".to_owned(),
        confirmed_by: Some("bayo".to_owned()),
        evidence: "the provider's settlement file".to_owned(),
    }
}
