//! The attributes of requests: their names, the JSON types they take and the service codes they
//! concern. It must not know how their values are read.

use crate::service_code::ServiceCode;

/// One attribute of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    pub name: &'static str,
    pub accepts: Accepts,
    /// The service code of an error about it.
    pub service: Option<ServiceCode>,
}

/// The JSON types an attribute takes. Filters of a query are always texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepts {
    Text,
    /// A text too, because a number literal cannot carry leading zeros or grouping.
    NumberOrText,
    /// An array of texts, or all of them as one text separated by commas, as in a query.
    TextsOrText,
    /// `true` or `false`, or the same as a text.
    TruthOrText,
    /// An array of objects, each with attributes of its own.
    Objects,
    /// One object with attributes of its own.
    Object,
}

pub const REFERENCE: Attribute = Attribute::text("mrcReference");
pub const BILLING: Attribute = Attribute::text("billing");
pub const RETRIEVE: Attribute = Attribute::text("retrieve");
pub const COUNTRY: Attribute = Attribute::number("countryCode").about(ServiceCode::Country);
pub const PHONE: Attribute = Attribute::number("number").about(ServiceCode::PhoneNumber);
pub const CUSTOMER_PHONE: Attribute =
    Attribute::number("customerNumber").about(ServiceCode::PhoneNumber);
pub const NETWORK: Attribute = Attribute::text("network").about(ServiceCode::ServiceProvider);
pub const METER: Attribute = Attribute::number("number").about(ServiceCode::MeterNumber);
pub const AMOUNT: Attribute = Attribute::number("amount").about(ServiceCode::Amount);
pub const DISCO: Attribute = Attribute::number("disco").about(ServiceCode::ServiceProvider);
pub const PROVIDER: Attribute = Attribute::number("provider").about(ServiceCode::ServiceProvider);
pub const PROVIDER_IDENTIFIER: Attribute =
    Attribute::number("identifier").about(ServiceCode::ServiceProvider);
pub const PLAN: Attribute = Attribute::number("identifier").about(ServiceCode::SubscriptionPlan);
pub const SMARTCARD: Attribute = Attribute::number("number").about(ServiceCode::SmartcardNumber);
pub const SUBSCRIBE: Attribute = Attribute::text("subscribe");
pub const DURATION: Attribute = Attribute::number("duration");
pub const BILL_REFERENCE: Attribute = Attribute::text("billReference");
pub const BANK: Attribute = Attribute::text("bankIdentifier").about(ServiceCode::BankProvider);
pub const BANK_ACCOUNT: Attribute =
    Attribute::number("accountNumber").about(ServiceCode::BankAccount);
pub const CARD_TOKEN: Attribute = Attribute::text("crdToken").about(ServiceCode::PaymentChannel);
pub const WALLET_FROM: Attribute = Attribute::text("walFrom");
pub const WALLET_TO: Attribute = Attribute::text("walTo");
pub const TOP_UP_CHANNEL: Attribute =
    Attribute::text("txnChannel").about(ServiceCode::PaymentChannel);
