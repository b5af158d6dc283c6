//! `/account/users` and what is below it. An activation code must be shown in the answer that
//! invites its user and nowhere else.

use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::access::{
    AccountUserId, AccountUserState, AccountUserStatus, NewAccountUser, UserName, UserRole,
};
use domain::account::EmailAddress;
use std::convert::Infallible;

const PATH: &str = "/account/users";

/// The only order: by the moment they were invited.
const ORDERS: [(&str, ()); 1] = [("usrCreated", ())];

/// The users that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsersQuery {
    /// The one user that is requested; without it, a page of all of them.
    pub only: Option<AccountUserId>,
    pub paging: Paging<()>,
}

/// A page of the users of an account.
#[derive(Debug, Clone, Copy)]
pub struct UsersPart<'a> {
    pub users: &'a [AccountUserState],
    /// The number of users of the account.
    pub total: u64,
}

/// Reads which users are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<UsersQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let only = reader.optional(&attribute::USER, user_id);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| {
        Ok(UsersQuery {
            only: only?,
            paging: paging?,
        })
    })
}

/// Reads who is invited.
pub fn parse_invitation(
    attributes: &Attributes,
    handling: Handling,
) -> Result<NewAccountUser, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let email = reader.required(&attribute::USER_EMAIL, EmailAddress::parse);
    let name = reader.required(&attribute::USER_NAME, UserName::parse);
    let roles = UserRole::ALL.map(|role| (role.code(), role));
    let role = reader.word(&attribute::USER_ROLE, &roles);
    reader.finish(|| {
        Ok(NewAccountUser {
            email: email?,
            name: name?,
            role: role?,
        })
    })
}

/// Reads which user is activated, and the code, which is compared and not judged here.
pub fn parse_activation(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(AccountUserId, String), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let id = reader.required(&attribute::USER, user_id);
    let code = reader.required(&attribute::ACTIVATION_CODE, |text| {
        Ok::<_, Infallible>(text.to_owned())
    });
    reader.finish(|| Ok((id?, code?)))
}

/// Reads which user is disabled.
pub fn parse_disabling(
    attributes: &Attributes,
    handling: Handling,
) -> Result<AccountUserId, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let id = reader.required(&attribute::USER, user_id);
    reader.finish(|| id)
}

/// A user with the activation code, which is shown only in this answer.
pub fn invited(user: &AccountUserState, code: &str, zone: &Zone) -> Object {
    view_one(user, zone).with("activationCode", code)
}

/// One user.
pub fn view_one(state: &AccountUserState, zone: &Zone) -> Object {
    let user = &state.user;
    let status = state.status();
    let expires = match status {
        AccountUserStatus::Invited => Some(state.code_expires_at()),
        AccountUserStatus::Active | AccountUserStatus::Disabled => None,
    };
    let scopes = user.role.scopes().iter();
    let scopes = scopes.map(|scope| scope.code().to_owned());
    Object::new()
        .with("usrIdentifier", user.id.get())
        .with("usrEmail", user.email.as_str())
        .with("usrName", user.name.as_str())
        .with("usrRole", user.role.code())
        .with("usrScopes", Node::texts("usrScope", scopes))
        .with("usrStatus", status.code())
        .with("usrCreated", zone.date_time(user.created_at))
        .with("usrExpires", expires.map(|at| zone.date_time(at)))
}

/// A page of the users.
pub fn view(part: UsersPart<'_>, query: &Paging<()>, zone: &Zone) -> Object {
    let users = part.users.iter().map(|user| view_one(user, zone));
    Object::new()
        .with("users", Node::objects("user", users))
        .with("metadata", page::metadata(part.users.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: UsersPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The address of a user, for `Location`.
pub fn path(id: AccountUserId) -> String {
    format!("{PATH}?{}={id}", attribute::USER.name)
}

/// Reads the number of a user.
pub(super) fn user_id(text: &str) -> Result<AccountUserId, &'static str> {
    let unknown = "must be the number of a user; GET /account/users lists those you have";
    crate::transaction::number(text)
        .map(AccountUserId::new)
        .ok_or(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty, query};
    use domain::access::UserStepKind;
    use testkit::builders::{account_user, user_step};

    fn state(kinds: &[UserStepKind]) -> AccountUserState {
        let steps = (1..).zip(kinds);
        AccountUserState {
            user: account_user("shop", 7).user,
            steps: steps.map(|(n, kind)| user_step(n, *kind).step).collect(),
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let wrong = [
            ("usrEmail", "\"ada\""),
            ("usrName", "\" \""),
            ("usrRole", "\"root\""),
            ("x", "1"),
        ];
        insta::assert_snapshot!(faults(parse_invitation(&body(&wrong), Handling::Strict)), @r"
        400 821
        usrEmail: must be an e-mail address such as owner@shop.example, of at most 254 characters
        usrName: must not be empty
        usrRole: must be owner or admin or finance or developer or support or viewer
        x: is not an attribute of this request; leave it out
        ");
        let none = parse_invitation(&body(&[("x", "1")]), Handling::Lenient);
        insta::assert_snapshot!(faults(none), @r"
        400 821
        usrEmail: is required; add it to the body
        usrName: is required; add it to the body
        usrRole: is required; add it to the body
        ");
        let wrong = body(&[("usrIdentifier", "\"x\"")]);
        insta::assert_snapshot!(faults(parse_activation(&wrong, Handling::Strict)), @r"
        400 805
        usrIdentifier: must be the number of a user; GET /account/users lists those you have
        activationCode: is required; add it to the body
        ");
        insta::assert_snapshot!(faults(parse_disabling(&wrong, Handling::Strict)), @r"
        400 -
        usrIdentifier: must be the number of a user; GET /account/users lists those you have
        ");
        let wrong = query("usrIdentifier=x&orderby=usrName&length=0&x=1");
        insta::assert_snapshot!(faults(parse(&wrong, Handling::Strict)), @r"
        400 -
        usrIdentifier: must be the number of a user; GET /account/users lists those you have
        length: must be a whole number from 1 to 100
        orderby: must be usrCreated, or left out
        x: is not an attribute of this request; leave it out
        ");
        let good = [
            ("usrEmail", "\"ADA@shop.example\""),
            ("usrName", "\"Ada\""),
            ("usrRole", "\"finance\""),
        ];
        let read = parse_invitation(&body(&good), Handling::Strict).unwrap();
        assert_eq!(read.email.as_str(), "ada@shop.example");
        assert_eq!(read.role, UserRole::Finance);
    }

    #[test]
    fn a_code_is_shown_with_the_invitation_alone_and_ends_with_it() {
        let invitation = state(&[UserStepKind::WrongCode]);
        insta::assert_snapshot!(pretty(&invited(&invitation, "AAAAA-BBBBB", &lagos()).into()), @r#"
        {
          usrIdentifier: 7
          usrEmail: "person7@shop.example"
          usrName: "Adé O’Neill"
          usrRole: "finance"
          usrScopes: [
            usrScope "read"
            usrScope "lookup"
            usrScope "pay"
          ]
          usrStatus: "Invited"
          usrCreated: "15-01-2026 10:00:00"
          usrExpires: "18-01-2026 10:00:00"
          activationCode: "AAAAA-BBBBB"
        }
        "#);
        let active = state(&[UserStepKind::Activated]);
        let shown = pretty(&view_one(&active, &lagos()).into());
        assert!(shown.contains("usrStatus: \"Active\""), "{shown}");
        assert!(shown.contains("usrExpires: null"), "{shown}");
        assert_eq!(path(active.user.id), "/account/users?usrIdentifier=7");
    }
}
