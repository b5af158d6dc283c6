//! The categories of bills and their billers, as data. Identities never change and are never given
//! to another biller or plan. Prices are modelled on published ones and are not those of any day.

use super::definition::{
    BillNumberKind, BillerDefinition, CategoryDefinition, CategoryPaths, FieldDefinition,
    FieldShape, NumberDefinition, PlanDefinition, paths,
};
use super::payment_rule::AmountRule::{Any, AtLeast, AtMost, Exact};
use super::payment_rule::BillingOffer::{Both, Postpaid, Prepaid};

/// Every category, in the order it is shown.
pub(super) const ALL: &[CategoryDefinition] = &[LANDLINE, WATER, GAS, DTH];

const LANDLINE: CategoryDefinition = CategoryDefinition {
    code: "landline",
    paths: paths!("landline"),
    name: "Landline",
    about: "Pay the bill of a fixed line, or buy a plan for it.",
    number: NumberDefinition {
        kind: BillNumberKind::Phone,
        label: "Number of the line within its area",
        digits: (5, 8),
        example: "2345678",
    },
    fields: &[FieldDefinition {
        name: "areaCode",
        label: "Area code",
        shape: FieldShape::Digits(2, 3),
        required: true,
        example: "01",
    }],
    unit: None,
    billers: &[
        BillerDefinition {
            code: "501",
            brandname: "ntel",
            company: "Natcom Development and Investment Limited",
            address: "2 Kofo Abayomi Street, Victoria Island, Lagos",
            commission: "1.50",
            discount: "2.00",
            minimum: "200.00",
            maximum: "200,000.00",
            billing: Both,
            amount_rule: Any,
            unit_price: None,
            available: true,
            plans: &[
                plan("50101", "ntel Voice Weekly", 7, "1,000.00"),
                plan("50102", "ntel Voice Monthly", 30, "3,500.00"),
            ],
        },
        BillerDefinition {
            code: "502",
            brandname: "ipNX",
            company: "ipNX Nigeria Limited",
            address: "4 Balarabe Musa Crescent, Victoria Island, Lagos",
            commission: "1.20",
            discount: "1.50",
            minimum: "500.00",
            maximum: "500,000.00",
            billing: Postpaid,
            amount_rule: AtMost,
            unit_price: None,
            available: true,
            plans: &[],
        },
    ],
};

const WATER: CategoryDefinition = CategoryDefinition {
    code: "water",
    paths: paths!("water"),
    name: "Water",
    about: "Pay a water bill, or vend a token for a prepaid water meter.",
    number: NumberDefinition {
        kind: BillNumberKind::Meter,
        label: "Meter or customer number",
        digits: (6, 15),
        example: "04123456789",
    },
    fields: &[FieldDefinition {
        name: "propertyCode",
        label: "Property code of the bill",
        shape: FieldShape::Code(3, 12),
        required: false,
        example: "IKJ204",
    }],
    unit: Some("cubic metres"),
    billers: &[
        BillerDefinition {
            code: "601",
            brandname: "Lagos Water",
            company: "Lagos Water Corporation",
            address: "Water House, Ijora, Lagos",
            commission: "0.80",
            discount: "1.20",
            minimum: "500.00",
            maximum: "1,000,000.00",
            billing: Both,
            amount_rule: Any,
            unit_price: Some("320.00"),
            available: true,
            plans: &[],
        },
        BillerDefinition {
            code: "602",
            brandname: "FCT Water Board",
            company: "Federal Capital Territory Water Board",
            address: "Area 3, Garki, Abuja, FCT",
            commission: "0.60",
            discount: "1.00",
            minimum: "500.00",
            maximum: "2,000,000.00",
            billing: Postpaid,
            amount_rule: Exact,
            unit_price: None,
            available: true,
            plans: &[],
        },
        BillerDefinition {
            code: "603",
            brandname: "Kaduna Water",
            company: "Kaduna State Water Corporation",
            address: "Bida Road, Kaduna",
            commission: "0.60",
            discount: "0.90",
            minimum: "200.00",
            maximum: "500,000.00",
            billing: Postpaid,
            amount_rule: AtLeast,
            unit_price: None,
            available: false,
            plans: &[],
        },
    ],
};

const GAS: CategoryDefinition = CategoryDefinition {
    code: "gas",
    paths: paths!("gas"),
    name: "Gas",
    about: "Pay a gas bill, or vend a token for a prepaid gas meter.",
    number: NumberDefinition {
        kind: BillNumberKind::Meter,
        label: "Meter or customer number",
        digits: (8, 13),
        example: "3100456789",
    },
    fields: &[],
    unit: Some("standard cubic metres"),
    billers: &[
        BillerDefinition {
            code: "701",
            brandname: "Gaslink",
            company: "Gaslink Nigeria Limited",
            address: "Plot 1 Acme Road, Ogba, Lagos",
            commission: "0.70",
            discount: "1.00",
            minimum: "1,000.00",
            maximum: "5,000,000.00",
            billing: Prepaid,
            amount_rule: Any,
            unit_price: Some("455.00"),
            available: true,
            plans: &[],
        },
        BillerDefinition {
            code: "702",
            brandname: "Falcon Gas",
            company: "Falcon Corporation Limited",
            address: "Ikorodu Industrial Layout, Lagos",
            commission: "0.70",
            discount: "0.95",
            minimum: "1,000.00",
            maximum: "10,000,000.00",
            billing: Postpaid,
            amount_rule: AtMost,
            unit_price: None,
            available: true,
            plans: &[],
        },
    ],
};

const DTH: CategoryDefinition = CategoryDefinition {
    code: "dth",
    paths: paths!("dth"),
    name: "Direct-to-home television",
    about: "Buy a plan for a satellite receiver, or credit an amount to it.",
    number: NumberDefinition {
        kind: BillNumberKind::Smartcard,
        label: "Smartcard or receiver number",
        digits: (8, 15),
        example: "81234567890",
    },
    fields: &[],
    unit: None,
    billers: &[BillerDefinition {
        code: "801",
        brandname: "TSTV",
        company: "Telcom Satellites Limited",
        address: "TSTV Building, Kubwa Expressway, Abuja, FCT",
        commission: "1.50",
        discount: "2.00",
        minimum: "500.00",
        maximum: "150,000.00",
        billing: Prepaid,
        amount_rule: Any,
        unit_price: None,
        available: true,
        plans: &[
            plan("80101", "TSTV Sachet Weekly", 7, "900.00"),
            plan("80102", "TSTV Classic", 30, "3,000.00"),
            plan("80103", "TSTV Premium", 30, "5,500.00"),
        ],
    }],
};

const fn plan(
    code: &'static str,
    name: &'static str,
    days: u16,
    amount: &'static str,
) -> PlanDefinition {
    PlanDefinition {
        code,
        name,
        days,
        amount,
    }
}
