//! One purchase of every family, as plain as it can be. A value that a test is about must be said
//! by the test, not here.

use super::bill::bill;
use super::own_books::{user_transfer, wallet_transfer};
use super::purchase::PurchaseBuilder;
use super::{START, naira};
use domain::airtime::AirtimeOrder;
use domain::bank::charges::Charges;
use domain::bank::{
    AccountKind, AccountNumber, Bank, BankAccount, BankCode, BankIdentifier, BankKind, Narration,
    PayoutOrder, TransferCode,
};
use domain::billing::Billing;
use domain::cabletv::{
    CableBiller, CableOrder, CablePlan, Smartcard, SmartcardNumber, Subscription,
};
use domain::card::{CardDigits, CardOrder, CardToken, PaymentCard};
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff};
use domain::hlr::HlrOrder;
use domain::internet::{DataOperator, DataOrder, DataPlan};
use domain::mobile_money::{
    MobileMoneyOperator, MobileMoneyOrder, MobileWallet, MobileWalletStatus,
};
use domain::order::{Order, Service};
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::Terms;
use domain::sms::{
    Content, FieldNaming, MessageKind, MessageOrder, Segments, SenderName, SenderSerial,
};
use domain::subscription::{BillerCode, PlanCode};
use rust_decimal::Decimal;
use std::time::Duration;

/// MTN airtime worth 1,000.00 for 970.00, ordered by `shop` under `order-1` with number 1.
pub fn airtime() -> PurchaseBuilder {
    PurchaseBuilder::of_product(Order::Airtime(AirtimeOrder {
        number: phone("2348031234567"),
        country: CountryCode::NIGERIA,
        network_code: "mtn".into(),
        network_brandname: "MTN".into(),
        billing: Billing::Prepaid,
        amount: naira("1,000.00"),
    }))
}

/// Two months of `GOtv Jolli` worth 11,600.00, ordered like [`airtime`].
pub fn cabletv() -> PurchaseBuilder {
    PurchaseBuilder::of_product(Order::CableTv(CableOrder {
        provider: provider_code("2"),
        brandname: "GOtv".into(),
        number: SmartcardNumber::parse("0201234567").expect("a smartcard number"),
        customer_name: "Chinedu Obi".into(),
        subscription: Some(Subscription {
            plan: plan_code("204"),
            name: "GOtv Jolli".into(),
            duration: 2,
        }),
        amount: naira("11,600.00"),
        customer_phone: None,
    }))
}

/// 2,500.00 credited to a `GOtv` card, ordered like [`airtime`].
pub fn cabletv_topup() -> PurchaseBuilder {
    cabletv().worth("2,500.00").without_plan()
}

/// A prepaid vend of 5,000.00 at Ikeja Electric for 4,850.00, ordered like [`airtime`].
pub fn electricity() -> PurchaseBuilder {
    PurchaseBuilder::of_product(Order::Electricity(ElectricityOrder {
        meter: meter("04123456789"),
        amount: naira("5,000.00"),
        customer_phone: None,
    }))
}

/// `1.5GB 30 days` of MTN worth 1,200.00, ordered like [`airtime`].
pub fn internet() -> PurchaseBuilder {
    PurchaseBuilder::of_product(Order::Internet(DataOrder {
        provider: provider_code("1"),
        brandname: "MTN".into(),
        plan: plan_code("105"),
        name: "1.5GB 30 days".into(),
        validity_days: 30,
        number: phone("2348031234567"),
        amount: naira("1,200.00"),
    }))
}

/// A message of one part for 4.00 without commission or fee, ordered like [`airtime`].
pub fn sms() -> PurchaseBuilder {
    let content = Content::parse("Your code is 4711.").expect("a content");
    let kind = MessageKind::Text;
    let order = MessageOrder {
        number: phone("2348031234567"),
        country: CountryCode::NIGERIA,
        network: "MTN".into(),
        sender: serial("100000000001"),
        sender_name: SenderName::parse("CornerShop").expect("a sender name"),
        kind,
        segments: Segments::of(kind, &content).expect("a message of few parts"),
        content,
        variant: FieldNaming::A,
        amount: naira("4.00"),
    };
    PurchaseBuilder::of_product(Order::Sms(order)).terms("0", "10", "0.00")
}

/// A payout of 20,000.00 with 25.00 charge, 1.88 VAT on it and 50.00 levy, ordered like
/// [`airtime`].
pub fn payout() -> PurchaseBuilder {
    let account = bank_account("00000000058", "0123456789");
    let order = PayoutOrder {
        account,
        bank_fullname: "Guaranty Trust Bank".into(),
        amount: naira("20,000.00"),
        narration: Narration::parse("Rent of June").expect("a narration"),
        salary: None,
    };
    PurchaseBuilder::of_product(Order::Bank(order)).charged(Charges {
        charge: naira("25.00"),
        vat: naira("1.88"),
        levy: naira("50.00"),
    })
}

