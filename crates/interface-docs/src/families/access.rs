//! Keys and users of an account. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, Parameter, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::access::{
    AccessKey, AccessScope, AccountUserState, RequestSigning, UserRole, UserStepKind,
};
use domain::credential::KeyId;
use domain::statement::Sort;
use testkit::builders::{START, access_key, account_user, account_user_id, at, user_step};
use wire::account::keys;
use wire::account::users::{self, UsersPart};
use wire::attribute::{
    ACTIVATION_CODE, KEY, KEY_ALLOWLIST, KEY_EXPIRES, KEY_NAME, KEY_SCOPES, KEY_SIGNED, USER,
    USER_EMAIL, USER_NAME, USER_ROLE,
};
use wire::page::{LENGTH_MAX, Paging};

const KEY_ID: &str = "00c3a5d97b21f04e";
const USER_ID: &str = "7213340022";
const USER_NUMBER: u64 = 7_213_340_022;
const CODE: &str = "K7QX2-9MBTD";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "access",
        name: "Keys and users",
        about: "Keys of your own, each for what it is needed for: by scopes, networks and time; \
                and the people who hold them. GET /account/permissions lists the keys.",
        operations: vec![
            create_key(),
            revoke_key(),
            invite_user(),
            list_users(),
            activate_user(),
            disable_user(),
        ],
    }
}

fn create_key() -> Operation {
    Operation::post("/account/keys", "createKey", "Make a key")
        .detailed(
            "The key allows no more than the key that it is made with: its scopes are among those \
             of that key, its networks within its networks, its end no later. Two keys of one name \
             work at a time, so that a key is rotated by making another one of its name and \
             revoking the first; a third is answered 409. Keys of 20 names work at a time, and 100 \
             are made within 24 hours. `keySecret` is the password of requests; it is shown in \
             this answer alone, and a retry under the same `Idempotency-Key` does not show it \
             again. With `usrIdentifier` the key is that of a user who is active, within the \
             scopes of the user's role, and works as long as the user is active. With `keySigned` \
             each request with the key is signed with `keySigningSecret` (REQUEST-SIGNING.md), and \
             so are those of the keys that are made with it.",
        )
        .takes([
            required(&KEY_NAME, "Till 1"),
            required(&KEY_SCOPES, "read,pay").one_of(&AccessScope::ALL.map(AccessScope::code)),
            optional(&KEY_ALLOWLIST).such_as("203.0.113.0/24"),
            optional(&KEY_EXPIRES).such_as("31-12-2099 23:59:59"),
            optional(&USER),
            optional(&KEY_SIGNED).one_of(&["true", "false"]),
        ])
        .creates("Key", made())
        .creates("KeyMade", made_before())
        .refused(&[404, 409])
}

fn revoke_key() -> Operation {
    let id = KeyId::parse(KEY_ID).expect("a number of a key");
    let fields = keys::revoked((id, START), &lagos());
    Operation::post("/account/keys/revoke", "revokeKey", "Revoke a key")
        .detailed(
            "For good, and everywhere within a second. A key that is revoked already is answered \
             with when that was. Keys that were made with it stay; GET /account/permissions shows \
             with which key each was made. The operator of the gateway revokes the keys that the \
             operator made.",
        )
        .takes([required(&KEY, KEY_ID)])
        .answers(
            "KeyRevoked",
            vec![sample("revoked", "The key is revoked.", fields)],
        )
        .refused(&[404])
}

fn invite_user() -> Operation {
    Operation::post("/account/users", "inviteUser", "Invite a user")
        .detailed(
            "Nothing is sent to the address: `activationCode` is shown in this answer alone, for \
             you to hand over, and counts for 72 hours. The role may have no scopes that the key \
             of the request lacks. A user who is not disabled has an address alone. An account has \
             100 users who are not disabled, and invites 100 within 24 hours.",
        )
        .takes([
            required(&USER_EMAIL, "ada@shop.example"),
            required(&USER_NAME, "Ada Obi"),
            required(&USER_ROLE, "finance").one_of(&UserRole::ALL.map(UserRole::code)),
        ])
        .creates("Invitation", invited())
        .creates(
            "AccountUser",
            shown(
                "The user of the first request, which was answered the code.",
                &[],
            ),
        )
        .refused(&[409])
}

