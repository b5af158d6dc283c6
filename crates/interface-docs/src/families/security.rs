//! What stops and what protects an account. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, Parameter, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::access::AllowlistEntry;
use domain::account_change::{AccountChangesQuery, ChangeAction, ChangeActor};
use domain::credential::KeyId;
use domain::family::Service;
use domain::freeze::{Freeze, FreezeState, FreezeTarget};
use domain::request_log::RequestLogQuery;
use domain::statement::Sort;
use testkit::builders::{access_key, at, freeze, operator_freeze};
use wire::attribute::{
    ALLOWED, ALLOWED_NETWORK, ALLOWED_NOTE, AUDIT_ACTION, FROM, KEY, LOG_STATUS, OVERLAP_HOURS,
    REASON, REQUEST_ID, SCOPE, SERVICE, TO,
};
use wire::page::{LENGTH_MAX, Paging};
use wire::security::audit::ChangesPart;
use wire::security::logs::RequestsPart;
use wire::security::{allowlist, audit, freezes, logs, rotation};

/// What stands for a key of the account.
const OWN_KEY: &str = "00c3a5d97b21f04e";

const REASON_GIVEN: &str = "The laptop was stolen.";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "security",
        name: "Security",
        about: "What stops your account, a key or a service at once, lets it go on, puts new \
                keys in the place of others, says where each key is used from, and shows what was \
                changed and what was asked.",
        operations: vec![
            set_freeze(),
            lift_freeze(),
            list_freezes(),
            rotate(),
            allow(),
            remove_allowed(),
            list_allowed(),
            list_changes(),
            list_requests(),
        ],
    }
}

fn set_freeze() -> Operation {
    Operation::post(
        "/security/freeze",
        "freeze",
        "Freeze the account, a key or a service",
    )
    .detailed(
        "A frozen account opens no payment and makes or takes no code: those requests are \
             answered 403 (801). A frozen service refuses its own orders alike, and the others go \
             on. What is queued, such as the payments of a bulk transfer or a payroll, stays in \
             the queue until it goes on or its time is over. What was sent is concluded, money may \
             come in, and everything is read as before. A frozen key is refused with 403 (803) \
             whatever it asks for, on every instance within a second. Once this is answered, \
             nothing more is opened that it stops. Needs the scope `admin`; a key may be frozen \
             with itself. What is frozen already stays as it was set.",
    )
    .takes(attributes())
    .answers("Freeze", shown(FreezeState::Frozen, "It is frozen."))
    .refused(&[404])
}

fn lift_freeze() -> Operation {
    Operation::post("/security/unfreeze", "unfreeze", "Let what is frozen go on")
        .detailed(
            "With a key that is not frozen and has the scope `admin`; where there is none, the \
             operator of the gateway makes one. What the operator froze is answered 403: the \
             operator lets it go on. What was never frozen is answered `Active`, \
             without a date. An account lifts 50 freezes within 24 hours at most, and is answered \
             409 beyond that.",
        )
        .takes(attributes())
        .answers("Freeze", shown(FreezeState::Active, "It goes on."))
        .refused(&[404, 409])
}

fn list_freezes() -> Operation {
    let of = [
        FreezeTarget::Account,
        FreezeTarget::Key(own_key()),
        FreezeTarget::Service(Service::Bank),
    ];
    let frozen = of.map(|target| set(target, FreezeState::Frozen));
    let by_operator = operator_freeze("shop", FreezeTarget::Service(Service::Bank), 1).freeze;
    let frozen = frozen.into_iter().chain([by_operator]);
    let listing = freezes::listing(frozen.collect(), &lagos());
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let fields = freezes::view_list(&listing, &paging);
    Operation::get("/security/freeze", "listFreezes", "List what is frozen")
        .takes([])
        .in_parts(&["frzSince"])
        .lists(
            "Freezes",
            vec![sample("freezes", "What is frozen.", fields)],
        )
}

