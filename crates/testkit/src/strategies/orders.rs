//! Random orders of every family, and what they are made of. Amounts must leave room to be added
//! up.

use super::{
    hlr_orders, international_orders, ivr_orders, lookup_orders, rcs_orders, voice_orders,
    whatsapp_orders,
};
use crate::builders::{bank_account, phone, plan_code, provider_code, serial};
use domain::account::{AccountIdentity, AccountName, EmailAddress};
use domain::airtime::AirtimeOrder;
use domain::bank::{AccountKind, BankAccount, Narration, PayoutOrder};
use domain::bill::{BillCategory, BillNumber, BillOrder, BoughtPlan};
use domain::billing::Billing;
use domain::cabletv::{CableOrder, SmartcardNumber, Subscription};
use domain::card::{CardDigits, CardOrder, CardToken};
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff};
use domain::internet::DataOrder;
use domain::labelled_value::LabelledValue;
use domain::mobile_money::MobileMoneyOrder;
use domain::money::{Currency, Money};
use domain::order::Order;
use domain::phone::PhoneNumber;
use domain::sms::{Content, FieldNaming, MessageKind, MessageOrder, Segments, SenderName};
use domain::time::Timestamp;
use domain::user::{Payee, Recipient, UserOrder};
use domain::wallet::{WalletOrder, WalletTransfer};
use proptest::prelude::*;
use rust_decimal::Decimal;

/// The largest random amount in minor units: ten million naira, so that hundreds of thousands of
/// them still add up within the largest amount.
const AMOUNT_MAX: i64 = 1_000_000_000;

/// An amount from one kobo to ten million naira.
pub fn money() -> impl Strategy<Value = Money> {
    (1..=AMOUNT_MAX).prop_map(|minor| Money::from_minor(minor, Currency::Ngn))
}

/// Words as people and companies write them, in any script, quotes and signs included.
pub fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z][A-Za-z '.,&-]{0,30}",
        "\\PC{0,24}",
        Just(String::new()),
        Just("Ọ̀ṣun'); DROP TABLE \"x\"; -- 🔌\t\n".to_owned()),
    ]
}

/// An order of any family. Each family is boxed: the values of all of them side by side are more
/// than the stack of a test's thread takes.
pub fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        10 => delivered_orders().boxed(),
        1 => wallet_orders().prop_map(Order::Wallet).boxed(),
        1 => user_orders().prop_map(Order::User).boxed(),
    ]
}

/// An order of any family that providers deliver.
pub fn delivered_orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        airtime_orders().prop_map(Order::Airtime).boxed(),
        cable_orders().prop_map(Order::CableTv).boxed(),
        electricity_orders().prop_map(Order::Electricity).boxed(),
        data_orders().prop_map(Order::Internet).boxed(),
        message_orders().prop_map(Order::Sms).boxed(),
        whatsapp_orders().prop_map(Order::Whatsapp).boxed(),
        rcs_orders().prop_map(Order::Rcs).boxed(),
        voice_orders().prop_map(Order::Voice).boxed(),
        ivr_orders().prop_map(Order::Ivr).boxed(),
        payout_orders().prop_map(Order::Bank).boxed(),
        hlr_orders().prop_map(Order::Hlr).boxed(),
        card_orders().prop_map(Order::Card).boxed(),
        international_orders()
            .prop_map(Order::International)
            .boxed(),
        mobile_money_orders().prop_map(Order::MobileMoney).boxed(),
        bill_orders().prop_map(Order::Bill).boxed(),
        lookup_orders().prop_map(Order::Lookup).boxed(),
    ]
}

/// A top-up.
pub fn airtime_orders() -> impl Strategy<Value = AirtimeOrder> {
    let network = ("[a-z0-9]{1,12}", words());
    (phones(), countries(), network, billing(), money()).prop_map(
        |(number, country, (network_code, network_brandname), billing, amount)| AirtimeOrder {
            number,
            country,
            network_code,
            network_brandname,
            billing,
            amount,
        },
    )
}

/// A meter payment.
pub fn electricity_orders() -> impl Strategy<Value = ElectricityOrder> {
    let customer = proptest::option::of(phones());
    (meters(), money(), customer).prop_map(|(meter, amount, customer_phone)| ElectricityOrder {
        meter,
        amount,
        customer_phone,
    })
}