pub const CURRENCY: Attribute = Attribute::text("currency");
pub const USER_IDENTITY: Attribute = Attribute::text("usrIdentity");
pub const TRANSFER_AMOUNT: Attribute = Attribute::number("txnAmount").about(ServiceCode::Amount);
pub const INVOICE: Attribute = Attribute::number("invIdentifier");
pub const INVOICE_DRAFT: Attribute = Attribute {
    accepts: Accepts::TruthOrText,
    ..Attribute::text("invDraft")
};
pub const VAT_RATE: Attribute = Attribute::number("vatRate");
pub const REFUNDED: Attribute = Attribute::text("mrcOriginal");
pub const REFUND_REASON: Attribute = Attribute::text("rfdReason");
pub const SUBSCRIBED_SERVICE: Attribute = Attribute::text("subService");
pub const SUBSCRIPTION_INTERVAL: Attribute = Attribute::text("subInterval");
pub const SUBSCRIPTION_START: Attribute = Attribute::text("subStart");
pub const SUBSCRIPTION_COUNT: Attribute = Attribute::number("subCount");
pub const SUBSCRIPTION_ON_FAILURE: Attribute = Attribute::text("subOnFailure");
pub const SUBSCRIPTION: Attribute = Attribute::number("subIdentifier");
pub const NARRATION: Attribute = Attribute::text("txnNarration");
pub const STAFF: Attribute = Attribute::text("staffIdentifier");
pub const PAY_PERIOD: Attribute = Attribute::text("payPeriod");
pub const PAY_DATE: Attribute = Attribute::text("payDate");
pub const PAY_GROSS: Attribute = Attribute::number("payGross").about(ServiceCode::Amount);
pub const PAY_NET: Attribute = Attribute::number("payNet").about(ServiceCode::Amount);
pub const DEDUCTIONS: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("deductions")
};
pub const DEDUCTION_TYPE: Attribute = Attribute::text("dedType");
pub const DEDUCTION_AMOUNT: Attribute = Attribute::number("dedAmount").about(ServiceCode::Amount);
pub const ON_FAILURE: Attribute = Attribute::text("batOnFailure");
pub const ITEMS: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("items")
};
pub const GROUP: Attribute = Attribute::number("grpIdentifier");
pub const TEMPLATE: Attribute = Attribute::number("tplIdentifier");
pub const FLOW: Attribute = Attribute::number("flwIdentifier");
pub const FLOW_NAME: Attribute = Attribute::text("flwName");
pub const STEPS: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("steps")
};
pub const STEP_NAME: Attribute = Attribute::text("stpName");
pub const STEP_NEXT: Attribute = Attribute::text("stpNext");
pub const STEP_CHOICES: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("choices")
};
pub const CALL_KEY: Attribute = Attribute::text("digit");
pub const CALL_VARIABLES: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("variables")
};
pub const GROUP_NAME: Attribute = Attribute::text("grpName");
pub const MEMBERS: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("members")
};
pub const ACCOUNT_NAME: Attribute = Attribute::text("accountName");
/// A beneficiary abroad has letters in the number of an account.
pub const FOREIGN_ACCOUNT: Attribute =
    Attribute::text("accountNumber").about(ServiceCode::BankAccount);
pub const IBAN: Attribute = Attribute::text("iban").about(ServiceCode::BankAccount);
pub const BENEFICIARY_ADDRESS: Attribute = Attribute::text("address");
pub const PURPOSE: Attribute = Attribute::text("txnPurpose");
pub const SERVICE: Attribute = Attribute::text("service");
pub const OUTCOME: Attribute = Attribute::text("outcome");
pub const PARTS: Attribute = Attribute::number("parts");
pub const QUOTE: Attribute = Attribute::text("qteIdentifier");
pub const SOURCE_CURRENCY: Attribute = Attribute::text("srcCurrency");
pub const SOURCE_AMOUNT: Attribute = Attribute::number("srcAmount").about(ServiceCode::Amount);
pub const DESTINATION_CURRENCY: Attribute = Attribute::text("dstCurrency");
pub const DESTINATION_AMOUNT: Attribute = Attribute::number("dstAmount").about(ServiceCode::Amount);
pub const COLLECTION: Attribute = Attribute::number("colIdentifier");
pub const COLLECTION_AMOUNT: Attribute = Attribute::number("colAmount").about(ServiceCode::Amount);
pub const COLLECTION_EXPIRES: Attribute = Attribute::text("colExpires");
pub const CHECKOUT_CHANNELS: Attribute = Attribute {
    accepts: Accepts::TextsOrText,
    ..Attribute::text("chkChannels").about(ServiceCode::PaymentChannel)
};
pub const CHECKOUT_EXPIRES: Attribute = Attribute::text("chkExpires");
pub const BOOKING: Attribute = Attribute::number("bkgIdentifier");
pub const BOOKING_SERVICE: Attribute = Attribute::number("bkgService");
pub const BOOKING_NAME: Attribute = Attribute::text("bkgName");
pub const BOOKING_LOCATION: Attribute = Attribute::text("bkgLocation");
pub const BOOKING_ZONE: Attribute = Attribute::text("bkgTimezone");
pub const BOOKING_HOURS: Attribute = Attribute {
    accepts: Accepts::TextsOrText,
    ..Attribute::text("bkgHours")
};
pub const BOOKING_CLOSED: Attribute = Attribute {
    accepts: Accepts::TextsOrText,
    ..Attribute::text("bkgClosed")
};
pub const BOOKING_TEAM: Attribute = Attribute {
    accepts: Accepts::TextsOrText,
    ..Attribute::text("bkgTeam")
};
pub const BOOKING_MINUTES: Attribute = Attribute::number("bkgMinutes");
pub const BOOKING_STEP: Attribute = Attribute::number("bkgStep");
pub const BOOKING_BUFFER: Attribute = Attribute::number("bkgBuffer");
pub const BOOKING_NOTICE: Attribute = Attribute::number("bkgNotice");
pub const BOOKING_HORIZON: Attribute = Attribute::number("bkgHorizon");
pub const BOOKING_CAPACITY: Attribute = Attribute::number("bkgCapacity");
pub const BOOKING_HOLD: Attribute = Attribute::number("bkgHold");
pub const BOOKING_OFFERED: Attribute = Attribute {
    accepts: Accepts::TruthOrText,
    ..Attribute::text("bkgOffered")
};
pub const BOOKING_START: Attribute = Attribute::text("bkgStart");
pub const BOOKING_STAFF: Attribute = Attribute::text("bkgStaff");
pub const BOOKING_NOTE: Attribute = Attribute::text("bkgNote");
pub const BOOKING_REASON: Attribute = Attribute::text("bkgReason");
pub const REDIRECT_URL: Attribute = Attribute::text("redirectUrl");
pub const ITEM_NAME: Attribute = Attribute::text("name");
pub const PERSONAL_FIELDS: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("fields")
};
pub const FIELD_NAME: Attribute = Attribute::text("name");
pub const FIELD_VALUE: Attribute = Attribute::text("value");
pub const ITEM_QUANTITY: Attribute = Attribute::number("quantity");
pub const COLLECTION_PURPOSE: Attribute = Attribute::text("colPurpose");
pub const COLLECTION_SINGLE: Attribute = Attribute {
    accepts: Accepts::TruthOrText,
    ..Attribute::text("colSingle")
};
pub const COLLECTION_PARTIAL: Attribute = Attribute {
    accepts: Accepts::TruthOrText,
    ..Attribute::text("colPartial")
};
pub const CUSTOMER_NAME: Attribute = Attribute::text("customerName");
pub const CUSTOMER_EMAIL: Attribute = Attribute::text("customerEmail");
pub const CUSTOMER_TELEPHONE: Attribute =
    Attribute::number("customerPhone").about(ServiceCode::PhoneNumber);