fn list_users() -> Operation {
    let users = [state(&[UserStepKind::Activated]), state(&[])];
    let part = UsersPart {
        users: &users,
        total: 2,
    };
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let all = users::view(part, &paging, &lagos());
    Operation::get("/account/users", "listUsers", "List your users")
        .detailed("With `usrIdentifier` the answer is that one user.")
        .takes([optional(&USER)])
        .in_parts(&["usrCreated"])
        .lists("AccountUsers", vec![sample("all", "The users.", all)])
        .answers(
            "AccountUser",
            shown("The user.", &[UserStepKind::Activated]),
        )
        .refused(&[404])
}

fn activate_user() -> Operation {
    let path = "/account/users/activate";
    Operation::post(path, "activateUser", "Activate a user")
        .detailed(
            "With the code of the invitation, in letters of either case, with or without the dash. \
             Five wrong codes may be tried; after that the user has to be disabled and invited \
             again. A user who is active already is answered as such.",
        )
        .takes([user(), required(&ACTIVATION_CODE, CODE)])
        .answers(
            "AccountUser",
            shown("The user is active.", &[UserStepKind::Activated]),
        )
        .refused(&[404, 409])
}

fn disable_user() -> Operation {
    let path = "/account/users/disable";
    let message = "The user is disabled, and so are the user's keys.";
    Operation::post(path, "disableUser", "Disable a user")
        .detailed(
            "For good: the keys of the user stop working within a second, with those that were \
             made with them. The person may be invited again.",
        )
        .takes([user()])
        .answers("AccountUser", shown(message, &[UserStepKind::Disabled]))
        .refused(&[404])
}

fn user() -> Parameter {
    required(&USER, USER_ID)
}

/// The same key with and without what may be absent.
fn keys_shown() -> [AccessKey; 2] {
    let mut narrow = access_key("shop", 7, "Till 1").key;
    narrow.id = KeyId::parse(KEY_ID).expect("a number of a key");
    let plain = narrow.clone();
    narrow.terms.expires_at = Some(at(86_400));
    narrow.user = Some(account_user_id(USER_NUMBER));
    narrow.terms.signing = RequestSigning::Required;
    [narrow, plain]
}

const SECRET: &str = "mk_test_0007xXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxX";
const SIGNING_SECRET: &str = "xXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxXXx=";

fn made() -> Vec<Sample> {
    let message = "The key; its secret is shown this once.";
    let [narrow, plain] = keys_shown().map(|key| {
        let is_signed = key.terms.signing == RequestSigning::Required;
        let secrets = (SECRET, is_signed.then_some(SIGNING_SECRET));
        Sample {
            status: 201,
            ..sample("key", message, keys::created(&key, secrets, &lagos()))
        }
    });
    vec![narrow, plain.unseen()]
}

fn made_before() -> Vec<Sample> {
    let message = "The key of the first request, which was answered its secret.";
    let [narrow, plain] =
        keys_shown().map(|key| sample("before", message, keys::view(&key, &lagos())));
    vec![narrow, plain.unseen()]
}

fn state(kinds: &[UserStepKind]) -> AccountUserState {
    let steps = (1..).zip(kinds).map(|(n, kind)| user_step(n, *kind).step);
    let mut user = account_user("shop", USER_NUMBER).user;
    let email = domain::account::EmailAddress::parse("ada@shop.example");
    user.email = email.expect("an address");
    AccountUserState {
        user,
        steps: steps.collect(),
    }
}

fn invited() -> Vec<Sample> {
    let message = "The user; the activation code is shown this once.";
    let of = |name, kinds: &[UserStepKind]| Sample {
        status: 201,
        ..sample(name, message, users::invited(&state(kinds), CODE, &lagos()))
    };
    // A new user is invited; what it may show later has the same shape.
    let later = of("active", &[UserStepKind::Activated]).unseen();
    vec![of("invitation", &[]), later]
}

fn shown(message: &'static str, kinds: &[UserStepKind]) -> Vec<Sample> {
    let of = |kinds: &[UserStepKind]| users::view_one(&state(kinds), &lagos());
    // Of a user who is invited something is shown that others do not have.
    let other = match kinds {
        [] => of(&[UserStepKind::Activated]),
        _ => of(&[]),
    };
    vec![
        sample("user", message, of(kinds)),
        sample("other", message, other).unseen(),
    ]
}