/// A meter, leading zeros and what its company may not say included.
pub fn meters() -> impl Strategy<Value = Meter> {
    let identity = ("[0-9]{1,9}", words(), "[0-9]{6,15}", words(), words());
    let debt = proptest::option::of(0..=AMOUNT_MAX);
    let sums = (debt, 0..=AMOUNT_MAX, 0..=AMOUNT_MAX);
    let last = proptest::option::of((moments(), 0..=AMOUNT_MAX));
    let rate = proptest::option::of((1_i64..=1_000_000, 0_u32..=4));
    let tariff = ("[A-E]", rate);
    (identity, billing(), sums, last, tariff).prop_map(
        |((disco, brandname, number, owner, address), billing, sums, last, tariff)| Meter {
            disco: DiscoCode::parse(&disco).expect("a company"),
            brandname,
            number: MeterNumber::parse(&number).expect("a meter"),
            owner,
            address,
            billing,
            debt: sums.0.map(|debt| Money::from_minor(debt, Currency::Ngn)),
            minimum: Money::from_minor(sums.1, Currency::Ngn),
            maximum: Money::from_minor(sums.2, Currency::Ngn),
            last_purchase: last.map(|(at, _)| at),
            last_paid: last.map(|(_, paid)| Money::from_minor(paid, Currency::Ngn)),
            tariff: Tariff {
                band: tariff.0,
                rate: tariff.1.map(|(digits, scale)| Decimal::new(digits, scale)),
            },
        },
    )
}

/// A subscription or an amount credited to a card.
pub fn cable_orders() -> impl Strategy<Value = CableOrder> {
    let subscription = ("[0-9]{1,9}", words(), any::<u8>());
    let subscription = subscription.prop_map(|(plan, name, duration)| Subscription {
        plan: plan_code(&plan),
        name,
        duration,
    });
    let subscription = proptest::option::of(subscription);
    let provider = ("[0-9]{1,9}", words());
    let card = ("[0-9]{8,15}", words(), proptest::option::of(phones()));
    (provider, card, subscription, money()).prop_map(
        |((provider, brandname), (number, customer_name, phone), subscription, amount)| {
            CableOrder {
                provider: provider_code(&provider),
                brandname,
                number: SmartcardNumber::parse(&number).expect("a smartcard"),
                customer_name,
                subscription,
                amount,
                customer_phone: phone,
            }
        },
    )
}

/// A bill of any category, with or without fields, plan and token.
pub fn bill_orders() -> impl Strategy<Value = BillOrder> {
    let categories: Vec<_> = BillCategory::all().collect();
    let biller = (proptest::sample::select(categories), "[0-9]{1,9}", words());
    let field = (words(), words(), words());
    let field = field.prop_map(|(name, label, value)| LabelledValue { name, label, value });
    let fields = proptest::collection::vec(field, 0..3);
    let phone = proptest::option::of(phones());
    let customer = ("[0-9]{4,20}", fields, words(), billing(), phone);
    let plan = ("[0-9]{1,9}", words(), any::<u8>());
    let plan = plan.prop_map(|(code, name, duration)| BoughtPlan {
        code: plan_code(&code),
        name,
        duration,
    });
    let bought = (proptest::option::of(plan), any::<bool>(), money());
    let owed = (0..=AMOUNT_MAX, proptest::option::of(words()));
    (biller, customer, bought, owed).prop_map(
        |((category, biller, brandname), customer, (plan, has_token, amount), owed)| BillOrder {
            category,
            biller: provider_code(&biller),
            brandname,
            number: BillNumber::restore(&customer.0).expect("a number"),
            fields: customer.1,
            customer_name: customer.2,
            billing: customer.3,
            debt: Money::from_minor(owed.0, Currency::Ngn),
            bill_reference: owed.1,
            plan,
            has_token,
            amount,
            customer_phone: customer.4,
        },
    )
}

/// A data bundle.
pub fn data_orders() -> impl Strategy<Value = DataOrder> {
    let provider = ("[0-9]{1,9}", words());
    let plan = ("[0-9]{1,9}", words(), any::<u16>());
    (provider, plan, phones(), money()).prop_map(
        |((provider, brandname), (plan, name, validity_days), number, amount)| DataOrder {
            provider: provider_code(&provider),
            brandname,
            plan: plan_code(&plan),
            name,
            validity_days,
            number,
            amount,
        },
    )
}

/// A message of any type and script, paid for in money or credits.
pub fn message_orders() -> impl Strategy<Value = MessageOrder> {
    let text = prop_oneof![
        3 => "[A-Za-z0-9 .,!?'\"@\n]{1,60}",
        1 => "[a-z ^{}€]{150,700}",
        2 => "\\PC{1,60}",
    ];
    let kind = proptest::sample::select(&MessageKind::ALL[..]);
    let said = (kind, text).prop_filter_map("a message of few parts", |(kind, text)| {
        let content = Content::parse(&text).ok()?;
        let segments = Segments::of(kind, &content).ok()?;
        Some((kind, content, segments))
    });
    let sender = ("[1-9][0-9]{11}", "[A-Za-z][A-Za-z0-9]{2,10}");
    let variant = prop_oneof![Just(FieldNaming::A), Just(FieldNaming::B)];
    let addressed = (phones(), countries(), words());
    (addressed, sender, said, variant, sums()).prop_map(
        |((number, country, network), (sender, name), said, variant, amount)| {
            let (kind, content, segments) = said;
            MessageOrder {
                number,
                country,
                network,
                sender: serial(&sender),
                sender_name: SenderName::parse(&name).expect("a sender name"),
                kind,
                content,
                segments,
                variant,
                amount,
            }
        },
    )
}

