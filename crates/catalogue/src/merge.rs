//! Lays a document over the catalogue of the program. It must find every mistake at once, and make
//! nothing of a document that has one.

mod offers;
mod plans;
mod records;

use crate::document::{
    DocumentProblem, Lines, RawBillerChange, RawDocument, RawOverride, RawPrice, shown,
};
use crate::product::ProductName;
use crate::snapshot::Changed;
use domain::account::AccountId;
use domain::money::{Currency, Money};
use domain::percent::Percent;
use domain::pricing::UnitTerms;
use ports::catalogue::{AccountTerms, Catalogue, ProductTerms};
use std::collections::HashSet;
use toml::Spanned;

/// What a document changes of a catalogue.
pub(crate) fn over(base: &dyn Catalogue, text: &str) -> Result<Changed, Vec<DocumentProblem>> {
    let document = RawDocument::parse(text)?;
    let mut merge = Merge {
        base,
        lines: Lines::of(text),
        line: 1,
        changed: Changed::default(),
        problems: Vec::new(),
        seen: HashSet::new(),
    };
    merge.each(document.biller, Merge::biller);
    merge.each(document.plan, Merge::plan);
    merge.each(document.price, Merge::price);
    merge.each(document.price_override, Merge::price_override);
    merge.each(document.offer, Merge::offer);
    if merge.problems.is_empty() {
        Ok(merge.changed)
    } else {
        Err(shown(merge.problems))
    }
}

/// What was read of an entry, unless it has a mistake.
type Reading<T> = Result<T, Mistake>;

/// A mistake that was noted with its line.
#[derive(Debug, Clone, Copy)]
struct Mistake;

struct Merge<'a> {
    base: &'a dyn Catalogue,
    lines: Lines,
    /// Where the entry stands that is read now.
    line: usize,
    changed: Changed,
    problems: Vec<DocumentProblem>,
    /// What entries were about, to find those that come twice.
    seen: HashSet<String>,
}

