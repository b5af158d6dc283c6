//! All violations of a request, per attribute. It must keep all of them: a client corrects a
//! request once, not once per error.

use crate::attribute::Attribute;
use crate::service_code::ServiceCode;

/// The violations, in the order in which the interface lists the attributes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations {
    messages: Vec<(String, Vec<String>)>,
    service: Option<ServiceCode>,
    missing_filter: bool,
}

impl Violations {
    /// One attribute, one message: the error and its remedy, such as `is not served; choose one of
    /// /payment/electricity/discos`.
    pub fn of(attribute: &Attribute, message: impl Into<String>) -> Self {
        let mut violations = Self::default();
        violations.add(attribute, message.into());
        violations
    }

    /// The same violations under another service code than their attribute's own.
    #[must_use]
    pub fn with_service(self, service: ServiceCode) -> Self {
        Self {
            service: Some(service),
            ..self
        }
    }

    /// The same violations with attributes renamed, where `name_of` has another name.
    #[must_use]
    pub(crate) fn renamed(mut self, name_of: impl Fn(&str) -> Option<&'static str>) -> Self {
        for (name, _) in &mut self.messages {
            if let Some(other) = name_of(name) {
                other.clone_into(name);
            }
        }
        self
    }

    /// These, and after them those of another part of the request.
    #[must_use]
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.service = self.service.or(other.service);
        self.missing_filter |= other.missing_filter;
        for (name, messages) in other.messages {
            for message in messages {
                self.add_named(&name, message);
            }
        }
        self
    }

    /// The service code of the first invalid attribute that has one.
    pub const fn service(&self) -> Option<ServiceCode> {
        self.service
    }

    /// Whether a required filter of a query is missing.
    pub const fn missing_filter(&self) -> bool {
        self.missing_filter
    }

    /// The HTTP status of a request refused for these: 405 where a required filter is missing
    /// (interface §7.1), else 400.
    pub const fn status(&self) -> u16 {
        if self.missing_filter { 405 } else { 400 }
    }

    /// Each invalid attribute with its messages.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        let entries = self.messages.iter();
        entries.map(|(name, messages)| (name.as_str(), messages.as_slice()))
    }

    /// Adds the violations of one of several objects, each named by the place of its object.
    pub fn add_of_object(&mut self, list: &Attribute, place: usize, of: Self) {
        self.service = self.service.or(of.service);
        for (name, messages) in of.messages {
            let name = format!("{}.{place}.{name}", list.name);
            self.messages.push((name, messages));
        }
    }

    /// Adds the violations of an object that is one attribute, each named after it.
    pub(crate) fn add_of_part(&mut self, part: &Attribute, of: Self) {
        self.service = self.service.or(of.service);
        for (name, messages) in of.messages {
            self.messages
                .push((format!("{}.{name}", part.name), messages));
        }
    }

    /// Adds a violation of one of several objects as a whole.
    pub fn add_object(&mut self, list: &Attribute, place: usize, message: String) {
        self.add_named(&format!("{}.{place}", list.name), message);
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Adds a violation of an attribute.
    pub fn add(&mut self, attribute: &Attribute, message: String) {
        self.service = self.service.or(attribute.service);
        self.add_named(attribute.name, message);
    }

    pub(crate) fn add_missing_filter(&mut self, attribute: &Attribute, message: String) {
        self.missing_filter = true;
        self.add(attribute, message);
    }

    pub(crate) fn add_named(&mut self, name: &str, message: String) {
        match self.messages.iter_mut().find(|(known, _)| known == name) {
            Some((_, messages)) => messages.push(message),
            None => self.messages.push((name.to_owned(), vec![message])),
        }
    }
}
