//! Cases of the operations of every category of bills, made from the category's data.

use super::shared::{self, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use domain::bill::{BillCategory, BillNumberKind, BillerDefinition, BillingOffer, FieldDefinition};
use http_server::Verb;

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PROVIDER: Option<ViolationCase> = Some((820, "Service Provider"));
const PLAN: Option<ViolationCase> = Some((830, "Subscription Plan"));

/// A number that no customer of the sandbox has, one whose biller cannot be reached, and one whose
/// payment is refused: the last four digits force it.
const UNKNOWN: &str = "0014";
const UNREACHABLE: &str = "0012";
const REFUSED: &str = "0001";

pub(crate) fn cases() -> Vec<Case> {
    BillCategory::all()
        .flat_map(|it| Bill(it).cases())
        .collect()
}

/// The cases of one category.
#[derive(Clone, Copy)]
struct Bill(BillCategory);

impl Bill {
    fn cases(self) -> Vec<Case> {
        let mut cases = self.providers();
        cases.extend(self.customers());
        cases.extend(self.plans());
        cases.extend(self.payments());
        cases.extend(self.bad_payments());
        cases.extend(self.reports());
        cases
    }

    const fn route(self, verb: Verb) -> Route {
        Route(verb, self.0.definition().paths.payment)
    }

    fn first(self) -> &'static BillerDefinition {
        self.0.definition().billers.first().expect("a biller")
    }

    fn number_code(self) -> ViolationCase {
        match self.0.definition().number.kind {
            BillNumberKind::Meter => (823, "Meter Number"),
            BillNumberKind::Smartcard => (824, "Smartcard Number"),
            BillNumberKind::Phone => (822, "Phone Number"),
        }
    }

    /// The example with other last digits.
    fn ending(self, digits: &str) -> String {
        let example = self.0.definition().number.example;
        let kept = example.len().saturating_sub(digits.len());
        format!("{}{digits}", &example[..kept])
    }

    fn required(self) -> impl Iterator<Item = &'static FieldDefinition> {
        let fields = self.0.definition().fields.iter();
        fields.filter(|field| field.required)
    }

    fn shown_provider(self) -> String {
        let biller = self.first();
        let billing = match biller.billing {
            BillingOffer::Prepaid => "Prepaid",
            BillingOffer::Postpaid => "Postpaid",
            BillingOffer::Both => "Both",
        };
        let fields = self.0.definition().fields;
        let parameter = |field: &FieldDefinition| {
            format!(
                "{{\"name\":\"{}\",\"label\":\"{}\",\"pattern\":\"{}\",\"required\":{}}}",
                field.name,
                field.label,
                field.shape.pattern(),
                field.required
            )
        };
        let parameters: Vec<_> = fields.iter().map(parameter).collect();
        let parameters = if parameters.is_empty() {
            String::new()
        } else {
            format!(",\"parameters\":[{}]", parameters.join(","))
        };
        format!(
            "\"identifier\":\"{}\",\"brandname\":\"{}\",\"company\":\"{}\",\"logo\":\"<text>\",\
             \"address\":\"{}\",\"commission\":\"{}\",\"currency\":\"NGN\",\"minimum\":\"{}\",\
             \"maximum\":\"{}\",\"billing\":\"{billing}\",\"amountRule\":\"any\"{parameters}",
            biller.code,
            biller.brandname,
            biller.company,
            biller.address,
            biller.commission,
            biller.minimum,
            biller.maximum
        )
    }

    fn providers(self) -> Vec<Case> {
        let route = Route(Verb::Get, self.0.definition().paths.providers);
        let billers = self.0.definition().billers.iter();
        let available = billers.filter(|biller| biller.available).count();
        let shown = self.shown_provider();
        let list = format!(
            "\"providers\":[{{{shown}}}],\"metadata\":{{\"total\":1}},\"query\":{{\"length\":1,\
             \"offset\":0,\"total\":{available},\"found\":{available}}}"
        );
        let one = format!("countryCode=566&identifier={}", self.first().code);
        vec![
            ask(route, "it needs credentials", &one, Expect::Credentials),
            ask(
                route,
                "a part of the list, every field in order",
                "countryCode=566&length=1",
                success(&list),
            ),
            ask(
                route,
                "one provider is the whole answer",
                &one,
                success(&shown),
            ),
            ask(
                route,
                "a provider that is not there",
                "countryCode=566&identifier=999",
                params(404, PROVIDER, &["identifier"]),
            ),
            ask(
                route,
                "a country that is not served",
                "countryCode=288",
                params(400, COUNTRY, &["countryCode"]),
            ),
            ask(
                route,
                "a filter is missing",
                "",
                params(405, COUNTRY, &["countryCode"]),
            ),
        ]
    }

    fn parameters(self) -> String {
        let shown = |field: &FieldDefinition| {
            let FieldDefinition {
                name,
                label,
                example,
                ..
            } = field;
            format!("{{\"name\":\"{name}\",\"label\":\"{label}\",\"value\":\"{example}\"}}")
        };
        let fields: Vec<_> = self.required().map(shown).collect();
        if self.0.definition().fields.is_empty() {
            return String::new();
        }
        format!("\"parameters\":[{}],", fields.join(","))
    }

    fn query(self, provider: &str, number: &str) -> String {
        let mut query = format!("provider={provider}&number={number}");
        for field in self.required() {
            query = format!("{query}&{}={}", field.name, field.example);
        }
        query
    }

    fn customers(self) -> Vec<Case> {
        let route = Route(Verb::Get, self.0.definition().paths.validation);
        let definition = self.0.definition();
        let biller = self.first();
        let (code, example) = (biller.code, definition.number.example);
        let band = match definition.unit {
            Some(_) => "\"tffBand\":<nullable>,",
            None => "",
        };
        let shown = format!(
            "\"provider\":\"{code}\",\"brandname\":\"{}\",\"number\":\"{example}\",{}\
             \"customerName\":\"<text>\",\"customerAddress\":<nullable>,\"billing\":\"<word>\",\
             \"debt\":\"<amount>\",\"minimum\":\"{}\",\"maximum\":\"{}\",\"dueDate\":<nullable>,\
             \"billReference\":<nullable>,\"billPeriod\":<nullable>,{band}\"currency\":\"NGN\"",
            biller.brandname,
            self.parameters(),
            biller.minimum,
            biller.maximum,
        );
        let good = self.query(code, example);
        let number = Some(self.number_code());
        let missing: Vec<_> = ["provider", "number"]
            .into_iter()
            .chain(self.required().map(|field| field.name))
            .collect();
        let unreachable = self.query(code, &self.ending(UNREACHABLE));
        vec![
            ask(route, "it needs credentials", &good, Expect::Credentials),
            ask(route, "every field, in order", &good, success(&shown)),
            ask(
                route,
                "a customer the provider does not know",
                &self.query(code, &self.ending(UNKNOWN)),
                params(404, number, &["number"]),
            ),
            ask(
                route,
                "a provider that cannot be reached",
                &unreachable,
                Expect::System(503, self.number_code()),
            ),
            ask(
                route,
                "a provider that is not there",
                &self.query("999", example),
                params(404, PROVIDER, &["provider"]),
            ),
            ask(
                route,
                "filters are missing",
                "",
                params(405, PROVIDER, &missing),
            ),
            ask(
                route,
                "a number that is none",
                &self.query(code, "12"),
                params(400, number, &["number"]),
            ),
        ]
    }

    fn plans(self) -> Vec<Case> {
        if !self.0.has_plans() {
            return Vec::new();
        }
        let route = Route(Verb::Get, self.0.definition().paths.plans);
        let biller = self.first();
        let plan = biller.plans.first().expect("a plan");
        let count = biller.plans.len();
        let shown = format!(
            "\"brandname\":\"{}\",\"company\":\"{}\",\"plans\":[{{\"identifier\":\"{}\",\
             \"name\":\"{}\",\"validity\":{},\"amount\":\"{}\",\"price\":\"<amount>\",\
             \"currency\":\"NGN\"}}],\"metadata\":{{\"total\":1}},\"query\":{{\"length\":1,\
             \"offset\":0,\"total\":{count},\"found\":{count}}}",
            biller.brandname, biller.company, plan.code, plan.name, plan.days, plan.amount
        );
        let query = format!("provider={}&length=1", biller.code);
        vec![
            ask(route, "it needs credentials", &query, Expect::Credentials),
            ask(
                route,
                "a part of the list, every field in order",
                &query,
                success(&shown),
            ),
            ask(
                route,
                "a provider that is not there",
                "provider=999",
                params(404, PROVIDER, &["provider"]),
            ),
            ask(
                route,
                "a filter is missing",
                "",
                params(405, PROVIDER, &["provider"]),
            ),
        ]
    }

    fn order(self) -> Vec<(&'static str, String)> {
        let definition = self.0.definition();
        let mut order = vec![
            ("mrcReference", "\"bad\"".to_owned()),
            ("provider", self.first().code.to_owned()),
            ("number", format!("\"{}\"", definition.number.example)),
            ("amount", "\"5,000.00\"".to_owned()),
        ];
        let fields = self.required();
        order.extend(fields.map(|field| (field.name, format!("\"{}\"", field.example))));
        order
    }

    fn body(self, changes: &[(&str, &str)]) -> String {
        let order = self.order();
        let order: Vec<_> = order
            .iter()
            .map(|(name, it)| (*name, it.as_str()))
            .collect();
        object(&order, changes)
    }

    fn bad(self, rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
        let order = self.order();
        let order: Vec<_> = order
            .iter()
            .map(|(name, it)| (*name, it.as_str()))
            .collect();
        shared::bad((self.route(Verb::Post), &order), rule, changes, expect)
    }

    /// What a payment is answered and its report shows; of an amount or, with its name, of a plan.
    fn answer(self, (reference, status): (&str, (&str, &str)), plan: Option<&str>) -> String {
        let definition = self.0.definition();
        let biller = self.first();
        let (status, gateway) = status;
        let plan = match (self.0.has_plans(), plan) {
            (false, _) => String::new(),
            (true, None) => "\"identifier\":null,\"name\":null,\"duration\":null,".to_owned(),
            (true, Some(plan)) => plan.to_owned(),
        };
        let token = match (definition.unit, status) {
            (None, _) => "",
            (Some(_), "Successful") => {
                ",\"token\":{\"number\":\"<token>\",\"cost\":\"<amount>\",\"units\":\"<rate>\"}"
            }
            (Some(_), _) => ",\"token\":null",
        };
        let number = match status {
            "Successful" => definition.number.example.to_owned(),
            _ => self.ending(REFUSED),
        };
        format!(
            "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"{status}\",\
             \"txnDate\":\"<datetime>\",\"gtwStatus\":\"{gateway}\",\"provider\":\"{}\",\
             \"brandname\":\"{}\",\"number\":\"{number}\",{}\"customerName\":\"<text>\",\
             \"billing\":\"<word>\",\"billReference\":<nullable>,{plan}\"debt\":\"<amount>\",\
             \"outstanding\":<nullable>,\"receipt\":<nullable>,\"amount\":\"<amount>\",\
             \"price\":\"<amount>\",\"currency\":\"NGN\"{token}",
            biller.code,
            biller.brandname,
            self.parameters(),
        )
    }

    fn reference(self, what: &str) -> String {
        format!("{what}-{}", self.0.code())
    }

    fn payments(self) -> Vec<Case> {
        let route = self.route(Verb::Post);
        let case = |rule: &str, changes: &[(&str, &str)], expect| {
            Case::new(route, rule, Body(self.body(changes)), expect)
        };
        let good = self.reference("good");
        let shown = self.answer((&good, ("Successful", "Delivered")), None);
        let customer = self.reference("good-customer");
        let with_phone = self.answer((&customer, ("Successful", "Delivered")), None);
        let refused = self.reference("refused");
        let failed = self.answer((&refused, ("Failed", "Rejected")), None);
        let number = format!("\"{}\"", self.ending(REFUSED));
        let mut cases = vec![
            case("it needs credentials", &[], Expect::Credentials),
            case(
                "an amount: every field, in order",
                &[("mrcReference", &format!("\"{good}\""))],
                success(&shown),
            ),
            case(
                "with the telephone of the customer",
                &[
                    ("mrcReference", &format!("\"{customer}\"")),
                    ("customerNumber", "\"+2348031234567\""),
                ],
                success(&with_phone),
            ),
            case(
                "a payment that is refused",
                &[
                    ("mrcReference", &format!("\"{refused}\"")),
                    ("number", &number),
                ],
                success(&failed),
            ),
        ];
        if let Some(plan) = self.first().plans.first() {
            let planned = self.reference("good-plan");
            let bought = format!(
                "\"identifier\":\"{}\",\"name\":\"{}\",\"duration\":\"2\",",
                plan.code, plan.name
            );
            let shown = self.answer((&planned, ("Successful", "Delivered")), Some(&bought));
            cases.push(case(
                "a plan: every field, in order",
                &[
                    ("mrcReference", &format!("\"{planned}\"")),
                    ("amount", ""),
                    ("identifier", plan.code),
                    ("duration", "2"),
                ],
                success(&shown),
            ));
        }
        cases
    }

    fn bad_payments(self) -> Vec<Case> {
        let number = Some(self.number_code());
        let unknown = format!("\"{}\"", self.ending(UNKNOWN));
        let mut cases = vec![
            self.bad(
                "a provider that is not there",
                &[("provider", "999")],
                params(404, PROVIDER, &["provider"]),
            ),
            self.bad(
                "a customer the provider does not know",
                &[("number", &unknown)],
                params(404, number, &["number"]),
            ),
            self.bad(
                "a telephone that is none",
                &[("customerNumber", "\"0803\"")],
                params(400, Some((822, "Phone Number")), &["customerNumber"]),
            ),
            self.bad(
                "a bill that is not open",
                &[("billReference", "\"another\"")],
                params(400, None, &["billReference"]),
            ),
            strictly(self.bad(
                "strict: unknown attributes are named",
                &[("disco", "1")],
                params(400, None, &["disco"]),
            )),
        ];
        for amount in [
            "\"-1\"",
            "\"0\"",
            "\"1e5\"",
            "\"1,23.00\"",
            "\"1.00\"",
            "null",
        ] {
            let expect = params(400, AMOUNT, &["amount"]);
            let rule = "an amount that is none, or not taken";
            cases.push(self.bad(rule, &[("amount", amount)], expect));
        }
        for field in self.required() {
            let expect = params(400, None, &[field.name]);
            cases.push(self.bad("a field that is none", &[(field.name, "\"!\"")], expect));
        }
        for wrong in ["\"12\"", "\"+12345678\"", "true"] {
            let expect = params(400, number, &["number"]);
            cases.push(self.bad("a number that is none", &[("number", wrong)], expect));
        }
        cases.extend(self.bad_plans());
        cases
    }

    fn bad_plans(self) -> Vec<Case> {
        let Some(plan) = self.first().plans.first() else {
            return Vec::new();
        };
        vec![
            self.bad(
                "an amount and a plan",
                &[("identifier", plan.code)],
                params(400, AMOUNT, &["amount"]),
            ),
            self.bad(
                "neither an amount nor a plan",
                &[("amount", "")],
                params(400, AMOUNT, &["amount"]),
            ),
            self.bad(
                "periods of an amount",
                &[("duration", "2")],
                params(400, None, &["duration"]),
            ),
            self.bad(
                "a plan that is not there",
                &[("amount", ""), ("identifier", "999")],
                params(404, PLAN, &["identifier"]),
            ),
        ]
    }

    fn reports(self) -> Vec<Case> {
        let route = Route(Verb::Get, self.0.definition().paths.transaction);
        let good = self.reference("good");
        let name = self.0.definition().name;
        let shown = self.answer((&good, ("Successful", "Delivered")), None);
        let mut cases = bad_reports(route, &good);
        cases.push(ask(
            route,
            "one field more",
            &format!("mrcReference={good}"),
            success(&format!("{shown},\"service\":\"{name}\"")),
        ));
        cases
    }
}
