//! The description of an operation: what it takes and what it answers. It must hold nothing that
//! can be inferred from the code it describes.

pub use crate::parameter::{Parameter, ParameterNeed};
pub(crate) use crate::parameter::{
    few_objects, objects, optional, optional_objects, optional_part, part, required,
};
use crate::states::{Sample, StateCheck, listed};
use http_server::Verb;
use wire::attribute::{
    Attribute, LENGTH, OFFSET, ORDER_BY, QUOTE, REFERENCE, SORT, TRANSACTION_STATUS,
};

/// The operations of one family.
#[derive(Debug)]
pub struct OperationFamily {
    /// The stem of the family in every layer, such as `airtime`; entries of the glossary may have
    /// another meaning in it.
    pub stem: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// One or two sentences.
    pub about: &'static str,
    pub operations: Vec<Operation>,
}

/// One operation.
#[derive(Debug)]
pub struct Operation {
    pub verb: Verb,
    pub path: &'static str,
    /// A name no other operation has, for generated clients: `buyAirtime`.
    pub id: &'static str,
    pub summary: &'static str,
    /// More than the summary, in Markdown; may be empty.
    pub details: &'static str,
    pub access: AccessRule,
    /// The variants of the request; nearly always one.
    pub requests: Vec<DocumentedRequest>,
    pub answers: Vec<DocumentedAnswer>,
    /// The file that it answers where one is asked for.
    pub file: Option<FileForm>,
    /// Whether a client may keep its answer, and asks again with `If-None-Match`.
    pub is_kept: bool,
    /// Statuses of errors beyond those every operation of its kind has.
    pub refusals: Vec<u16>,
}

/// The clients that may send it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessRule {
    /// Merchants with credentials.
    Merchants,
    /// Anyone.
    Anyone,
}

/// One variant of a request: the attributes that belong together.
#[derive(Debug)]
pub struct DocumentedRequest {
    /// Its name for people, where there are several.
    pub name: &'static str,
    pub parameters: Vec<Parameter>,
}

/// The answer to a request that is not refused.
#[derive(Debug)]
pub struct DocumentedAnswer {
    /// The name of its schema: `AirtimeTransaction`. Answers of one name have one schema.
    pub name: &'static str,
    pub samples: Vec<Sample>,
    /// Headers of these answers beyond those of every answer.
    pub extras: Extras,
}

/// The headers that only some answers carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extras {
    None,
    /// `Total` and `Link`.
    Collection,
    /// `Location` where it is pending, and `Idempotency-Replayed`.
    Payment,
    /// `Location`, and `Idempotency-Replayed`.
    Creation,
}

/// A file that an operation answers instead of fields.
#[derive(Debug, Clone)]
pub enum FileForm {
    /// Comma-separated values, such as these.
    Csv(String),
    /// A document of pages.
    Pdf,
    /// An entry of a calendar, such as this.
    Calendar(String),
}

impl Operation {
    /// An operation that creates a transaction, or makes another change.
    pub const fn post(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Self::new(Verb::Post, path, id).summed_up(summary)
    }

    /// An operation that reads.
    pub const fn get(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Self::new(Verb::Get, path, id).summed_up(summary)
    }

    const fn new(verb: Verb, path: &'static str, id: &'static str) -> Self {
        Self {
            verb,
            path,
            id,
            summary: "",
            details: "",
            access: AccessRule::Merchants,
            requests: Vec::new(),
            answers: Vec::new(),
            file: None,
            is_kept: false,
            refusals: Vec::new(),
        }
    }

