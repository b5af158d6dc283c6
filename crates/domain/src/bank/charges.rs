//! What a payout costs on top, by rules that change on known days. It must never charge by a rule
//! that was not in force when the payout was priced.

use crate::money::{Currency, Money};
use crate::percent::Percent;
use crate::rule_date;
use crate::time::Timestamp;
use rust_decimal::Decimal;

/// Charges as they are from a moment on, until a later rule takes over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeRule {
    /// The first moment it is in force.
    pub from: Timestamp,
    /// What is charged, by amount: ascending, the last without an upper end.
    pub bands: Vec<Band>,
    /// Value-added tax on the charge.
    pub vat: Percent,
    /// The smallest amount the levy is due on.
    pub levy_from: Money,
    /// The state's levy on electronic transfers.
    pub levy: Money,
    /// Whether the levy is due on salaries too.
    pub levies_salaries: bool,
}

/// The charge for amounts up to an end, from the end of the band before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// The largest amount in it; `None` where there is no end.
    pub up_to: Option<Money>,
    /// The charge, before tax.
    pub charge: Money,
}

/// What one payout costs on top of its amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charges {
    /// The charge, before tax.
    pub charge: Money,
    /// The tax on it, rounded half-up once.
    pub vat: Money,
    /// The levy; zero where none is due.
    pub levy: Money,
}

impl Charges {
    /// Charge and tax, `txnCharges` on the interface; `None` beyond the largest amount.
    pub fn with_vat(&self) -> Option<Money> {
        self.charge.checked_add(self.vat)
    }

    /// Everything on top of the amount; `None` beyond the largest amount.
    pub fn total(&self) -> Option<Money> {
        self.with_vat()?.checked_add(self.levy)
    }
}

/// Rules that follow one another in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeRules(Vec<ChargeRule>);

/// Why rules cannot be charged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidChargeRules {
    /// There is none.
    #[error("must hold at least one rule")]
    None,
    /// Rules are named by their day, and a name must stand for one rule.
    #[error("must not hold two rules from the same day")]
    SameDay,
    /// Amounts above the last end would cost nothing.
    #[error("the last band of a rule, and no other, must have no upper end")]
    LastBandClosed,
    /// Bands overlap, are empty or out of order.
    #[error("the ends of the bands of a rule must be above zero and ascend")]
    BandsUnsorted,
    /// Money in more than one currency.
    #[error("all amounts must be in one currency")]
    Currencies,
    /// A charge or levy below zero.
    #[error("charges and levies must not be negative")]
    Negative,
}

impl ChargeRules {
    /// Rules in any order.
    ///
    /// # Errors
    /// Refuses what would leave a charge open to guessing: no rule, two from one day (UTC), bands
    /// that do not ascend to an open end, several currencies, and negative charges.
    pub fn try_new(mut rules: Vec<ChargeRule>) -> Result<Self, InvalidChargeRules> {
        let first = rules.first().ok_or(InvalidChargeRules::None)?;
        let currency = first.levy.currency();
        rules.iter().try_for_each(|rule| check(rule, currency))?;
        rules.sort_by_key(|rule| rule.from);
        if rule_date::share_a_day(&rules, |rule| rule.from) {
            return Err(InvalidChargeRules::SameDay);
        }
        Ok(Self(rules))
    }

    /// What Nigerian banks charge: the bands of the central bank's Guide to Charges by Banks
    /// (2020), and VAT at 7.5 % and 50.00 on transfers from 10,000.00 on by the Finance Act 2019,
    /// in force together since 2020-02-01. Since 2026-01-01 salaries are exempt from the levy, a
    /// stamp duty by the Nigeria Tax Act 2025.
    pub fn default_nigeria() -> Self {
        let naira = |major: i64| Money::from_minor(major.saturating_mul(100), Currency::Ngn);
        let band = |up_to: Option<i64>, charge| Band {
            up_to: up_to.map(naira),
            charge: naira(charge),
        };
        let since = |from, levies_salaries| ChargeRule {
            from: Timestamp::from_millis(from),
            bands: vec![
                band(Some(5_000), 10),
                band(Some(50_000), 25),
                band(None, 50),
            ],
            // 7.5 is a percentage, so the other arm is never taken.
            vat: Percent::try_new(Decimal::new(75, 1)).unwrap_or(Percent::ZERO),
            levy_from: naira(10_000),
            levy: naira(50),
            levies_salaries,
        };
        Self(vec![
            since(1_580_515_200_000, true),
            since(1_767_225_600_000, false),
        ])
    }

