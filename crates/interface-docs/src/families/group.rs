//! Groups of bank accounts. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, Parameter, objects, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::bank::{Group, GroupVersion};
use domain::statement::Sort;
use testkit::builders::group;
use wire::attribute::{ACCOUNT_NAME, BANK, BANK_ACCOUNT, GROUP, GROUP_NAME, MEMBERS, VERSION};
use wire::group::list::{self, GroupsPart};
use wire::group::{deleted, view};
use wire::page::{LENGTH_MAX, Paging};

const ID: &str = "7213340021";
const NUMBER: u64 = 7_213_340_021;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "group",
        name: "Groups of bank accounts",
        about: "Bank accounts that belong together, such as those of a staff, under one number: \
                up to a thousand in a group, and up to a hundred groups.",
        operations: vec![create(), list_groups(), update(), delete()],
    }
}

fn create() -> Operation {
    Operation::post("/transfer/group", "createGroup", "Create a group")
        .detailed(
            "`accountName` is your own name for an account: it is kept as a label, and not \
             compared with what the bank says. Banks are not asked, so that a wrong number is \
             found when it is paid to. An account may be in a group once. The answer has an \
             `ETag` with the `version` of the group.",
        )
        .takes(content())
        .creates("Group", shown(201, "The group."))
        .creates(
            "Group",
            shown(200, "The group of the first request, as it is now."),
        )
        .refused(&[409])
}

fn list_groups() -> Operation {
    let summary = group_of(NUMBER).summary();
    let part = GroupsPart {
        groups: &[summary],
        total: 1,
    };
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let all = list::view(part, &paging, &lagos());
    Operation::get("/transfer/group", "listGroups", "List your groups")
        .detailed(
            "Without their members. With `grpIdentifier` the answer is that one group, with its \
             members and with an `ETag`.",
        )
        .takes([optional(&GROUP)])
        .in_parts(&["grpCreated"])
        .lists("Groups", vec![sample("all", "The groups.", all)])
        .answers("Group", shown(200, "The group."))
        .refused(&[404])
}

fn update() -> Operation {
    let path = "/transfer/group/update";
    Operation::post(path, "updateGroup", "Change a group")
        .detailed(
            "Name and members are replaced as a whole, and the version is counted on. `version` \
             is the one you have seen: where the group has another by now, the answer is 409 and \
             nothing is changed. With `If-Match` and the `ETag` of the group it is 412. The same \
             change again is answered as made.",
        )
        .takes(seen().into_iter().chain(content()))
        .answers("Group", shown(200, "The group."))
        .refused(&[404, 409, 412])
}

fn delete() -> Operation {
    let path = "/transfer/group/delete";
    let gone = deleted(group_of(NUMBER).id);
    Operation::post(path, "deleteGroup", "Delete a group")
        .detailed("What was paid stays as it is. `version` and `If-Match` are as for a change.")
        .takes(seen())
        .answers(
            "GroupDeleted",
            vec![sample("deleted", "The group is gone.", gone)],
        )
        .refused(&[404, 409, 412])
}

fn seen() -> [Parameter; 2] {
    [required(&GROUP, ID), required(&VERSION, "1")]
}

fn content() -> [Parameter; 2] {
    [
        required(&GROUP_NAME, "Staff"),
        objects(
            &MEMBERS,
            [
                required(&BANK, "NGNIP000013"),
                required(&BANK_ACCOUNT, "0100044567"),
                required(&ACCOUNT_NAME, "Funmilayo Adeyemi"),
            ],
        ),
    ]
}

fn group_of(number: u64) -> Group {
    Group {
        version: GroupVersion::FIRST,
        ..group("shop", number)
    }
}

fn shown(status: u16, message: &'static str) -> Vec<Sample> {
    let fields = view(&group_of(NUMBER), &lagos());
    vec![Sample {
        status,
        ..sample("group", message, fields)
    }]
}