/// A transfer of 20,000.00 to a mobile money wallet, charged as [`payout`] and ordered like
/// [`airtime`].
pub fn mobile_money() -> PurchaseBuilder {
    let wallet = mobile_wallet("901", "2348031234567");
    let order = MobileMoneyOrder {
        operator: wallet.operator,
        brandname: "MoMo PSB".into(),
        country: CountryCode::NIGERIA,
        number: wallet.number,
        account_name: wallet.name,
        amount: naira("20,000.00"),
        narration: Narration::parse("Rent of June").expect("a narration"),
    };
    PurchaseBuilder::of_product(Order::MobileMoney(order)).charged(Charges {
        charge: naira("25.00"),
        vat: naira("1.88"),
        levy: naira("50.00"),
    })
}

/// A transfer of 20,000.00 to a card, charged as [`payout`] and ordered like [`airtime`].
pub fn card_transfer() -> PurchaseBuilder {
    let card = payment_card("tok_visa_6789");
    let order = CardOrder {
        token: card.token,
        brand: card.brand,
        last: card.last,
        amount: naira("20,000.00"),
        narration: Narration::parse("Rent of June").expect("a narration"),
    };
    PurchaseBuilder::of_product(Order::Card(order)).charged(Charges {
        charge: naira("25.00"),
        vat: naira("1.88"),
        levy: naira("50.00"),
    })
}

/// A lookup for 5.00 without commission or fee, ordered like [`airtime`].
pub fn hlr() -> PurchaseBuilder {
    let order = HlrOrder {
        number: phone("2348031234567"),
        country: CountryCode::NIGERIA,
        network_origin: Some("MTN".into()),
        amount: naira("5.00"),
    };
    PurchaseBuilder::of_product(Order::Hlr(order)).terms("0", "10", "0.00")
}

/// A purchase of a family.
pub fn purchase_of(service: Service) -> PurchaseBuilder {
    match service {
        Service::Airtime => airtime(),
        Service::CableTv => cabletv(),
        Service::Electricity => electricity(),
        Service::Internet => internet(),
        Service::Sms => sms(),
        Service::Whatsapp => super::whatsapp(),
        Service::Rcs => super::rcs(),
        Service::Voice => super::voice_call(),
        Service::Ivr => super::flow_call(),
        Service::Bank => payout(),
        Service::Hlr => hlr(),
        Service::MobileMoney => mobile_money(),
        Service::Card => card_transfer(),
        Service::International => super::international(),
        Service::Wallet => wallet_transfer(),
        Service::User => user_transfer(),
        Service::Bill(category) => bill(category),
        Service::Lookup(category) => super::paid_lookup(category),
    }
}

/// A prepaid meter of Ikeja Electric on band A.
pub fn meter(number: &str) -> Meter {
    Meter {
        disco: DiscoCode::parse("101").expect("a company identity"),
        brandname: "Ikeja Electric".into(),
        number: MeterNumber::parse(number).expect("a meter number"),
        owner: "Adaeze Okonkwo".into(),
        address: "14 Bode Thomas Street, Surulere, Lagos".into(),
        billing: Billing::Prepaid,
        debt: Some(naira("1,250.50")),
        minimum: naira("500.00"),
        maximum: naira("500,000.00"),
        last_purchase: Some(START.minus(Duration::from_hours(24 * 30))),
        last_paid: Some(naira("3,000.00")),
        tariff: Tariff {
            band: "A".into(),
            rate: Some(Decimal::new(20_950, 2)),
        },
    }
}

/// A `GOtv` card with ten days of `GOtv Jolli` left.
pub fn smartcard(number: &str) -> Smartcard {
    Smartcard {
        provider: provider_code("2"),
        brandname: "GOtv".into(),
        number: SmartcardNumber::parse(number).expect("a smartcard number"),
        customer_type: Some("SUD".into()),
        customer_name: "Chinedu Obi".into(),
        customer_address: Some("3 Zik Avenue, Enugu".into()),
        customer_number: Some(phone("2348035550001")),
        plan: Some(CablePlan {
            code: plan_code("204"),
            name: "GOtv Jolli".into(),
            validity_days: 30,
            amount: naira("5,800.00"),
        }),
        due_at: Some(START.plus(Duration::from_hours(24 * 10))),
        status: "Open".into(),
        balance: naira("0.00"),
    }
}