    /// What a payout of an amount costs at a moment, and the name of the rule that says so, such
    /// as `payout-charges:2020-02-01` (its first day, UTC). `None` before the first rule, and for
    /// money of another currency.
    pub fn charges(&self, amount: Money, at: Timestamp) -> Option<(Charges, String)> {
        let rule = self.rule(at)?;
        Some((rule.charges(amount)?, rule.name()))
    }

    /// The value-added tax on charges at a moment; `None` before the first rule.
    pub fn vat(&self, at: Timestamp) -> Option<Percent> {
        self.rule(at).map(|rule| rule.vat)
    }

    /// The same of a salary.
    pub fn salary_charges(&self, net: Money, at: Timestamp) -> Option<(Charges, String)> {
        let rule = self.rule(at)?;
        let mut charges = rule.charges(net)?;
        if !rule.levies_salaries {
            charges.levy = Money::zero(charges.levy.currency());
        }
        Some((charges, rule.name()))
    }

    fn rule(&self, at: Timestamp) -> Option<&ChargeRule> {
        self.0.iter().rev().find(|rule| rule.from <= at)
    }
}

impl ChargeRule {
    fn name(&self) -> String {
        format!("payout-charges:{}", rule_date::utc(self.from))
    }

    fn charges(&self, amount: Money) -> Option<Charges> {
        let currency = self.levy.currency();
        if amount.currency() != currency {
            return None;
        }
        let reaches = |end: Money| amount.minor() <= end.minor();
        let band = self
            .bands
            .iter()
            .find(|band| band.up_to.is_none_or(reaches))?;
        let levied = amount.minor() >= self.levy_from.minor();
        Some(Charges {
            charge: band.charge,
            vat: self.vat.of(band.charge)?,
            levy: if levied {
                self.levy
            } else {
                Money::zero(currency)
            },
        })
    }
}

