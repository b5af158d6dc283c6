//! One request to one operation and what it gets, as data. It must say everything by itself: no
//! case may depend on another but for a report, which needs the purchase it reports.

use http_server::Verb;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName};
use reqwest::{Method, RequestBuilder};
use tests::bookings::{APPOINTMENT, BOOKABLE};
use tests::merchant::{
    ALLOWED, CODE, COLLECTION, EMAIL, ENDPOINT, FLOW_NUMBER, GROUP, INVOICE, KEY, KEY_NAME,
    REDEEMED, REPORT_RUN, TEMPLATE, TestMerchant, USER, VOUCHER, VOUCHER_CODE, WAITING, fresh,
};

/// The reference every bad order carries: were one of them stored, the next would meet it.
pub(crate) const BAD: &str = "bad";

/// An operation by its verb and path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Route(pub(crate) Verb, pub(crate) &'static str);

/// What a request carries.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    /// The query of a GET, without its question mark.
    Query(String),
    /// The JSON of a POST, in which the sender of the merchant takes its place.
    Body(String),
}

/// One request and what it gets.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) route: Route,
    /// What is shown, in the words of a rule.
    pub(crate) rule: String,
    pub(crate) input: Input,
    /// What stands in its path for the part in braces.
    pub(crate) path_word: &'static str,
    /// A header beside those every request has.
    pub(crate) header: Option<(HeaderName, &'static str)>,
    pub(crate) expect: Expect,
}