/// A payout.
pub fn payout_orders() -> impl Strategy<Value = PayoutOrder> {
    let kind = proptest::sample::select(&AccountKind::ALL[..]);
    let account = ("[A-Z0-9]{11}", "[0-9]{10}", words(), kind);
    let narration = "[A-Za-z][A-Za-z0-9 '.,&/-]{0,99}";
    (account, words(), money(), narration).prop_map(
        |((bank, number, name, kind), bank_fullname, amount, narration)| PayoutOrder {
            account: BankAccount {
                name,
                kind,
                ..bank_account(&bank, &number)
            },
            bank_fullname,
            amount,
            narration: Narration::parse(&narration).expect("a narration"),
            salary: None,
        },
    )
}

/// A transfer to a mobile money wallet.
pub fn mobile_money_orders() -> impl Strategy<Value = MobileMoneyOrder> {
    let wallet = ("[0-9]{1,9}", phones(), words(), countries());
    let narration = "[A-Za-z][A-Za-z0-9 '.,&/-]{0,99}";
    (wallet, words(), money(), narration).prop_map(
        |((operator, number, account_name, country), brandname, amount, narration)| {
            MobileMoneyOrder {
                operator: provider_code(&operator),
                brandname,
                country,
                number,
                account_name,
                amount,
                narration: Narration::parse(&narration).expect("a narration"),
            }
        },
    )
}

/// A transfer to a card.
pub fn card_orders() -> impl Strategy<Value = CardOrder> {
    let card = ("tok_[a-z]{4,20}", "[0-9]{4}", words());
    let narration = "[A-Za-z][A-Za-z0-9 '.,&/-]{0,99}";
    (card, money(), narration).prop_map(|((token, last, brand), amount, narration)| CardOrder {
        token: CardToken::parse(&token).expect("a token"),
        brand,
        last: CardDigits::parse(&last).expect("four digits"),
        amount,
        narration: Narration::parse(&narration).expect("a narration"),
    })
}

/// An exchange of money for message credits.
pub fn wallet_orders() -> impl Strategy<Value = WalletOrder> {
    let narration = "[A-Za-z][A-Za-z0-9 '.,&/-]{0,99}";
    let unit = (1..=100_000_i64).prop_map(|minor| Money::from_minor(minor, Currency::Ngn));
    let exchanged = (money(), unit, narration);
    exchanged.prop_filter_map(
        "at least a part of a credit",
        |(amount, unit, narration)| {
            let transfer = WalletTransfer {
                reference: crate::builders::reference("order-1"),
                amount,
                narration: Narration::parse(&narration).expect("a narration"),
            };
            WalletOrder::priced(&transfer, unit)
        },
    )
}

/// A transfer to an account, or to an address that may be one's.
pub fn user_orders() -> impl Strategy<Value = UserOrder> {
    let narration = "[A-Za-z][A-Za-z0-9 '.,&/-]{0,99}";
    let name = "[A-Za-z][A-Za-z .&-]{0,60}";
    let ids = || "[A-Za-z0-9_-]{1,32}".prop_map(|it| crate::builders::account_id(&it));
    let identity = prop_oneof![
        ids().prop_map(AccountIdentity::Id),
        phones().prop_map(AccountIdentity::Phone),
        "[a-z]{1,9}@[a-z]{1,9}\\.example"
            .prop_map(|it| AccountIdentity::Email(EmailAddress::parse(&it).expect("an address"))),
    ];
    let named = |name: &str| AccountName::parse(name).expect("a name");
    let payee = (ids(), name).prop_map(move |(account, name)| {
        let name = named(&name);
        Recipient::Account(Payee { account, name })
    });
    let unclaimed = moments().prop_map(|until| Recipient::Unclaimed { until });
    let recipient = prop_oneof![payee, unclaimed];
    (identity, money(), narration, name, recipient).prop_map(
        move |(identity, amount, narration, from, recipient)| UserOrder {
            identity,
            amount,
            narration: Narration::parse(&narration).expect("a narration"),
            from: named(&from),
            recipient,
        },
    )
}

pub(super) fn phones() -> impl Strategy<Value = PhoneNumber> {
    "[1-9][0-9]{7,14}".prop_map(|digits| phone(&digits))
}

pub(super) fn countries() -> impl Strategy<Value = CountryCode> {
    (1_u16..=999).prop_map(|n| CountryCode::parse(&n.to_string()).expect("a country"))
}

/// An amount of money or of credits.
pub(super) fn sums() -> impl Strategy<Value = Money> {
    let currency = proptest::sample::select(&Currency::ALL[..]);
    (money(), currency).prop_map(|(sum, currency)| Money::from_minor(sum.minor(), currency))
}

fn billing() -> impl Strategy<Value = Billing> {
    prop_oneof![Just(Billing::Prepaid), Just(Billing::Postpaid)]
}

/// Moments from 1970 to 2100, to the millisecond.
pub(super) fn moments() -> impl Strategy<Value = Timestamp> {
    (0..4_102_444_800_000_i64).prop_map(Timestamp::from_millis)
}