pub const KYC_TYPE: Attribute = Attribute::text("kycType");
pub const KYC_NUMBER: Attribute = Attribute::number("kycNumber");
pub const DUE_DATE: Attribute = Attribute::text("dueDate");
pub const PAYER_NAME: Attribute = Attribute::text("payerName");
pub const PAYER_BANK: Attribute = Attribute::text("payerBank");
pub const PAYER_ACCOUNT: Attribute = Attribute::number("payerAccount");
pub const VOUCHER_TYPE: Attribute = Attribute::text("vchType");
pub const VOUCHER_COUNT: Attribute = Attribute::number("vchCount");
pub const VOUCHER_AMOUNT: Attribute = Attribute::number("vchAmount").about(ServiceCode::Amount);
pub const VOUCHER_PERCENT: Attribute = Attribute::number("vchPercent");
pub const VOUCHER_USES: Attribute = Attribute::number("vchUses");
pub const VOUCHER_EXPIRY: Attribute = Attribute::text("vchExpiry");
pub const VOUCHER_SERVICES: Attribute = Attribute {
    accepts: Accepts::TextsOrText,
    ..Attribute::text("vchServices")
};
pub const VOUCHER_MINIMUM: Attribute = Attribute::number("vchMinimum").about(ServiceCode::Amount);
pub const VOUCHER_MAXIMUM: Attribute = Attribute::number("vchMaximum").about(ServiceCode::Amount);
pub const VOUCHER_PREFIX: Attribute = Attribute::text("vchPrefix");
pub const VOUCHER_CODE: Attribute = Attribute::text("vchCode");
pub const VOUCHER: Attribute = Attribute::text("vchIdentifier");
pub const TARGET: Attribute = Attribute::text("mrcTarget");
pub const ORIGINAL: Attribute = Attribute::text("mrcOriginal");
pub const OVERLAP_HOURS: Attribute = Attribute::number("overlapHours");
pub const ALLOWED: Attribute = Attribute::text("alwIdentifier");
pub const ALLOWED_NETWORK: Attribute = Attribute::text("alwNetwork");
pub const ALLOWED_NOTE: Attribute = Attribute::text("alwNote");
pub const AUDIT_ACTION: Attribute = Attribute::text("audAction");
pub const SCOPE: Attribute = Attribute::text("scope");
pub const LOG_STATUS: Attribute = Attribute::text("logStatus");
pub const REQUEST_ID: Attribute = Attribute::text("requestId");
pub const REASON: Attribute = Attribute::text("reason");
pub const VERSION: Attribute = Attribute::number("version");
/// The header, so that errors can name it.
pub const IF_MATCH: Attribute = Attribute::text("If-Match");
pub const FORMAT: Attribute = Attribute::text("format");
pub const SENDER: Attribute = Attribute::number("sender").about(ServiceCode::SenderId);
pub const MESSAGE_TYPE: Attribute = Attribute::text("type");
pub const MESSAGE: Attribute = Attribute::text("message");
pub const CONTENT: Attribute = Attribute::text("content");
pub const TEMPLATE_NAME: Attribute = Attribute::text("tplName");
pub const TEMPLATE_LANGUAGE: Attribute = Attribute::text("tplLanguage");
pub const TEMPLATE_PARAMETERS: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("tplParameters")
};
pub const MESSAGE_CHANNEL: Attribute = Attribute::text("channel");
pub const MEDIA_URL: Attribute = Attribute::text("mediaUrl");
pub const AUDIO_URL: Attribute = Attribute::text("audioUrl");
pub const SPEAKER: Attribute = Attribute::text("voice");
pub const LANGUAGE: Attribute = Attribute::text("language");
pub const CALL_MINUTES: Attribute = Attribute::number("callMinutes");
pub const CALL_REPEAT: Attribute = Attribute::number("repeat");
pub const CALL_RETRIES: Attribute = Attribute::number("retries");
pub const CALL_WINDOW: Attribute = Attribute::number("window");
pub const CARD: Attribute = Attribute {
    accepts: Accepts::Object,
    ..Attribute::text("card")
};
pub const CARDS: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("cards")
};
pub const CARD_TITLE: Attribute = Attribute::text("title");
pub const CARD_DESCRIPTION: Attribute = Attribute::text("description");
pub const SUGGESTIONS: Attribute = Attribute {
    accepts: Accepts::Objects,
    ..Attribute::text("suggestions")
};
pub const SUGGESTION_TEXT: Attribute = Attribute::text("text");
pub const SUGGESTION_URL: Attribute = Attribute::text("url");
pub const SUGGESTION_DIAL: Attribute = Attribute::number("dial").about(ServiceCode::PhoneNumber);
pub const SUGGESTION_REPLY: Attribute = Attribute::text("reply");
pub const SMS_FALLBACK: Attribute = Attribute {
    accepts: Accepts::Object,
    ..Attribute::text("smsFallback")
};
pub const FALLBACK_AFTER: Attribute = Attribute::number("after");
pub const PHONE_B: Attribute = Attribute::number("phnNumber").about(ServiceCode::PhoneNumber);
pub const SENDER_B: Attribute = Attribute::number("msgSender").about(ServiceCode::SenderId);
pub const MESSAGE_TYPE_B: Attribute = Attribute::text("msgType");
pub const MESSAGE_B: Attribute = Attribute::text("msgContent");
pub const IP_ADDRESS: Attribute = Attribute::text("ipAddress").about(ServiceCode::IpAddress);
pub const LOOKUP_CODE: Attribute = Attribute::text("lkpCode").about(ServiceCode::ServiceProvider);
pub const LOOKUP_PARAMETERS: Attribute = Attribute::text("parameters");
pub const CONSENT: Attribute = Attribute::text("cnsReference");
pub const MAX_AGE: Attribute = Attribute::number("maxAge");
pub const WIFI: Attribute = Attribute::text("wifi");
pub const CELLS: Attribute = Attribute::text("cells");
pub const CIRCLE_LATITUDE: Attribute = Attribute::number("locationLatitude");
pub const CIRCLE_LONGITUDE: Attribute = Attribute::number("locationLongitude");
pub const CIRCLE_RADIUS: Attribute = Attribute::number("radius");
pub const OFFSET: Attribute = Attribute::number("offset");
pub const LENGTH: Attribute = Attribute::number("length");
pub const ORDER_BY: Attribute = Attribute::text("orderby");
pub const SORT: Attribute = Attribute::text("sort");
pub const TRANSACTION_STATUS: Attribute = Attribute::text("txnStatus");
pub const STATEMENT_TYPE: Attribute = Attribute::text("stmType");
pub const STATEMENT_CURRENCY: Attribute = Attribute::text("stmCurrency");
pub const CASE_KIND: Attribute = Attribute::text("caseKind");
pub const CASE: Attribute = Attribute::text("caseIdentifier");
pub const APPROVAL_STATUS: Attribute = Attribute::text("aprStatus");
pub const PROVIDER_NAME: Attribute = Attribute::text("prvIdentifier");
pub const PROVIDER_ENABLED: Attribute = Attribute {
    accepts: Accepts::TruthOrText,
    ..Attribute::text("prvEnabled")
};
pub const MAINTENANCE_STATUS: Attribute = Attribute::text("mntStatus");
pub const BILLER: Attribute = Attribute::text("biller");
pub const UNTIL: Attribute = Attribute::text("until");
/// The part of a path that names a product.
pub const CATEGORY: Attribute = Attribute::text("category");
pub const FROM: Attribute = Attribute::text("from");
pub const TO: Attribute = Attribute::text("to");
/// The phone, meter, card or account that something was bought for, of whatever product.
pub const ANY_NUMBER: Attribute = Attribute::number("number");
pub const REPORT_RUN: Attribute = Attribute::number("repIdentifier");
/// By what the rows of a report are grouped.
pub const GROUP_BY: Attribute = Attribute::text("groupby");
pub const KEY: Attribute = Attribute::text("keyIdentifier");
pub const KEY_NAME: Attribute = Attribute::text("keyName");
pub const KEY_SCOPES: Attribute = Attribute {
    accepts: Accepts::TextsOrText,
    ..Attribute::text("keyScopes")
};
pub const KEY_ALLOWLIST: Attribute = Attribute {
    accepts: Accepts::TextsOrText,
    ..Attribute::text("keyAllowlist")
};
pub const KEY_EXPIRES: Attribute = Attribute::text("keyExpires");
pub const KEY_SIGNED: Attribute = Attribute {
    accepts: Accepts::TruthOrText,
    ..Attribute::text("keySigned")
};
pub const USER: Attribute = Attribute::number("usrIdentifier");
pub const USER_EMAIL: Attribute = Attribute::text("usrEmail").about(ServiceCode::EmailAddress);
pub const USER_NAME: Attribute = Attribute::text("usrName");
pub const USER_ROLE: Attribute = Attribute::text("usrRole");
pub const LIMIT_SERVICE: Attribute = Attribute::text("lmtService");
pub const LIMIT_PER_TRANSACTION: Attribute =
    Attribute::number("lmtPerTransaction").about(ServiceCode::Amount);
