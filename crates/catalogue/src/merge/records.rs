//! The records of a catalogue that a document changes: each is copied from that of the program
//! once. It must not change what it copies.

use super::{Merge, Mistake, Reading};
use domain::airtime::Network;
use domain::bill::{BillCategory, Biller};
use domain::cabletv::CableBiller;
use domain::electricity::{Disco, DiscoCode};
use domain::internet::DataOperator;
use domain::subscription::BillerCode;

impl Merge<'_> {
    /// The record that takes the place of the program's.
    pub(super) fn network(&mut self, code: &str) -> Reading<&mut Network> {
        let networks = self.base.networks();
        let known = networks.into_iter().find(|it| it.code == code);
        record(&mut self.changed.networks, known, |it| it.code == code)
    }

    pub(super) fn disco(&mut self, code: &DiscoCode) -> Reading<&mut Disco> {
        let known = self.base.disco(code);
        record(&mut self.changed.discos, known, |it| it.code == *code)
    }

    pub(super) fn cable(&mut self, code: &BillerCode) -> Reading<&mut CableBiller> {
        let known = self.base.cable_provider(code);
        record(&mut self.changed.cable, known, |it| it.code == *code)
    }

    pub(super) fn data(&mut self, code: &BillerCode) -> Reading<&mut DataOperator> {
        let known = self.base.data_provider(code);
        record(&mut self.changed.data, known, |it| it.code == *code)
    }

    pub(super) fn bill(
        &mut self,
        category: BillCategory,
        code: &BillerCode,
    ) -> Reading<&mut Biller> {
        let known = self.base.biller(category, code);
        record(&mut self.changed.bills, known, |it| {
            it.category == category && it.code == *code
        })
    }
}

fn record<'a, T: Clone>(
    changed: &'a mut Vec<T>,
    known: Option<&T>,
    is_it: impl Fn(&T) -> bool,
) -> Reading<&'a mut T> {
    if !changed.iter().any(&is_it) {
        changed.push(known.ok_or(Mistake)?.clone());
    }
    changed.iter_mut().find(|it| is_it(it)).ok_or(Mistake)
}