/// What a request gets.
#[derive(Debug, Clone)]
pub(crate) enum Expect {
    /// This answer, as a template of its bytes.
    Answer(u16, String),
    /// An error that names exactly these attributes, in this order.
    Params(u16, Option<(u16, &'static str)>, Vec<&'static str>),
    /// An error about the request itself.
    Request(u16),
    /// An error that is not the merchant's.
    System(u16, (u16, &'static str)),
    /// 401 without credentials that open an account.
    Credentials,
    /// The same answer, credentials or not.
    Anyone,
}

/// What a case shows of its operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shows {
    Authentication,
    Error,
    Contract,
}

impl Case {
    pub(crate) fn new(route: Route, rule: impl Into<String>, input: Input, expect: Expect) -> Self {
        Self {
            route,
            rule: rule.into(),
            input,
            path_word: "",
            header: None,
            expect,
        }
    }

    /// The case with a word in its path.
    pub(crate) fn at_word(self, path_word: &'static str) -> Self {
        Self { path_word, ..self }
    }

    /// The case with one more header.
    pub(crate) fn with_header(self, name: HeaderName, value: &'static str) -> Self {
        Self {
            header: Some((name, value)),
            ..self
        }
    }

    /// Whether it is about an endpoint, which has to be made first.
    pub(crate) fn needs_endpoint(&self) -> bool {
        self.at_endpoint("").input.text() != self.input.text()
    }

    /// The case with the number of an endpoint in its place.
    pub(crate) fn at_endpoint(&self, number: &str) -> Self {
        self.with_number(ENDPOINT, number)
    }

    /// Whether it is about a group, which has to be made first.
    pub(crate) fn needs_group(&self) -> bool {
        self.at_group("").input.text() != self.input.text()
    }

    /// The case with the number of a group in its place.
    pub(crate) fn at_group(&self, number: &str) -> Self {
        self.with_number(GROUP, number)
    }

    /// Whether it is about a template or a flow, which has to be made first.
    pub(crate) fn needs_library(&self) -> bool {
        let text = self.input.text();
        text.contains(TEMPLATE) || text.contains(FLOW_NUMBER)
    }

    /// The case with the number of a template or a flow of its own in its place, and the number.
    pub(crate) async fn at_library(&self, merchant: &TestMerchant) -> (Self, String) {
        let (place, number) = if self.input.text().contains(TEMPLATE) {
            (TEMPLATE, merchant.make_template().await)
        } else {
            (FLOW_NUMBER, merchant.make_flow().await)
        };
        (self.with_number(place, &number), number)
    }

    /// Whether it is about a payment that waits for an approval, which has to be made first.
    pub(crate) fn needs_approval(&self) -> bool {
        self.input.text().contains(WAITING)
    }

    /// The case with the reference of a payment that waits in its place.
    pub(crate) async fn at_approval(&self, merchant: &TestMerchant) -> Self {
        self.with_number(WAITING, &merchant.wait_for_approval().await)
    }

    /// Whether it is about a coupon, which has to be made first.
    pub(crate) fn needs_coupon(&self) -> bool {
        let text = self.input.text();
        let places = [VOUCHER_CODE, VOUCHER, REDEEMED];
        places.iter().any(|place| text.contains(place))
    }

    /// The case with a coupon of its own in its places.
    pub(crate) async fn at_coupon(&self, merchant: &TestMerchant) -> Self {
        let [code, id, redeemed] = merchant.make_coupon().await;
        self.with_number(VOUCHER_CODE, &code)
            .with_number(VOUCHER, &id)
            .with_number(REDEEMED, &redeemed)
    }

    /// Whether it is about a collection, which has to be made first.
    pub(crate) fn needs_collection(&self) -> bool {
        self.input.text().contains(COLLECTION)
    }

    /// The case with the number of a collection of its own in its place.
    pub(crate) async fn at_collection(&self, merchant: &TestMerchant) -> Self {
        self.with_number(COLLECTION, &merchant.make_collection().await)
    }

    /// Whether it is about a draft of an invoice, which has to be made first.
    pub(crate) fn needs_invoice(&self) -> bool {
        self.input.text().contains(INVOICE)
    }

    /// The case with the number of a draft of its own in its place.
    pub(crate) async fn at_invoice(&self, merchant: &TestMerchant) -> Self {
        self.with_number(INVOICE, &merchant.make_invoice().await)
    }

    /// Whether it is about a service or an appointment, which have to be made first.
    pub(crate) fn needs_booking(&self) -> bool {
        let text = self.input.text();
        [BOOKABLE, APPOINTMENT]
            .iter()
            .any(|place| text.contains(place))
    }

    /// The case with the numbers of a service and an appointment of its own in their places.
    pub(crate) async fn at_booking(&self, merchant: &TestMerchant) -> Self {
        if self.input.text().contains(APPOINTMENT) {
            return self.with_number(APPOINTMENT, &merchant.make_appointment().await);
        }
        self.with_number(BOOKABLE, &merchant.make_service().await)
    }

    /// Whether it is about a file of a report, which has to be made first.
    pub(crate) fn needs_run(&self) -> bool {
        self.at_run("").input.text() != self.input.text()
    }

    /// The case with the number of a file in its place.
    pub(crate) fn at_run(&self, number: &str) -> Self {
        self.with_number(REPORT_RUN, number)
    }

    /// Whether it is about a key or a user, which has to be made first, or makes one.
    pub(crate) fn needs_access(&self) -> bool {
        let text = self.input.text();
        [KEY, KEY_NAME, USER, CODE, EMAIL, ALLOWED]
            .iter()
            .any(|place| text.contains(place))
    }

    /// The case with a key and a user of its own in their places, and the key.
    pub(crate) async fn at_access(&self, merchant: &TestMerchant) -> (Self, String) {
        let (key, _) = merchant.make_key("read").await;
        let (user, code) = merchant.invite_user().await;
        let email = format!("{}@shop.example", fresh("new"));
        let placed = self
            .with_number(KEY, &key)
            .with_number(KEY_NAME, &fresh("New "))
            .with_number(USER, &user)
            .with_number(CODE, &code)
            .with_number(EMAIL, &email);
        if !placed.input.text().contains(ALLOWED) {
            return (placed, key);
        }
        let network = merchant.allow_network(&key).await;
        (placed.with_number(ALLOWED, &network), key)
    }

    fn with_number(&self, place: &str, number: &str) -> Self {
        let input = match &self.input {
            Input::Query(text) => Input::Query(text.replace(place, number)),
            Input::Body(text) => Input::Body(text.replace(place, number)),
        };
        Self {
            input,
            ..self.clone()
        }
    }

    pub(crate) const fn shows(&self) -> Shows {
        match self.expect {
            Expect::Answer(..) => Shows::Contract,
            Expect::Params(..) | Expect::Request(_) | Expect::System(..) => Shows::Error,
            Expect::Credentials | Expect::Anyone => Shows::Authentication,
        }
    }

    /// The request with credentials.
    pub(crate) fn request(&self, merchant: &TestMerchant) -> RequestBuilder {
        self.finish(merchant.request(self.method(), &self.target()), merchant)
    }

    /// The request with these credentials, or none.
    pub(crate) fn request_with(
        &self,
        merchant: &TestMerchant,
        authorization: Option<&str>,
    ) -> RequestBuilder {
        let request = merchant.anonymous(self.method(), &self.target());
        let request = match authorization {
            Some(value) => request.header(AUTHORIZATION, value),
            None => request,
        };
        self.finish(request, merchant)
    }

    fn method(&self) -> Method {
        self.route.0.method()
    }

    fn target(&self) -> String {
        let path = match self.route.1.split_once('{') {
            Some((before, _)) => format!("{before}{}", self.path_word),
            None => self.route.1.to_owned(),
        };
        match &self.input {
            Input::Query(query) if query.is_empty() => path,
            Input::Query(query) => format!("{path}?{query}"),
            Input::Body(_) => path,
        }
    }

    fn finish(&self, request: RequestBuilder, merchant: &TestMerchant) -> RequestBuilder {
        let request = match &self.header {
            Some((name, value)) => request.header(name, *value),
            None => request,
        };
        match &self.input {
            Input::Query(_) => request,
            Input::Body(body) => request
                .header(CONTENT_TYPE, "application/json")
                .body(merchant.completed(body)),
        }
    }
}

impl Input {
    fn text(&self) -> &str {
        match self {
            Self::Query(text) | Self::Body(text) => text,
        }
    }
}

impl Expect {
    /// The template of the answer's body; nothing where there are several answers.
    pub(crate) fn template(&self) -> Option<(u16, String)> {
        let (status, service, errors) = match self {
            Self::Answer(status, template) => return Some((*status, template.clone())),
            Self::Credentials | Self::Anyone => return None,
            Self::Params(status, service, names) => {
                let name = |name: &&str| format!("\"{name}\":[\"<text>\"]");
                let names: Vec<_> = names.iter().map(name).collect();
                (
                    *status,
                    *service,
                    format!("{{\"params\":{{{}}}}}", names.join(",")),
                )
            }
            Self::Request(status) => (*status, None, "{\"request\":[\"<text>\"]}".to_owned()),
            Self::System(status, service) => (
                *status,
                Some(*service),
                "{\"system\":[\"<text>\"]}".to_owned(),
            ),
        };
        Some((status, error(status, service, &errors)))
    }
}

/// The template of an error (interface §7.3).
pub(crate) fn error(status: u16, service: Option<(u16, &str)>, errors: &str) -> String {
    let service = service
        .map(|(code, subject)| format!("\"serviceCode\":{code},\"serviceSubject\":\"{subject}\","));
    let service = service.unwrap_or_default();
    format!(
        "{{\"code\":{status},\"status\":\"error\",\"message\":\"<text>\",{service}\
         \"errors\":{errors},\"requestId\":\"<id>\"}}"
    )
}

/// A JSON object of these fields, values as they are written, where `changes` replace, add or, with
/// nothing written, leave out.
pub(crate) fn object(fields: &[(&str, &str)], changes: &[(&str, &str)]) -> String {
    let change = |name: &str| changes.iter().find(|(changed, _)| *changed == name);
    let kept = fields.iter().map(|field| *change(field.0).unwrap_or(field));
    let known = |name: &str| fields.iter().any(|(known, _)| *known == name);
    let added = changes.iter().filter(|(name, _)| !known(name)).copied();
    let written = kept.chain(added).filter(|(_, value)| !value.is_empty());
    let written: Vec<_> = written
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{{{}}}", written.join(","))
}