fn rotate() -> Operation {
    let key = access_key("shop", 7, "Till 1").key;
    let old = (own_key(), at(86_400));
    let secret = "mk_test_0007xXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxX";
    let signing = "xXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxXXxXXx=";
    let of = |secrets| rotation::view(&key, old, secrets, &lagos());
    let made = |signing| Sample {
        status: 201,
        ..sample(
            "rotated",
            "The new key; its secret is shown this once.",
            of(Some((secret, signing))),
        )
    };
    Operation::post(
        "/security/rotate",
        "rotateKey",
        "Put a new key in the place of one",
    )
    .detailed(
        "The new key has the name, scopes, networks, user and end of the old one, and its \
             secret is in this answer alone; the old one works for `overlapHours` yet and is \
             answered 401 from then on. A key is rotated once: then rotate the one that takes its \
             place. Two keys of a name work at a time. Nothing is rotated that allows more than \
             the key of the request (403); keys of the operator of the gateway are rotated by the \
             operator. With an `Idempotency-Key` a retry is answered the same key, without its \
             secret. A key whose requests are signed is followed by one with a \
             `keySigningSecret` of its own.",
    )
    .takes([
        required(&KEY, OWN_KEY),
        optional(&OVERLAP_HOURS).such_as("24"),
    ])
    .creates("RotatedKey", vec![made(None), made(Some(signing)).unseen()])
    .creates(
        "RotatedKeyBefore",
        vec![sample(
            "before",
            "The new key of the first request.",
            of(None),
        )],
    )
    .refused(&[404, 409])
}

fn allow() -> Operation {
    Operation::post(
        "/security/allowlist",
        "allowNetwork",
        "Add a network that a key may be used from",
    )
    .detailed(
        "A key without networks is used from anywhere. From the first one on, a request with it \
         from any other address is answered 403 (803) whatever it asks for, by every instance \
         within a second. Its own `keyAllowlist` counts besides. Without `keyIdentifier` it is the \
         key of the request, which a change never locks out: a list of it without the address of \
         the request is refused with 400. A key has 20 networks at most, and the one that takes \
         its place gets them too. What is there already stays as it was added. An account changes \
         its lists 200 times within 24 hours at most, and is answered 409 beyond that. Needs the \
         scope `admin`.",
    )
    .takes([
        optional(&KEY).such_as(OWN_KEY),
        required(&ALLOWED_NETWORK, "203.0.113.0/24"),
        optional(&ALLOWED_NOTE).such_as("Office in Lagos"),
    ])
    .answers(
        "AllowedNetwork",
        shown_networks("The key may be used from the network."),
    )
    .refused(&[404, 409])
}

fn remove_allowed() -> Operation {
    Operation::post(
        "/security/allowlist/remove",
        "removeNetwork",
        "Remove a network of a key",
    )
    .detailed(
        "Answers the network as it was. A key without any is used from anywhere again. Needs the \
         scope `admin`.",
    )
    .takes([required(&ALLOWED, "7b21f04e00c3a5d9")])
    .answers("AllowedNetwork", shown_networks("The network is removed."))
    .refused(&[404, 409])
}

fn list_allowed() -> Operation {
    let entries = allowed().into_iter().map(|entry| (own_key(), entry));
    let listing = allowlist::listing(entries, &lagos());
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let fields = allowlist::view_list(&listing, &paging);
    Operation::get(
        "/security/allowlist",
        "listNetworks",
        "List the networks that keys may be used from",
    )
    .takes([])
    .in_parts(&["alwCreated"])
    .lists(
        "AllowedNetworks",
        vec![sample(
            "networks",
            "The networks that your keys may be used from.",
            fields,
        )],
    )
}

fn list_changes() -> Operation {
    let query = AccountChangesQuery {
        from: None,
        before: None,
        action: None,
        offset: 0,
        length: LENGTH_MAX,
        sort: Sort::Ascending,
    };
    let by_key = testkit::builders::recorded_change("shop");
    let mut by_user = by_key.clone();
    by_user.number = 2;
    by_user.previous = by_key.hash;
    by_user.change.actor = ChangeActor::User(testkit::builders::account_user_id(7), own_key());
    let mut by_system = by_key.clone();
    by_system.number = 3;
    by_system.change.actor = ChangeActor::System;
    by_system.change.action = ChangeAction::KeyRevoked;
    by_system.change.target = format!("key {}", own_key());
    by_system.change.before = None;
    by_system.change.after = None;
    by_system.change.address = None;
    by_system.change.request_id = None;
    let changes = [by_key, by_user, by_system];
    let part = ChangesPart {
        changes: &changes,
        total: 3,
        found: 3,
    };
    let fields = audit::view(part, &query, &lagos());
    Operation::get("/security/audit", "listChanges", "List what was changed")
        .detailed(
            "What was changed of the keys, users, limits, freezes, networks and webhook endpoints \
             of your account, by whom and from where. Each change is recorded by the commit that \
             makes it, without secrets, and is never altered: `audHash` is the SHA-256 of what it \
             says and of `audPrevious`, the hash of the one before it, and `audVerified` says \
             whether that is so and a gateway wrote it. Needs the scope `admin`.",
        )
        .takes([
            optional(&FROM).such_as("2026-01-01T00:00:00Z"),
            optional(&TO).such_as("2030-01-01T00:00:00Z"),
            optional(&AUDIT_ACTION).one_of(&audit::action_words()),
        ])
        .in_parts(&["audDate"])
        .lists(
            "Changes",
            vec![sample(
                "changes",
                "What was changed of your account.",
                fields,
            )],
        )
}