    const fn summed_up(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    #[must_use]
    pub const fn detailed(mut self, details: &'static str) -> Self {
        self.details = details;
        self
    }

    /// A client may keep the answer, and asks again with `If-None-Match`.
    #[must_use]
    pub const fn kept(mut self) -> Self {
        self.is_kept = true;
        self
    }

    /// No credentials are required.
    #[must_use]
    pub const fn for_anyone(mut self) -> Self {
        self.access = AccessRule::Anyone;
        self
    }

    /// The attributes it takes.
    #[must_use]
    pub fn takes(self, parameters: impl IntoIterator<Item = Parameter>) -> Self {
        self.takes_as("", parameters)
    }

    /// One of several variants of the request.
    #[must_use]
    pub fn takes_as(
        mut self,
        name: &'static str,
        parameters: impl IntoIterator<Item = Parameter>,
    ) -> Self {
        let parameters = parameters.into_iter().collect();
        self.requests.push(DocumentedRequest { name, parameters });
        self
    }

    /// The attributes every collection takes beside its own (interface §4.1).
    #[must_use]
    pub fn in_parts(mut self, orders: &[&'static str]) -> Self {
        let paging = [
            optional(&OFFSET),
            optional(&LENGTH),
            optional(&ORDER_BY).one_of(orders),
            optional(&SORT).one_of(&["asc", "desc"]),
        ];
        match self.requests.last_mut() {
            Some(request) => request.parameters.extend(paging),
            None => return self.takes(paging),
        }
        self
    }

    /// The answers, each under its schema's name.
    #[must_use]
    pub fn answers(self, name: &'static str, samples: Vec<Sample>) -> Self {
        self.answers_with(Extras::None, name, samples)
    }

    /// A page of a collection.
    #[must_use]
    pub fn lists(self, name: &'static str, samples: Vec<Sample>) -> Self {
        self.answers_with(Extras::Collection, name, samples)
    }

    /// The transactions of a product, in the shape of its reports.
    #[must_use]
    pub fn lists_transactions(self, name: &'static str, states: Vec<StateCheck>) -> Self {
        let statuses = ["Pending", "Successful", "Failed", "Reversed"];
        self.detailed(
            "Each as its report shows it. The newest 2,000 transactions of the product are looked \
             through; one that is older is found by its `mrcReference`.",
        )
        .takes([
            optional(&REFERENCE),
            optional(&TRANSACTION_STATUS).one_of(&statuses),
        ])
        .in_parts(&["txnDate"])
        .lists(name, listed(states))
    }

    /// It answers a file too.
    #[must_use]
    pub fn as_file(mut self, form: FileForm) -> Self {
        self.file = Some(form);
        self
    }

    /// It may name a quote, at whose price it is charged.
    ///
    /// # Panics
    /// Of an operation that takes nothing yet, or that has it already.
    #[must_use]
    pub fn by_quote(mut self) -> Self {
        assert!(!self.requests.is_empty(), "{} takes nothing yet", self.id);
        for request in &mut self.requests {
            let mut known = request.parameters.iter();
            assert!(known.all(|it| it.attribute != QUOTE), "{} has it", self.id);
            request.parameters.push(optional(&QUOTE));
        }
        self
    }

    /// A payment in every state.
    #[must_use]
    pub fn pays(self, name: &'static str, states: Vec<StateCheck>) -> Self {
        let samples = states.into_iter().map(StateCheck::answer).collect();
        self.answers_with(Extras::Payment, name, samples)
    }

    /// What it creates, once for each `Idempotency-Key`.
    #[must_use]
    pub fn creates(self, name: &'static str, samples: Vec<Sample>) -> Self {
        self.answers_with(Extras::Creation, name, samples)
            .refused(&[422])
    }

    /// Many payments of one request.
    #[must_use]
    pub fn pays_many(self, name: &'static str, samples: Vec<Sample>) -> Self {
        self.answers_with(Extras::Payment, name, samples)
    }

    /// The report of a payment in every state.
    #[must_use]
    pub fn reports(self, name: &'static str, states: Vec<StateCheck>) -> Self {
        let samples = states.into_iter().map(StateCheck::report).collect();
        self.answers(name, samples).refused(&[404])
    }

    fn answers_with(mut self, extras: Extras, name: &'static str, samples: Vec<Sample>) -> Self {
        self.answers.push(DocumentedAnswer {
            name,
            samples,
            extras,
        });
        self
    }

    /// Statuses of errors beyond those every operation of its kind has.
    #[must_use]
    pub fn refused(mut self, statuses: &[u16]) -> Self {
        self.refusals.extend(statuses);
        self
    }

    /// Whether it creates a transaction.
    pub fn is_payment(&self) -> bool {
        let mut answers = self.answers.iter();
        answers.any(|answer| answer.extras == Extras::Payment)
    }

    /// Whether it takes an `Idempotency-Key`.
    pub fn is_retried_by_key(&self) -> bool {
        let is_made = |extras| matches!(extras, Extras::Payment | Extras::Creation);
        self.verb == Verb::Post && self.answers.iter().any(|answer| is_made(answer.extras))
    }

    /// Whether an attribute is a part of its path.
    pub fn has_in_path(&self, attribute: &Attribute) -> bool {
        self.path.contains(&format!("{{{}}}", attribute.name))
    }

    /// Every attribute it takes, in any variant.
    pub fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.requests.iter().flat_map(|request| &request.parameters)
    }
}
