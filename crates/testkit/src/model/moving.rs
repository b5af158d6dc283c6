//! Playing movements of money beside purchases on two stores, and comparing what they answer.

use super::agreement::{Agreement, agree, both, working};
use super::movement::{ModelMovement, NAMES};
use super::play::{ModelComparison, named};
use crate::builders::{
    checkout, collected, coupons, gift_cards, invoice, invoice_opening, issue, kobo,
    payment_reference, reference, virtual_account,
};
use domain::account::AccountId;
use domain::change_set::ChangeSet;
use domain::collection::{CollectedPayment, Collection, CollectionSource};
use domain::invoice::{Invoice, InvoiceStage};
use domain::money::Currency;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::voucher::{
    Voucher, VoucherBatch, VoucherKind, VoucherRedeeming, VoucherRollingBack, VoucherStep,
    VoucherVoiding,
};
use ports::batches::PageOf;
use ports::collections::{CollectedPayments, CollectionName, CollectionSort};
use ports::invoices::{InvoiceName, InvoiceOpening};
use proptest::test_runner::TestCaseError;
use std::time::Duration;

/// How long what is to be paid waits for its payer.
const DUE_AFTER: Duration = Duration::from_hours(48);

/// Everything of an account, which has few of each.
const EVERY: PageOf = PageOf {
    offset: 0,
    length: 100,
    sort: Sort::Ascending,
};

/// Every sort of collection that is listed by itself.
const SORTS: [CollectionSort; 4] = [
    CollectionSort::Account,
    CollectionSort::Invoice,
    CollectionSort::Checkout,
    CollectionSort::Bill,
];

/// Collections have odd numbers and invoices have even ones: both are paid alike.
fn number_of(account: u8, thing: u8, is_invoice: bool) -> u64 {
    1_000 + 100 * u64::from(account) + 2 * u64::from(thing) + u64::from(!is_invoice)
}

fn step_reference(name: u8) -> MerchantReference {
    reference(&format!("step-{name}"))
}

fn batch(account: u8, thing: u8, kind: u8) -> VoucherBatch {
    let (id, under) = (named(account), format!("codes-{thing}"));
    let number = number_of(account, thing, false);
    match kind {
        0 => gift_cards(id.as_str(), number, &under),
        1 => coupons(id.as_str(), number, &under),
        _ => {
            let mut batch = gift_cards(id.as_str(), number, &under);
            batch.terms.kind = VoucherKind::Voucher;
            batch.terms.uses = Some(1);
            batch
        }
    }
}

impl ModelComparison {
    pub(super) async fn move_money(&mut self, movement: &ModelMovement) -> Agreement {
        match *movement {
            ModelMovement::Collection {
                account,
                thing,
                kind,
            } => self.make_collection((account, thing), kind).await,
            ModelMovement::Collect {
                account,
                thing,
                session,
                minor,
            } => self.collect((account, thing), session, minor).await,
            ModelMovement::Issue {
                account,
                thing,
                kind,
            } => self.make_codes((account, thing), kind).await,
            ModelMovement::Redeem {
                account,
                thing,
                name,
                minor,
            } => self.redeem((account, thing), name, minor).await,
            ModelMovement::RollBack {
                account,
                thing,
                name,
                original,
            } => self.roll_back((account, thing), name, original).await,
            ModelMovement::Void {
                account,
                thing,
                seen,
            } => self.void((account, thing), seen).await,
            ModelMovement::Invoice {
                account,
                thing,
                opens,
            } => self.bill((account, thing), opens).await,
            ModelMovement::OpenInvoice { account, thing } => {
                self.open_invoice((account, thing)).await
            }
            ModelMovement::VoidInvoice { account, thing } => {
                self.void_invoice((account, thing)).await
            }
        }
    }

    async fn make_collection(&mut self, (account, thing): (u8, u8), kind: u8) -> Agreement {
        let id = named(account);
        let builder = match kind {
            0 => virtual_account,
            1 => payment_reference,
            _ => checkout,
        };
        let made = builder(id.as_str(), number_of(account, thing, false));
        let made = Collection {
            expires_at: made.expires_at.map(|_| self.now().plus(DUE_AFTER)),
            created_at: self.now(),
            ..made
        };
        let answers = both!(self.pair, |stores| stores
            .collections
            .create_collection(&made));
        agree("create a collection", answers)?;
        self.read_movements(&id).await
    }

    async fn collect(&mut self, (account, thing): (u8, u8), session: u8, minor: i64) -> Agreement {
        let id = named(account);
        // One to the invoice where there is no collection.
        for is_invoice in [false, true] {
            let name = TransactionNumber::try_new(number_of(account, thing, is_invoice));
            let name = CollectionName::Number(name.expect("a number"));
            let found = both!(self.pair, |stores| stores.collections.collection(&id, name));
            let Some(state) = agree("a collection", found)? else {
                continue;
            };
            let of = (2_000 + u64::from(session), &*format!("session-{session}"));
            // Those of a bank are signed by an operator.
            let payment = CollectedPayment {
                source: CollectionSource::Sandbox,
                amount: kobo(minor),
                paid_at: self.now(),
                at: self.now(),
                ..collected(&state.collection, of, "100.00")
            };
            self.commit(ChangeSet::Collect(Box::new(payment))).await?;
            break;
        }
        self.read_movements(&id).await
    }

    async fn make_codes(&mut self, (account, thing): (u8, u8), kind: u8) -> Agreement {
        let mut made = batch(account, thing, kind);
        made.created_at = self.now();
        made.terms.expires_at = self.now().plus(DUE_AFTER);
        self.step_of_codes(&named(account), VoucherStep::Issue(issue(&made)))
            .await
    }