impl Merge<'_> {
    fn each<T>(&mut self, entries: Vec<Spanned<T>>, read: fn(&mut Self, &T) -> Reading<()>) {
        for entry in entries {
            self.line = self.lines.at(entry.span().start);
            let noted = self.problems.len();
            if read(self, entry.get_ref()).is_err() && self.problems.len() == noted {
                self.problem("cannot be read");
            }
        }
    }

    fn problem(&mut self, what: impl Into<String>) {
        let (line, what) = (self.line, what.into());
        self.problems.push(DocumentProblem { line, what });
    }

    fn mistake(&mut self, what: impl Into<String>) -> Mistake {
        self.problem(what);
        Mistake
    }

    /// Notes a mistake; nothing else is looked at in the entry.
    fn refuse<T>(&mut self, what: impl Into<String>) -> Reading<T> {
        Err(self.mistake(what))
    }

    fn once(&mut self, what: String) -> Reading<()> {
        if self.seen.contains(&what) {
            return self.refuse(format!("{what} stands in the document twice; keep one"));
        }
        self.seen.insert(what);
        Ok(())
    }

    /// The product of a name, which must be sold by the program.
    fn product(&mut self, text: &str) -> Reading<ProductName> {
        let name = ProductName::parse(text);
        let in_any = |price: &dyn Fn(Currency) -> Option<UnitTerms>| {
            Currency::ALL.iter().any(|it| price(*it).is_some())
        };
        let known = name.as_ref().is_some_and(|name| match name {
            ProductName::Airtime(code) => {
                let networks = self.base.networks();
                networks.iter().any(|network| network.code == *code)
            }
            ProductName::Electricity(disco, _) => self.base.disco(disco).is_some(),
            ProductName::CableTv(code) => self.base.cable_provider(code).is_some(),
            ProductName::Internet(code) => self.base.data_provider(code).is_some(),
            ProductName::Bill(category, code) => self.base.biller(*category, code).is_some(),
            ProductName::Sms(country) => in_any(&|it| self.base.message(*country, it)),
            ProductName::Whatsapp(country) => in_any(&|it| self.base.whatsapp(*country, it)),
            ProductName::Rcs(country) => in_any(&|it| self.base.rcs(*country, it)),
            ProductName::Voice(country) => in_any(&|it| self.base.voice(*country, it)),
            ProductName::Ivr(country) => in_any(&|it| self.base.ivr(*country, it)),
            ProductName::Hlr(country) => in_any(&|it| self.base.number_lookup(*country, it)),
            ProductName::Lookup(category, code) => self.base.lookup(*category, code).is_some(),
        });
        if !known {
            return self.refuse(format!(
                "`product` \"{text}\" is not sold here; write a family and what is sold in it, \
                 such as airtime.mtn, electricity.101.prepaid, cabletv.301, internet.401 or sms.566"
            ));
        }
        name.ok_or(Mistake)
    }

    fn money(&mut self, field: &str, text: Option<&String>) -> Reading<Option<Money>> {
        let Some(text) = text else {
            return Ok(None);
        };
        match Money::parse(text, Currency::Ngn) {
            Ok(amount) => Ok(Some(amount)),
            Err(error) => self.refuse(format!("`{field}` {error}, not \"{text}\"")),
        }
    }

    fn positive(&mut self, field: &str, text: Option<&String>) -> Reading<Option<Money>> {
        let amount = self.money(field, text)?;
        if amount.is_some_and(|amount| !amount.is_positive()) {
            return self.refuse(format!("`{field}` must be above zero"));
        }
        Ok(amount)
    }

    fn percent(&mut self, field: &str, text: Option<&String>) -> Reading<Option<Percent>> {
        let Some(text) = text else {
            return Ok(None);
        };
        match Percent::parse(text) {
            Ok(percent) => Ok(Some(percent)),
            Err(error) => self.refuse(format!("`{field}` {error}, not \"{text}\"")),
        }
    }

    fn limits(
        &mut self,
        (minimum, maximum): (Option<&String>, Option<&String>),
    ) -> Reading<(Option<Money>, Option<Money>)> {
        let minimum = self.positive("minimum", minimum);
        let maximum = self.positive("maximum", maximum);
        Ok((minimum?, maximum?))
    }

    fn ordered(&mut self, minimum: Money, maximum: Money) -> Reading<()> {
        if minimum.minor() > maximum.minor() {
            return self.refuse(format!(
                "`minimum` {minimum} must not be above `maximum` {maximum}"
            ));
        }
        Ok(())
    }

    fn biller(&mut self, raw: &RawBillerChange) -> Reading<()> {
        let product = self.product(&raw.product);
        let limits = self.limits((raw.minimum.as_ref(), raw.maximum.as_ref()));
        let (product, (minimum, maximum)) = (product?, limits?);
        self.once(format!("biller {}", raw.product))?;
        let has_limits = minimum.is_some() || maximum.is_some();
        let no_limits = "has no `minimum` or `maximum` here; leave them out";
        let (mut least, mut most) = match &product {
            ProductName::Airtime(code) => {
                let network = self.network(code)?;
                (network.minimum, network.maximum)
            }
            ProductName::CableTv(code) => {
                let biller = self.cable(code)?;
                (biller.minimum, biller.maximum)
            }
            ProductName::Bill(category, code) => {
                let biller = self.bill(*category, code)?;
                (biller.minimum, biller.maximum)
            }
            ProductName::Electricity(..)
            | ProductName::Internet(_)
            | ProductName::Sms(_)
            | ProductName::Whatsapp(_)
            | ProductName::Rcs(_)
            | ProductName::Voice(_)
            | ProductName::Ivr(_)
            | ProductName::Hlr(_)
            | ProductName::Lookup(..)
                if has_limits =>
            {
                return self.refuse(format!("{} {no_limits}", raw.product));
            }
            ProductName::Electricity(..)
            | ProductName::Internet(_)
            | ProductName::Sms(_)
            | ProductName::Whatsapp(_)
            | ProductName::Rcs(_)
            | ProductName::Voice(_)
            | ProductName::Ivr(_)
            | ProductName::Hlr(_)
            | ProductName::Lookup(..) => {
                let any = Money::zero(Currency::Ngn);
                (any, any)
            }
        };
        least = minimum.unwrap_or(least);
        most = maximum.unwrap_or(most);
        self.ordered(least, most)?;
        self.set_biller(raw, &product, (least, most))
    }

    fn set_biller(
        &mut self,
        raw: &RawBillerChange,
        product: &ProductName,
        (least, most): (Money, Money),
    ) -> Reading<()> {
        let available = raw.available;
        match product {
            ProductName::Airtime(code) => {
                let network = self.network(code)?;
                (network.minimum, network.maximum) = (least, most);
            }
            ProductName::CableTv(code) => {
                let biller = self.cable(code)?;
                (biller.minimum, biller.maximum) = (least, most);
                biller.available = available.unwrap_or(biller.available);
            }
            ProductName::Bill(category, code) => {
                let biller = self.bill(*category, code)?;
                (biller.minimum, biller.maximum) = (least, most);
                biller.available = available.unwrap_or(biller.available);
            }
            ProductName::Electricity(code, None) => {
                let disco = self.disco(code)?;
                disco.available = available.unwrap_or(disco.available);
            }
            ProductName::Internet(code) => {
                let operator = self.data(code)?;
                operator.available = available.unwrap_or(operator.available);
            }
            ProductName::Electricity(_, Some(_))
            | ProductName::Sms(_)
            | ProductName::Whatsapp(_)
            | ProductName::Rcs(_)
            | ProductName::Voice(_)
            | ProductName::Ivr(_)
            | ProductName::Hlr(_)
            | ProductName::Lookup(..) => {}
        }
        if let Some(available) = available {
            let product = raw.product.clone();
            self.changed.availability.insert(product, available);
        }
        Ok(())
    }

    fn price(&mut self, raw: &RawPrice) -> Reading<()> {
        let product = self.product(&raw.product);
        let terms = self.terms(raw);
        let unit = self.positive("unit", raw.unit.as_ref());
        let (product, terms, unit) = (product?, terms?, unit?);
        self.once(format!("price {}", raw.product))?;
        match product {
            ProductName::Electricity(_, None) => {
                return self.refuse(format!(
                    "write {0}.prepaid or {0}.postpaid: each has its own terms",
                    raw.product
                ));
            }
            ProductName::Sms(_)
            | ProductName::Whatsapp(_)
            | ProductName::Rcs(_)
            | ProductName::Voice(_)
            | ProductName::Ivr(_)
            | ProductName::Hlr(_)
            | ProductName::Lookup(..) => {
                if let Some(unit) = unit {
                    self.changed.units.insert(raw.product.clone(), unit);
                }
            }
            ProductName::Airtime(_)
            | ProductName::Electricity(_, Some(_))
            | ProductName::CableTv(_)
            | ProductName::Internet(_)
            | ProductName::Bill(..) => {
                if unit.is_some() {
                    return self.refuse("`unit` is of messages, calls and lookups; leave it out");
                }
            }
        }
        self.changed.terms.insert(raw.product.clone(), terms);
        Ok(())
    }

    fn terms(&mut self, raw: &RawPrice) -> Reading<ProductTerms> {
        let commission = self.percent("commission", raw.commission.as_ref());
        let discount = self.percent("discount", raw.discount.as_ref());
        let fee = self.money("fee", raw.fee.as_ref());
        Ok(ProductTerms {
            commission: commission?,
            discount: discount?,
            fee: fee?,
        })
    }

    fn price_override(&mut self, raw: &RawOverride) -> Reading<()> {
        let product = self.product(&raw.product);
        let account = AccountId::parse(&raw.account);
        let account = account
            .map_err(|error| self.mistake(format!("`account` {error}, not \"{}\"", raw.account)));
        let commission = self.percent("commission", Some(&raw.commission));
        let fee = self.money("fee", raw.fee.as_ref());
        let (product, account, commission, fee) =
            (product?, account?, commission?.ok_or(Mistake)?, fee?);
        self.once(format!("price_override {} of {account}", raw.product))?;
        if matches!(product, ProductName::Electricity(_, None)) {
            return self.refuse(format!(
                "write {0}.prepaid or {0}.postpaid: each has its own terms",
                raw.product
            ));
        }
        let key = (account, raw.product.clone());
        let terms = AccountTerms { commission, fee };
        self.changed.overrides.insert(key, terms);
        Ok(())
    }
}
