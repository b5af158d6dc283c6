//! The two sets of attribute names a message may be sent with (interface §4.6). A request must
//! never be read from both at once: which of two numbers was meant would be a guess.

use crate::attribute::{
    Attribute, MESSAGE, MESSAGE_B, MESSAGE_TYPE, MESSAGE_TYPE_B, PHONE, PHONE_B, SENDER, SENDER_B,
};
use crate::attributes::Attributes;
use crate::violations::Violations;
use domain::sms::FieldNaming;

/// The names of the attributes of a message that differ between the variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SmsFieldNames {
    pub(super) number: Attribute,
    pub(super) sender: Attribute,
    pub(super) kind: Attribute,
    pub(super) content: Attribute,
}

const A: SmsFieldNames = SmsFieldNames {
    number: PHONE,
    sender: SENDER,
    kind: MESSAGE_TYPE,
    content: MESSAGE,
};

const B: SmsFieldNames = SmsFieldNames {
    number: PHONE_B,
    sender: SENDER_B,
    kind: MESSAGE_TYPE_B,
    content: MESSAGE_B,
};

/// The set of names a request uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Used {
    One(FieldNaming),
    Neither,
    Both,
}

impl SmsFieldNames {
    pub(super) const fn of(variant: FieldNaming) -> Self {
        match variant {
            FieldNaming::A => A,
            FieldNaming::B => B,
        }
    }

    /// The names in the order of the interface.
    pub(super) const fn all(self) -> [Attribute; 4] {
        [self.number, self.sender, self.kind, self.content]
    }
}

impl Used {
    pub(super) fn by(attributes: &Attributes) -> Self {
        let any = |names: SmsFieldNames| {
            let mut names = names.all().into_iter();
            names.any(|attribute| attributes.get(attribute.name).is_some())
        };
        match (any(A), any(B)) {
            (true, true) => Self::Both,
            (true, false) => Self::One(FieldNaming::A),
            (false, true) => Self::One(FieldNaming::B),
            (false, false) => Self::Neither,
        }
    }
}

/// Each attribute of variant A with its equivalent in variant B.
pub(super) fn pairs() -> impl Iterator<Item = (Attribute, Attribute)> {
    A.all().into_iter().zip(B.all())
}

/// The violations of a message, in the names it was sent with. Violations found after parsing do
/// not know them and use variant A.
#[must_use]
pub fn in_names_of(variant: FieldNaming, violations: Violations) -> Violations {
    match variant {
        FieldNaming::A => violations,
        FieldNaming::B => violations.renamed(|name| {
            let same = pairs().find(|(a, _)| a.name == name);
            same.map(|(_, b)| b.name)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::COUNTRY;

    fn shown(violations: &Violations) -> Vec<(&str, String)> {
        let entries = violations.iter();
        entries.map(|(name, all)| (name, all.join(" | "))).collect()
    }

    #[test]
    fn what_is_found_later_is_reported_in_the_names_of_the_request() {
        for (a, b) in pairs() {
            let reported = |variant| in_names_of(variant, Violations::of(&a, "is wrong"));
            assert_eq!(
                shown(&reported(FieldNaming::A)),
                [(a.name, "is wrong".into())]
            );
            assert_eq!(
                shown(&reported(FieldNaming::B)),
                [(b.name, "is wrong".into())]
            );
            assert_eq!(reported(FieldNaming::B).service(), a.service);
            assert_eq!(a.service, b.service);
        }
    }

    #[test]
    fn attributes_both_variants_share_keep_their_name() {
        let reported = in_names_of(FieldNaming::B, Violations::of(&COUNTRY, "is wrong"));
        assert_eq!(shown(&reported), [("countryCode", "is wrong".into())]);
    }
}
