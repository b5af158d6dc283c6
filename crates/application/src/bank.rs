//! Banks: lists, account enquiry and payouts. The name of the account is looked up and frozen
//! before any money is held, so that no payout goes to an account that does not exist.

use crate::fingerprint::Fingerprinted;
use crate::gateway::{Gateway, Merchant};
use crate::payment::batch::{BatchItems, BatchResult, BatchTerms};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::bank::charges::Charges;
use domain::bank::{
    AccountNumber, Bank, BankAccount, BankIdentifier, BulkPayees, BulkPayout, Payout, PayoutOrder,
};
use domain::batch::BatchKind;
use domain::country::CountryCode;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::pricing::{self, Quote};
use ports::PortError;

impl Gateway {
    /// The banks of a country.
    ///
    /// # Errors
    /// When none are known there.
    pub fn banks(&self, country: CountryCode) -> Result<Vec<Bank>, RequestError> {
        let banks = self.parts().banks.banks(country);
        if banks.is_empty() {
            return Err(RequestError::CountryNotServed(country));
        }
        Ok(banks.into_iter().cloned().collect())
    }

    /// One bank.
    ///
    /// # Errors
    /// When there is none of this identity.
    pub fn bank(&self, identifier: &BankIdentifier) -> Result<Bank, RequestError> {
        let found = self.parts().banks.bank(identifier);
        found
            .cloned()
            .ok_or(RequestError::ProviderUnknown(Service::Bank))
    }

    /// Whose an account is, as its bank says, and the bank.
    ///
    /// # Errors
    /// When the bank is unknown, the number cannot be one of its accounts, or the bank knows no
    /// such account or cannot be reached.
    pub async fn bank_account(
        &self,
        merchant: &Merchant,
        (bank, number): (&BankIdentifier, &AccountNumber),
    ) -> Result<(Bank, BankAccount), RequestError> {
        let bank = self.bank(bank)?;
        if !number.fits(&bank) {
            return Err(RequestError::WrongCheckDigit);
        }
        let accounts = &self.lookups(merchant).bank_accounts;
        let asked = accounts.account(&bank.identifier, number);
        let is_asked_for =
            |account: &BankAccount| account.bank == bank.identifier && account.number == *number;
        let found = self.looked_up(asked, is_asked_for).await;
        let account = found.map_err(|failure| RequestError::Lookup(Service::Bank, failure))?;
        Ok((bank, account))
    }

