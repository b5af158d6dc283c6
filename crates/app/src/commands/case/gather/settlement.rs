//! The cases that settlement files opened: entries of the operators' log. A settlement file must
//! not be read again for them.

use std::collections::BTreeSet;

use domain::operator::{Act, OperatorEntry};
use domain::provider::ProviderId;
use domain::time::Timestamp;

use super::{CASES_MAX, CaseKind, CaseView, case};
use crate::compose::AdminContext;
use crate::failure::Failure;

/// The open ones, each once.
pub(super) async fn cases(
    context: &AdminContext,
    resolved: &BTreeSet<String>,
) -> Result<Vec<CaseView>, Failure> {
    let acts = context.operator_log.of_acts(&[Act::CaseOpen]).await?;
    let mut seen = BTreeSet::new();
    let now = context.now();
    let open = acts
        .into_iter()
        .filter(|it| !resolved.contains(&it.order.reference))
        // Two operators who read one file at the same time open the same case.
        .filter(|it| seen.insert(it.order.reference.clone()));
    let open = open.take(CASES_MAX as usize);
    Ok(open.map(|entry| view(&entry, now)).collect())
}

fn view(entry: &OperatorEntry, now: Timestamp) -> CaseView {
    let todo = "compare with the provider, see `manilla transaction show`; then resolve it with \
                --reason";
    let order = &entry.order;
    let kind = CaseKind::Settlement;
    let found = case(kind, &order.detail, todo);
    let prefix = format!("{}:{}:", kind.word(), order.account);
    let name = order.reference.strip_prefix(&prefix);
    let reference = name.and_then(|it| it.rsplit_once(':'));
    let found = match (ProviderId::parse(&order.account), reference) {
        (Ok(provider), Some((reference, _))) => found.at(&provider, reference),
        (_, _) => found,
    };
    let found = found.since(entry.at, now);
    CaseView {
        id: order.reference.clone(),
        currency: order.amount.map(|it| it.currency().code()),
        amount: order.amount.map(|it| it.to_string()),
        minor: order.amount.map(domain::money::Money::minor),
        ..found
    }
}