    async fn redeem(&mut self, (account, thing): (u8, u8), name: u8, minor: i64) -> Agreement {
        let wanted = VoucherRedeeming {
            account: named(account),
            reference: step_reference(name),
            voucher: Voucher::of(&batch(account, thing, 0), 1).id,
            amount: kobo(minor),
            target: None,
            at: self.now(),
        };
        self.step_of_codes(&named(account), VoucherStep::Redeem(wanted))
            .await
    }

    async fn roll_back(&mut self, (account, thing): (u8, u8), name: u8, original: u8) -> Agreement {
        let (id, original) = (named(account), step_reference(original));
        // As the gateway does it: the code is that of the redemption, where there is one.
        let found = both!(self.pair, |stores| stores
            .vouchers
            .voucher_redemption(&id, &original));
        let redemption = agree("a redemption", found)?;
        let drawn = Voucher::of(&batch(account, thing, 0), 1).id;
        let wanted = VoucherRollingBack {
            account: id,
            reference: step_reference(name),
            original,
            voucher: redemption.map_or(drawn, |it| it.voucher),
            currency: Currency::Ngn,
            reason: "Returned".to_owned(),
            at: self.now(),
        };
        self.step_of_codes(&named(account), VoucherStep::RollBack(wanted))
            .await
    }

    async fn void(&mut self, (account, thing): (u8, u8), seen: Option<u32>) -> Agreement {
        let wanted = VoucherVoiding {
            account: named(account),
            voucher: Voucher::of(&batch(account, thing, 0), 1).id,
            currency: Currency::Ngn,
            seen,
            reason: "Lost".to_owned(),
            at: self.now(),
        };
        self.step_of_codes(&named(account), VoucherStep::Void(wanted))
            .await
    }

    async fn step_of_codes(&mut self, account: &AccountId, step: VoucherStep) -> Agreement {
        let code = step.voucher();
        self.commit(ChangeSet::Voucher(Box::new(step))).await?;
        if let Some(code) = code {
            let found = both!(self.pair, |stores| stores.vouchers.voucher(account, code));
            agree("a code", found)?;
        }
        self.read_movements(account).await
    }

    async fn bill(&mut self, (account, thing): (u8, u8), opens: bool) -> Agreement {
        let id = named(account);
        let number = number_of(account, thing, true);
        let draft = Invoice {
            due_at: self.now().plus(DUE_AFTER),
            created_at: self.now(),
            ..invoice(id.as_str(), number)
        };
        let opening = opens.then(|| self.opening(number));
        let written = both!(self.pair, |stores| stores
            .invoices
            .create_invoice(&draft, opening.as_ref()));
        agree("create an invoice", written)?;
        self.read_movements(&id).await
    }

    fn opening(&self, number: u64) -> InvoiceOpening {
        InvoiceOpening {
            at: self.now(),
            ..invoice_opening(number)
        }
    }

    async fn open_invoice(&mut self, (account, thing): (u8, u8)) -> Agreement {
        let Some(found) = self.invoice((account, thing)).await? else {
            return Ok(());
        };
        if found.stage != InvoiceStage::Draft {
            return Ok(());
        }
        let opening = self.opening(number_of(account, thing, true));
        let written = both!(self.pair, |stores| stores
            .invoices
            .open_invoice(&found, &opening));
        agree("open an invoice", written)?;
        self.read_movements(&named(account)).await
    }

    async fn void_invoice(&mut self, (account, thing): (u8, u8)) -> Agreement {
        let Some(found) = self.invoice((account, thing)).await? else {
            return Ok(());
        };
        if matches!(found.stage, InvoiceStage::Void(_)) {
            return Ok(());
        }
        let written = both!(self.pair, |stores| stores.invoices.void_invoice(&found));
        agree("void an invoice", written)?;
        self.read_movements(&named(account)).await
    }

    async fn invoice(&self, (account, thing): (u8, u8)) -> Result<Option<Invoice>, TestCaseError> {
        let number = TransactionNumber::try_new(number_of(account, thing, true));
        let name = InvoiceName::Number(number.expect("a number"));
        let id = named(account);
        let found = both!(self.pair, |stores| stores.invoices.invoice(&id, name));
        Ok(agree("an invoice", found)?.map(|state| state.invoice))
    }

    /// Compares what there is of an account beside its purchases.
    pub(super) async fn read_movements(&self, id: &AccountId) -> Agreement {
        let found = both!(self.pair, |stores| stores.invoices.invoices(id, EVERY));
        agree("invoices", found)?;
        let all = CollectedPayments {
            collection: None,
            from: Timestamp::from_millis(0),
            to: self.now().plus(Duration::from_secs(1)),
        };
        let found = both!(self.pair, |stores| stores
            .collections
            .collected_payments(id, all, EVERY));
        agree("payments", found)?;
        for sort in SORTS {
            let found = both!(self.pair, |stores| stores
                .collections
                .collections(id, sort, EVERY));
            agree("collections", found)?;
        }
        for name in 0..NAMES {
            let under = step_reference(name);
            let found = both!(self.pair, |stores| stores
                .vouchers
                .voucher_redemption(id, &under));
            agree("a redemption", found)?;
            let found = both!(self.pair, |stores| stores
                .vouchers
                .voucher_rolled_back(id, &under));
            agree("a redemption that was taken back", found)?;
        }
        self.pair.read_account(id).await
    }
}