/// The savings account of a person at a bank.
pub fn bank_account(bank: &str, number: &str) -> BankAccount {
    BankAccount {
        bank: BankIdentifier::parse(bank).expect("a bank's identifier"),
        number: AccountNumber::parse(number).expect("an account number"),
        name: "FUNMILAYO ADEYEMI".into(),
        kind: AccountKind::Savings,
    }
}

/// The wallet of a person at a mobile money operator.
pub fn mobile_wallet(operator: &str, number: &str) -> MobileWallet {
    MobileWallet {
        operator: provider_code(operator),
        number: phone(number),
        name: "FUNMILAYO ADEYEMI".into(),
        status: MobileWalletStatus::Available,
    }
}

/// The Visa card that a token stands for; its last digits are those the token ends in.
pub fn payment_card(token: &str) -> PaymentCard {
    let last = token.get(token.len().saturating_sub(4)..);
    PaymentCard {
        token: CardToken::parse(token).expect("a token"),
        brand: "Visa".into(),
        last: last.and_then(CardDigits::parse).expect("four digits"),
    }
}

/// A mobile money operator of Nigeria whose transfers are of 100.00 to 5,000,000.00.
pub fn mobile_money_operator(code: &str, brandname: &str) -> MobileMoneyOperator {
    MobileMoneyOperator {
        code: provider_code(code),
        country: CountryCode::NIGERIA,
        brandname: brandname.into(),
        company: format!("{brandname} Limited"),
        minimum: naira("100.00"),
        maximum: naira("5,000,000.00"),
        available: true,
    }
}

/// A commercial bank of Nigeria with every code, whose brand name is `shortname`.
pub fn bank(identifier: &str, shortname: &str) -> Bank {
    Bank {
        identifier: BankIdentifier::parse(identifier).expect("a bank's identifier"),
        country: CountryCode::NIGERIA,
        kind: BankKind::Commercial,
        shortname: shortname.into(),
        fullname: format!("{shortname} Plc"),
        code: Some(BankCode::parse("058").expect("3 digits")),
        transfer_code: Some(TransferCode::parse("000013").expect("6 digits")),
        ussd: Some("*737#".into()),
    }
}

/// A cable TV provider at 2.25 % that sells nothing yet.
pub fn cable_provider(code: &str, brandname: &str) -> CableBiller {
    CableBiller {
        code: provider_code(code),
        country: CountryCode::NIGERIA,
        brandname: brandname.into(),
        company: format!("{brandname} Limited"),
        address: "1 Tiamiyu Savage Street, Lagos".into(),
        terms: commission("2.25"),
        minimum: naira("500.00"),
        maximum: naira("50,000.00"),
        available: true,
        plans: Vec::new(),
    }
}

/// Thirty days of cable TV.
pub fn cable_plan(code: &str, name: &str, amount: &str) -> CablePlan {
    CablePlan {
        code: plan_code(code),
        name: name.into(),
        validity_days: 30,
        amount: naira(amount),
    }
}

/// A provider of internet data at 3.125 % that sells nothing yet.
pub fn data_provider(code: &str, brandname: &str) -> DataOperator {
    DataOperator {
        code: provider_code(code),
        country: CountryCode::NIGERIA,
        brandname: brandname.into(),
        company: format!("{brandname} Communications"),
        address: "4 Aromire Road, Lagos".into(),
        terms: commission("3.125"),
        available: true,
        plans: Vec::new(),
    }
}

/// A plan of internet data that can be bought, for so many days.
pub fn data_plan(code: &str, (name, validity_days): (&str, u16), amount: &str) -> DataPlan {
    DataPlan {
        code: plan_code(code),
        name: name.into(),
        validity_days,
        amount: naira(amount),
        available: true,
    }
}

fn commission(percent: &str) -> Terms {
    Terms {
        commission: Percent::parse(percent).expect("a percentage"),
        discount: Percent::ZERO,
        fee: naira("0.00"),
    }
}

/// A telephone number.
pub fn phone(digits: &str) -> PhoneNumber {
    PhoneNumber::parse(digits).expect("a telephone number")
}

/// The identity of a provider of plans.
pub fn provider_code(digits: &str) -> BillerCode {
    BillerCode::parse(digits).expect("a provider's identity")
}

/// The identity of a plan.
pub fn plan_code(digits: &str) -> PlanCode {
    PlanCode::parse(digits).expect("a plan's identity")
}

/// The serial number of a sender.
pub fn serial(digits: &str) -> SenderSerial {
    SenderSerial::parse(digits).expect("12 digits")
}