fn check(rule: &ChargeRule, currency: Currency) -> Result<(), InvalidChargeRules> {
    let ends = rule.bands.iter().filter_map(|band| band.up_to);
    let charges = rule.bands.iter().map(|band| band.charge);
    let costs = charges.chain([rule.levy, rule.levy_from]);
    if ends
        .clone()
        .chain(costs.clone())
        .any(|money| money.currency() != currency)
    {
        return Err(InvalidChargeRules::Currencies);
    }
    if costs.clone().any(|money| money.minor() < 0) {
        return Err(InvalidChargeRules::Negative);
    }
    let closed = match rule.bands.split_last() {
        Some((last, others)) => {
            last.up_to.is_some() || others.iter().any(|band| band.up_to.is_none())
        }
        None => true,
    };
    if closed {
        return Err(InvalidChargeRules::LastBandClosed);
    }
    let ends: Vec<i64> = [0].into_iter().chain(ends.map(Money::minor)).collect();
    if ends.is_sorted_by(|earlier, later| earlier < later) {
        Ok(())
    } else {
        Err(InvalidChargeRules::BandsUnsorted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kobo(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn day(day: i64) -> Timestamp {
        Timestamp::from_millis(day * 86_400_000)
    }

    fn rule(from: Timestamp, ends: &[i64], charges: &[i64]) -> ChargeRule {
        let ends = ends
            .iter()
            .copied()
            .map(|end| Some(kobo(end)))
            .chain([None]);
        let bands = ends.zip(charges).map(|(up_to, charge)| Band {
            up_to,
            charge: kobo(*charge),
        });
        ChargeRule {
            from,
            bands: bands.collect(),
            vat: Percent::parse("7.5").unwrap(),
            levy_from: kobo(1_000_000),
            levy: kobo(5_000),
            levies_salaries: true,
        }
    }

    /// Charge, VAT and levy in kobo.
    fn charged(rules: &ChargeRules, amount: i64, at: Timestamp) -> Option<(i64, i64, i64)> {
        let (charges, _) = rules.charges(kobo(amount), at)?;
        Some((
            charges.charge.minor(),
            charges.vat.minor(),
            charges.levy.minor(),
        ))
    }

    fn today() -> Timestamp {
        Timestamp::from_millis(1_768_467_600_000)
    }

    #[test]
    fn nigerian_charges_change_at_the_borders_to_the_kobo() {
        let rules = ChargeRules::default_nigeria();
        let borders = [
            (1, (1_000, 75, 0)),
            (500_000, (1_000, 75, 0)),
            (500_001, (2_500, 188, 0)),
            (999_999, (2_500, 188, 0)),
            (1_000_000, (2_500, 188, 5_000)),
            (5_000_000, (2_500, 188, 5_000)),
            (5_000_001, (5_000, 375, 5_000)),
            (Money::MAX_MINOR, (5_000, 375, 5_000)),
        ];
        for (amount, expected) in borders {
            assert_eq!(charged(&rules, amount, today()), Some(expected), "{amount}");
        }
    }

    #[test]
    fn salaries_are_exempt_from_the_levy_since_2026() {
        let rules = ChargeRules::default_nigeria();
        let since = Timestamp::from_millis(1_767_225_600_000);
        let levy = |at| {
            let salary = rules.salary_charges(kobo(2_000_000), at).unwrap();
            let other = rules.charges(kobo(2_000_000), at).unwrap();
            assert_eq!(salary.0.with_vat(), other.0.with_vat());
            assert_eq!(salary.1, other.1);
            (salary.0.levy.minor(), other.0.levy.minor(), salary.1)
        };
        let before = Timestamp::from_millis(since.as_millis() - 1);
        let name = |day: &str| format!("payout-charges:{day}");
        assert_eq!(levy(before), (5_000, 5_000, name("2020-02-01")));
        assert_eq!(levy(since), (0, 5_000, name("2026-01-01")));
    }

    #[test]
    fn charge_and_tax_are_shown_as_one_and_the_levy_apart() {
        let rules = ChargeRules::default_nigeria();
        let shown = |amount| {
            let (charges, _) = rules.charges(kobo(amount), today()).unwrap();
            let with_vat = charges.with_vat().unwrap().to_string();
            (
                with_vat,
                charges.levy.to_string(),
                charges.total().unwrap().to_string(),
            )
        };
        let expected = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(shown(500_000), expected("10.75", "0.00", "10.75"));
        assert_eq!(shown(500_001), expected("26.88", "0.00", "26.88"));
        assert_eq!(shown(1_000_000), expected("26.88", "50.00", "76.88"));
        assert_eq!(shown(5_000_001), expected("53.75", "50.00", "103.75"));
    }

    #[test]
    fn nothing_is_charged_by_a_rule_before_its_first_moment() {
        let rules = ChargeRules::default_nigeria();
        let first = Timestamp::from_millis(1_580_515_200_000);
        let before = Timestamp::from_millis(1_580_515_199_999);
        assert_eq!(rules.charges(kobo(100), before), None);
        let (_, name) = rules.charges(kobo(100), first).unwrap();
        assert_eq!(name, "payout-charges:2020-02-01");
    }

    #[test]
    fn the_latest_rule_in_force_is_the_one_that_charges() {
        let rules = [rule(day(20), &[], &[200]), rule(day(10), &[], &[100])];
        let rules = ChargeRules::try_new(rules.to_vec()).unwrap();
        let at = |millis: i64| {
            let at = Timestamp::from_millis(millis);
            let (charges, name) = rules.charges(kobo(1), at)?;
            Some((charges.charge.minor(), name))
        };
        assert_eq!(at(day(10).as_millis() - 1), None);
        let first = Some((100, "payout-charges:1970-01-11".to_owned()));
        assert_eq!(at(day(10).as_millis()), first);
        assert_eq!(at(day(20).as_millis() - 1), first);
        let second = Some((200, "payout-charges:1970-01-21".to_owned()));
        assert_eq!(at(day(20).as_millis()), second);
        assert_eq!(at(i64::MAX), second);
    }

    #[test]
    fn rules_that_leave_a_charge_to_guessing_are_refused() {
        let refused = |rule| ChargeRules::try_new(vec![rule]).unwrap_err();
        assert_eq!(
            ChargeRules::try_new(Vec::new()),
            Err(InvalidChargeRules::None)
        );

        let mut closed = rule(day(1), &[100], &[1, 2]);
        closed.bands.pop();
        assert_eq!(refused(closed), InvalidChargeRules::LastBandClosed);
        let mut none = rule(day(1), &[], &[1]);
        none.bands.clear();
        assert_eq!(refused(none), InvalidChargeRules::LastBandClosed);
        let mut open = rule(day(1), &[100], &[1, 2]);
        open.bands[0].up_to = None;
        assert_eq!(refused(open), InvalidChargeRules::LastBandClosed);

        for ends in [[100, 100], [200, 100], [0, 100], [-1, 100]] {
            let unsorted = rule(day(1), &ends, &[1, 2, 3]);
            assert_eq!(
                refused(unsorted),
                InvalidChargeRules::BandsUnsorted,
                "{ends:?}"
            );
        }

        assert_eq!(
            refused(rule(day(1), &[], &[-1])),
            InvalidChargeRules::Negative
        );
        let mut levy = rule(day(1), &[], &[1]);
        levy.levy = kobo(-1);
        assert_eq!(refused(levy), InvalidChargeRules::Negative);

        let noon = day(1).plus(std::time::Duration::from_hours(12));
        let twice = vec![rule(day(1), &[], &[1]), rule(noon, &[], &[2])];
        assert_eq!(
            ChargeRules::try_new(twice),
            Err(InvalidChargeRules::SameDay)
        );
    }

    #[test]
    fn the_nigerian_rules_pass_their_own_check() {
        let rules = ChargeRules::default_nigeria();
        assert_eq!(ChargeRules::try_new(rules.0.clone()), Ok(rules.clone()));
        assert_eq!(rules.0[0].vat, Percent::parse("7.5").unwrap());
    }

    /// The Nigerian charges computed a second way, in whole kobo and without a table.
    fn nigerian(amount: i64) -> (i64, i64, i64) {
        let charge = match amount {
            ..=500_000 => 1_000,
            500_001..=5_000_000 => 2_500,
            _ => 5_000,
        };
        let vat = (charge * 75 + 500) / 1_000;
        let levy = if amount < 1_000_000 { 0 } else { 5_000 };
        (charge, vat, levy)
    }

    proptest! {
        #[test]
        fn nigerian_charges_are_those_of_the_guide(
            amount in prop_oneof![1_i64..=6_000_000, 1..=Money::MAX_MINOR],
            millis in 1_580_515_200_000_i64..=i64::MAX,
        ) {
            let at = Timestamp::from_millis(millis);
            let charged = charged(&ChargeRules::default_nigeria(), amount, at);
            prop_assert_eq!(charged, Some(nigerian(amount)));
        }

        #[test]
        fn any_rules_charge_by_the_band_the_amount_lies_in(
            ends in prop::collection::btree_set(1_i64..1_000, 0..6),
            charges in prop::collection::vec(0_i64..100_000, 7),
            (vat, levy_from, levy) in (0_i64..=1_000_000, 0_i64..1_200, 0_i64..10_000),
            amount in 1_i64..1_200,
        ) {
            let ends: Vec<i64> = ends.into_iter().collect();
            let mut only = rule(day(0), &ends, &charges);
            only.vat = Percent::try_new(Decimal::new(vat, 4)).unwrap();
            (only.levy_from, only.levy) = (kobo(levy_from), kobo(levy));
            let rules = ChargeRules::try_new(vec![only]).unwrap();

            // The oracle: as many bands lie below the amount as there are ends below it, and half
            // a kobo more than the exact tax, cut off, is the tax rounded half-up.
            let charge = charges[ends.iter().filter(|end| **end < amount).count()];
            let tax = (2 * charge * vat + 1_000_000) / 2_000_000;
            let due = if levy_from <= amount { levy } else { 0 };
            prop_assert_eq!(charged(&rules, amount, day(0)), Some((charge, tax, due)));
        }

        #[test]
        fn at_every_moment_the_latest_started_rule_charges(
            starts in prop::collection::btree_set(0_i64..100, 1..6), now in -1_i64..101,
        ) {
            let rules = starts.iter().map(|start| rule(day(*start), &[], &[*start + 1]));
            let rules = ChargeRules::try_new(rules.rev().collect()).unwrap();
            let in_force = starts.iter().filter(|start| **start <= now).max();
            let charge = charged(&rules, 1, day(now)).map(|(charge, _, _)| charge);
            prop_assert_eq!(charge, in_force.map(|start| start + 1));
        }
    }
}
