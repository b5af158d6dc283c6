// The client that DT One publishes, @dtone/dvs, uses the server that the tests take for DT One. The
// address of the server is the first argument, and the folder of the package the second.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const [url, packages] = process.argv.slice(2);
const require = createRequire(`${packages}/`);
const { DVS, DVSAPIError } = require('@dtone/dvs');

const keys = { apiKey: 'key-of-a-test', apiSecret: 'secret-of-a-test' };
const dvs = new DVS({ ...keys, baseUrl: `${url}/v1` });

/** Every row of a list, of all its pages. */
async function all(pages) {
  const rows = [];
  for await (const page of pages) {
    rows.push(...page.data);
  }
  return rows;
}

/** The answer to a request that is refused, with its code. */
async function refused(request, status, code) {
  const error = await request.then(
    () => assert.fail('it was not refused'),
    (error) => error,
  );
  assert.ok(error instanceof DVSAPIError, String(error));
  assert.equal(error.status, status);
  assert.equal(error.data.errors[0].code, code);
}

const products = await all(dvs.discovery.products.get({ params: {} }));
assert.ok(products.some((product) => product.type === 'RANGED_VALUE_RECHARGE'));

const externalId = 'counterpart'.padEnd(32, 'a');
const data = {
  externalId,
  productId: 1001,
  autoConfirm: true,
  creditPartyIdentifier: { mobileNumber: '+2348031234567' },
  calculationMode: 'DESTINATION_AMOUNT',
  destination: { unitType: 'CURRENCY', unit: 'NGN', amount: 1000 },
};
const made = (await dvs.transactions.async.create({ data })).data;
assert.equal(made.externalId, externalId);
assert.equal(made.status.class.message, 'COMPLETED');
assert.equal(made.requestedValues.destination.amount, 1000);
await refused(dvs.transactions.async.create({ data }), 400, 1007001);

const found = await all(dvs.transactions.get({ params: { externalId } }));
assert.deepEqual(
  found.map((transaction) => transaction.id),
  [made.id],
);
const missing = { externalId: 'never'.padEnd(32, 'a') };
assert.deepEqual(await all(dvs.transactions.get({ params: missing })), []);
const byId = await dvs.transactions.getByTransactionId({ transactionId: made.id });
assert.equal(byId.data.creditPartyIdentifier.mobileNumber, '+2348031234567');
await refused(dvs.transactions.getByTransactionId({ transactionId: 1 }), 404, 1008004);

const declined = { ...data, externalId: 'declined'.padEnd(32, 'a') };
declined.creditPartyIdentifier = { mobileNumber: '+2348031234104' };
const refusal = (await dvs.transactions.async.create({ data: declined })).data;
assert.equal(refusal.status.class.message, 'DECLINED');

const balances = await all(dvs.account.balances.get({ params: {} }));
assert.equal(balances[0].unit, 'NGN');

const stranger = new DVS({ ...keys, apiSecret: 'another', baseUrl: `${url}/v1` });
await refused(stranger.transactions.getByTransactionId({ transactionId: made.id }), 401, 1000401);

console.log('@dtone/dvs and the server agree');
