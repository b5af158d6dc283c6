//! Cases that batches of every kind share: their list, their report and how what waits is
//! cancelled. Each kind has a file for the request that makes one.

use super::shared::{ask, bad_reports, params, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};

/// A batch that another case has made, and where batches of its kind are found.
pub(super) struct BatchCases<'a> {
    pub list: Route,
    pub report: Route,
    pub cancel: Route,
    /// Its reference.
    pub run: &'a str,
    /// The fields after its reference.
    pub accepted: &'a str,
    /// How many payments it has, and the fields of the last.
    pub count: usize,
    pub last: &'a str,
}

impl BatchCases<'_> {
    pub(super) fn all(&self) -> Vec<Case> {
        let all = [self.listing(), self.reports(), self.cancelling()];
        all.into_iter().flatten().collect()
    }

    /// As each of them shows it.
    fn shown(&self) -> String {
        format!("\"mrcReference\":\"{}\",{}", self.run, self.accepted)
    }

    fn listing(&self) -> Vec<Case> {
        let part = format!(
            "\"batches\":[{{{}}}],\"metadata\":{{\"total\":1}},\
             \"query\":{{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":<int>}}",
            self.shown()
        );
        vec![
            ask(self.list, "it needs credentials", "", Expect::Credentials),
            ask(self.list, "a part of the list", "length=1", success(&part)),
            ask(
                self.list,
                "everything that is wrong is named at once",
                "length=101&offset=x&orderby=price&sort=",
                params(400, None, &["offset", "length", "orderby", "sort"]),
            ),
        ]
    }

    fn reports(&self) -> Vec<Case> {
        let (run, count) = (self.run, self.count);
        let offset = count - 1;
        let part = format!(
            "{},\"items\":[{{{}}}],\"metadata\":{{\"total\":1}},\
             \"query\":{{\"length\":1,\"offset\":{offset},\"total\":{count},\"found\":{count}}}",
            self.shown(),
            self.last
        );
        let mut cases = bad_reports(self.report, run);
        cases.push(ask(
            self.report,
            "a part of the payments, every field in order",
            &format!("mrcReference={run}&offset={offset}&length=1"),
            success(&part),
        ));
        cases.push(ask(
            self.report,
            "a form that there is not",
            &format!("mrcReference={run}&format=pdf"),
            params(400, None, &["format"]),
        ));
        cases
    }

    fn cancelling(&self) -> Vec<Case> {
        let case =
            |rule: &str, body: String, expect| Case::new(self.cancel, rule, Body(body), expect);
        let named = |run: &str| object(&[("mrcReference", &format!("\"{run}\""))], &[]);
        vec![
            case("it needs credentials", named(self.run), Expect::Credentials),
            case(
                "what was sent stays",
                named(self.run),
                success(&self.shown()),
            ),
            case(
                "nothing there",
                named("bad"),
                params(404, None, &["mrcReference"]),
            ),
            case(
                "no reference",
                "{}".to_owned(),
                params(400, None, &["mrcReference"]),
            ),
        ]
    }
}