pub const LIMIT_PER_DAY: Attribute = Attribute::number("lmtPerDay").about(ServiceCode::Amount);
pub const LIMIT_APPROVAL_ABOVE: Attribute =
    Attribute::number("lmtApprovalAbove").about(ServiceCode::Amount);
pub const DECISION: Attribute = Attribute::text("decision");
pub const ACTIVATION_CODE: Attribute =
    Attribute::text("activationCode").about(ServiceCode::ActivationCode);
pub const ACCOUNT_CURRENCY: Attribute = Attribute::text("accCurrency");
/// The header, so that errors can name it.
pub const IDEMPOTENCY_KEY: Attribute = Attribute::text("Idempotency-Key");
pub const WEBHOOK: Attribute = Attribute::number("whkIdentifier");
pub const WEBHOOK_URL: Attribute = Attribute::text("whkUrl");
pub const WEBHOOK_EVENTS: Attribute = Attribute {
    accepts: Accepts::TextsOrText,
    ..Attribute::text("whkEvents")
};
pub const WEBHOOK_DESCRIPTION: Attribute = Attribute::text("whkDescription");
pub const WEBHOOK_TOKENS: Attribute = Attribute {
    accepts: Accepts::TruthOrText,
    ..Attribute::text("whkTokens")
};
pub const WEBHOOK_SECRET: Attribute = Attribute::text("whkSecret");
pub const WEBHOOK_BODY: Attribute = Attribute::text("whkBody");
/// Headers of a delivery, under their own names.
pub const WEBHOOK_ID: Attribute = Attribute::text("webhook-id");
pub const WEBHOOK_TIMESTAMP: Attribute = Attribute::text("webhook-timestamp");
pub const WEBHOOK_SIGNATURE: Attribute = Attribute::text("webhook-signature");
pub const EVENT: Attribute = Attribute::text("evtIdentifier");
pub const DELIVERY_STATUS: Attribute = Attribute::text("dlvStatus");
pub const REPLAY_FROM: Attribute = Attribute::text("whkFrom");
pub const REPLAY_UNTIL: Attribute = Attribute::text("whkUntil");

impl Attribute {
    const fn text(name: &'static str) -> Self {
        Self {
            name,
            accepts: Accepts::Text,
            service: None,
        }
    }

    const fn number(name: &'static str) -> Self {
        Self {
            name,
            accepts: Accepts::NumberOrText,
            service: None,
        }
    }

    const fn about(self, service: ServiceCode) -> Self {
        Self {
            service: Some(service),
            ..self
        }
    }
}
