//! `GET /account/profile`. It must show nothing of a key.

use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::account::{Account, AccountStatus, EmailAddress};
use domain::phone::PhoneNumber;

/// The request has no attributes; under strict handling each one sent is refused.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<(), Violations> {
    FieldReader::new(attributes, handling).finish(|| Ok(()))
}

/// The account as it is; what is not known of it is null.
pub fn view(account: &Account, zone: &Zone) -> Object {
    let country = account.currency.country();
    let contact = &account.contact;
    Object::new()
        .with("accIdentity", account.id.as_str())
        .with("accName", account.name.as_str())
        .with("accEmail", contact.email.as_ref().map(EmailAddress::as_str))
        .with("accPhone", contact.phone.as_ref().map(PhoneNumber::digits))
        .with("countryCode", country.map(|country| country.to_string()))
        .with("accCurrency", account.currency.code())
        .with("accTimezone", account.time_zone.as_str())
        .with("accStatus", status_word(account.status))
        .with("accEnvironment", account.environment.code())
        .with("accCreated", zone.date_time(account.opened_at))
}

const fn status_word(status: AccountStatus) -> &'static str {
    match status {
        AccountStatus::Active => "Active",
        AccountStatus::Suspended => "Suspended",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use testkit::builders::account;

    #[test]
    fn the_profile_takes_no_attributes() {
        assert!(parse(&query("a=b"), Handling::Lenient).is_ok());
        let refused = parse(&query("a=b&accName=x"), Handling::Strict);
        let expected = "400 -\na: is not an attribute of this request; leave it out\n\
                        accName: is not an attribute of this request; leave it out";
        assert_eq!(faults(refused), expected);
    }

    #[test]
    fn an_account_shows_who_it_is_and_how_it_is_reached() {
        let shop = account("shop")
            .named("Corner shop")
            .reached_by("Owner@Shop.Example", "+2348031234567");
        insta::assert_snapshot!(pretty(&view(&shop.build(), &lagos()).into()), @r#"
        {
          accIdentity: "shop"
          accName: "Corner shop"
          accEmail: "owner@shop.example"
          accPhone: "2348031234567"
          countryCode: "566"
          accCurrency: "NGN"
          accTimezone: "Africa/Lagos"
          accStatus: "Active"
          accEnvironment: "test"
          accCreated: "15-01-2026 10:00:00"
        }
        "#);
    }

    #[test]
    fn what_is_not_known_is_null() {
        let shop = account("shop").live().suspended().build();
        insta::assert_snapshot!(pretty(&view(&shop, &lagos()).into()), @r#"
        {
          accIdentity: "shop"
          accName: "shop"
          accEmail: null
          accPhone: null
          countryCode: "566"
          accCurrency: "NGN"
          accTimezone: "Africa/Lagos"
          accStatus: "Suspended"
          accEnvironment: "live"
          accCreated: "15-01-2026 10:00:00"
        }
        "#);
    }
}