    /// Pays to a bank account.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn pay_out(
        &self,
        merchant: &Merchant,
        purchase: Purchase<Payout>,
    ) -> Result<PaymentResult, RequestError> {
        let asked = self.prepare_payout(merchant, &purchase.command);
        self.pay_once(merchant, &purchase, asked).await
    }

    /// Pays to many bank accounts: every payout is stored, paid for and in the queue, or none is.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn pay_out_in_bulk(
        &self,
        merchant: &Merchant,
        purchase: Purchase<BulkPayout>,
    ) -> Result<BatchResult, RequestError> {
        let terms = BatchTerms {
            kind: BatchKind::BankTransfers,
            on_failure: purchase.command.on_failure,
        };
        let payouts = self.payouts(merchant, &purchase.command);
        self.open_payouts(merchant, (&purchase, terms), payouts)
            .await
    }

    /// Opens a batch of payouts.
    pub(crate) async fn open_payouts<C: Fingerprinted>(
        &self,
        merchant: &Merchant,
        asked: (&Purchase<C>, BatchTerms),
        payouts: impl Future<Output = Result<Vec<Payout>, RequestError>>,
    ) -> Result<BatchResult, RequestError> {
        let items = async {
            let payouts = payouts.await?;
            Ok(BatchItems {
                count: payouts.len(),
                price: self.price_of_payouts(&payouts),
                prepare: move |place: usize| {
                    let (gateway, merchant) = (self.clone(), merchant.clone());
                    let payout = payouts.get(place).cloned();
                    async move {
                        let gone = || PortError::new("payment", "a batch lost one of its payments");
                        let payout = payout.ok_or_else(gone)?;
                        let priced = gateway.prepare_payout(&merchant, &payout).await?;
                        Ok((payout.reference, priced))
                    }
                },
            })
        };
        self.open_batch(merchant, asked, items).await
    }

    /// The payouts of a bulk transfer; those of a group are its members as they are now.
    async fn payouts(
        &self,
        merchant: &Merchant,
        asked: &BulkPayout,
    ) -> Result<Vec<Payout>, RequestError> {
        let of_group = match &asked.payees {
            BulkPayees::Each(payouts) => return Ok(payouts.clone()),
            BulkPayees::Group(of_group) => of_group,
        };
        let groups = &self.parts().groups;
        let group = groups.group(&merchant.account.id, of_group.group).await;
        let group = group.map_err(PortError::with_nothing_done)?;
        let members = group.ok_or(RequestError::GroupUnknown)?.content.members;
        let payouts = of_group.payouts(&asked.reference, members);
        let broken = |error| PortError::caused("payment", "name the payouts of a group", error);
        Ok(payouts.map_err(broken)?)
    }

    /// What payouts cost together; `None` where one has no price, which is said of it alone.
    fn price_of_payouts(&self, payouts: &[Payout]) -> Option<Money> {
        let mut prices = payouts
            .iter()
            .map(|payout| Some(self.quote_of(payout).ok()?.price));
        let first = prices.next()??;
        prices.try_fold(first, |sum, price| sum.checked_add(price?))
    }

    /// What a payout costs, to a bank account or to a wallet: the charges are the same.
    pub(crate) fn quote_payout(&self, amount: Money) -> Result<Quote, RequestError> {
        let charges = self.parts().charges.charges(amount, self.now());
        Self::quote_with(amount, charges)
    }

    /// What a payout to a bank account costs, a salary or another.
    fn quote_of(&self, payout: &Payout) -> Result<Quote, RequestError> {
        if payout.salary.is_none() {
            return self.quote_payout(payout.amount);
        }
        let charges = &self.parts().charges;
        let charges = charges.salary_charges(payout.amount, self.now());
        Self::quote_with(payout.amount, charges)
    }

    fn quote_with(
        amount: Money,
        charges: Option<(Charges, String)>,
    ) -> Result<Quote, RequestError> {
        let (charges, rule) = charges.ok_or(RequestError::Unpriceable)?;
        let quote = pricing::quote_payout(amount, &charges, rule);
        quote.map_err(|_| RequestError::Unpriceable)
    }

    pub(crate) async fn prepare_payout(
        &self,
        merchant: &Merchant,
        payout: &Payout,
    ) -> Result<PricedOrder, RequestError> {
        let bank = self.bank(&payout.bank)?;
        let currency = payout.amount.currency();
        let limits = self.catalogue().payouts(bank.country, currency);
        let limits = limits.ok_or(RequestError::ProviderUnavailable(Service::Bank))?;
        // Without a code for transfers the provider cannot address the bank.
        let reachable = bank.transfer_code.is_some();
        let asked = RouteQuery {
            biller: Some(payout.bank.as_str()),
            ..RouteQuery::of(Service::Bank, merchant.account.environment)
        };
        if !reachable || !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(Service::Bank));
        }
        RequestError::unless_within(limits, payout.amount, Service::Bank)?;
        let asked = (&payout.bank, &payout.number);
        let (bank, account) = self.bank_account(merchant, asked).await?;
        let quote = self.quote_of(payout)?;
        let order = Order::Bank(PayoutOrder {
            account,
            bank_fullname: bank.fullname,
            amount: payout.amount,
            narration: payout.narration.clone(),
            salary: payout.salary.clone(),
        });
        Ok(PricedOrder { order, quote })
    }
}