fn list_requests() -> Operation {
    let query = RequestLogQuery {
        from: None,
        before: None,
        status: None,
        request_id: None,
        offset: 0,
        length: LENGTH_MAX,
        sort: Sort::Descending,
    };
    let requests = [2, 1].map(|second| testkit::builders::logged_request("shop", second));
    let part = RequestsPart {
        requests: &requests,
        total: 2,
        found: 2,
    };
    let fields = logs::view(part, &query, &lagos());
    Operation::get("/security/logs", "listRequests", "List your requests")
        .detailed(
            "The requests that a key of your account opened, the newest first, also those that \
             were refused: for another scope, from another network, with a frozen key, or beyond a \
             limit. Nothing that a request carried is kept beside its path. A request is shown \
             within seconds of its answer. The latest 10,000 of an account are kept, for 30 days \
             at most. They are there for looking something up and prove nothing: under load \
             requests may be left out, and `GET /security/audit` is what changes are recorded in. \
             Needs the scope `admin`.",
        )
        .takes([
            optional(&FROM).such_as("2026-01-01T00:00:00Z"),
            optional(&TO).such_as("2030-01-01T00:00:00Z"),
            optional(&LOG_STATUS).such_as("4xx"),
            optional(&REQUEST_ID).such_as("5c1d8f1b9e4a7c30d2b6f4a8"),
        ])
        .in_parts(&["logDate"])
        .lists(
            "Logs",
            vec![sample("logs", "The requests of your account.", fields)],
        )
}

/// Two networks of a key, the second with a note.
fn allowed() -> Vec<AllowlistEntry> {
    testkit::builders::allowlist("shop", 7, 2).list.entries
}

/// A network with a note, and one without.
fn shown_networks(message: &'static str) -> Vec<Sample> {
    let of = |entry: &AllowlistEntry| {
        let fields = allowlist::view((own_key(), entry), &lagos());
        match entry.note {
            Some(_) => sample("noted", message, fields),
            None => sample("plain", message, fields).unseen(),
        }
    };
    allowed().iter().rev().map(of).collect()
}

fn attributes() -> [Parameter; 4] {
    [
        required(&SCOPE, "key").one_of(&freezes::scope_words()),
        optional(&KEY).such_as(OWN_KEY),
        optional(&SERVICE).one_of(&freezes::service_words()),
        required(&REASON, REASON_GIVEN),
    ]
}

const fn own_key() -> KeyId {
    KeyId(0x00c3_a5d9_7b21_f04e)
}

fn set(target: FreezeTarget, state: FreezeState) -> Freeze {
    Freeze {
        state,
        ..freeze("shop", target, 1).freeze
    }
}

/// Of a key, of a service, and of what was never frozen.
fn shown(state: FreezeState, message: &'static str) -> Vec<Sample> {
    let of = |name, target| {
        let latest = set(target, state);
        let fields = freezes::view((target, state), Some(&latest), &lagos());
        sample(name, message, fields)
    };
    let mut shown = vec![
        of("key", FreezeTarget::Key(own_key())),
        of("service", FreezeTarget::Service(Service::Bank)).unseen(),
        of("account", FreezeTarget::Account).unseen(),
    ];
    if state == FreezeState::Active {
        let never = freezes::view((FreezeTarget::Account, state), None, &lagos());
        shown.push(sample("never", message, never).unseen());
    }
    shown
}
