//! The form of files of reports: what the pages of reports show, as comma-separated values. It must
//! add nothing up.

use application::reports::files::{ReportFileForm, ReportSumsOf, RunRequest, TransactionLines};
use domain::reporting::{AcceptedTransaction, GroupedSums, PriceSums};
use domain::time::Timestamp;
use wire::reporting::float::{self, WalletPart};
use wire::reporting::{commission, reconciliation, settlement, transactions};
use wire::zone::Zone;

/// Files of comma-separated values.
#[derive(Debug, Clone, Copy, Default)]
pub struct CsvReports;

struct Lines(Zone);

impl TransactionLines for Lines {
    fn columns(&self) -> String {
        transactions::csv_columns()
    }

    fn line(&mut self, row: &AcceptedTransaction, text: &mut String) {
        transactions::csv_line(row, &self.0, text);
    }

    fn totals(&self, sums: &GroupedSums<PriceSums>) -> String {
        transactions::csv_totals(sums)
    }
}

impl ReportFileForm for CsvReports {
    fn midnights(&self, request: &RunRequest) -> Vec<Timestamp> {
        Zone::named(&request.time_zone).midnights(request.from, request.until)
    }

    fn transactions(&self, request: &RunRequest) -> Box<dyn TransactionLines> {
        Box::new(Lines(Zone::named(&request.time_zone)))
    }

    fn sums(&self, request: &RunRequest, sums: ReportSumsOf) -> (String, u64) {
        let zone = Zone::named(&request.time_zone);
        let report = match sums {
            ReportSumsOf::Commission(sums) => commission::report(&sums, &zone),
            ReportSumsOf::Settlement(sums) => settlement::report(&sums, &zone),
            ReportSumsOf::Reconciliation(sums) => reconciliation::report(&sums, &zone),
            ReportSumsOf::Float(wallets) => {
                let parts = wallets.iter().map(|it| WalletPart {
                    days: &it.days,
                    total: &it.total,
                });
                let parts: Vec<_> = parts.collect();
                float::report(&parts, request.grouping, &zone)
            }
        };
        report.csv()
    }
}
