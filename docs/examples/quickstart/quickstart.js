// Buys airtime, repeats an order whose answer was lost, follows a pending one. Needs Node 18 or
// later, and MANILLA_URL, MANILLA_IDENTITY, MANILLA_KEY, MANILLA_CA (`ca.pem` of the data folder).

const { randomUUID } = require('node:crypto');
const { once } = require('node:events');
const { readFileSync } = require('node:fs');
const https = require('node:https');
const { setTimeout: sleep } = require('node:timers/promises');

const { MANILLA_URL, MANILLA_IDENTITY, MANILLA_KEY, MANILLA_CA = '' } = process.env;
const ca = readFileSync(MANILLA_CA);
const ANSWER_WITHIN = 30_000; // milliseconds: the gateway waits up to 20 s for the outcome
const GIVE_UP_AFTER = 120_000;
const [BUY, REPORT] = ['/payment/airtime', '/payment/airtime/transaction?mrcReference='];

/** Sends one request, a POST if there is an order. */
async function send(path, { order, key, timeout }) {
  const request = https.request(MANILLA_URL + path, {
    method: order ? 'POST' : 'GET',
    auth: `${MANILLA_IDENTITY}:${MANILLA_KEY}`,
    ca,
    signal: AbortSignal.timeout(timeout),
  });
  if (order) request.setHeader('Content-Type', 'application/json');
  if (key) request.setHeader('Idempotency-Key', key);
  request.on('error', () => {}); // one while the body is read is thrown there
  request.end(order && JSON.stringify(order));
  const [answer] = await once(request, 'response');
  let body = '';
  for await (const part of answer.setEncoding('utf8')) body += part;
  return { status: answer.statusCode, headers: answer.headers, body };
}

/**
 * Sends a request until it is answered. A lost answer or a 5xx does not say that nothing was
 * bought: the same order is sent again under the same key, never one with a new reference.
 */
async function ask(path, options = {}) {
  const { order, key, limit = GIVE_UP_AFTER, expected = [200] } = options;
  const end = Date.now() + limit;
  let timeout = options.timeout ?? ANSWER_WITHIN;
  for (let pause = 1; ; pause = Math.min(2 * pause, 8)) {
    const answer = await send(path, { order, key, timeout }).catch((lost) => ({ lost }));
    const { status, headers = {}, body, lost } = answer;
    // A 409 with this header: the first request under the key is still in progress.
    const later = [409, 429].includes(status) && headers['retry-after'];
    if (status < 500 && !later) {
      const content = JSON.parse(body);
      if (expected.includes(status)) return content;
      throw new Error([`${status} ${content.message}`, ...violations(content)].join('\n  '));
    }
    const problem = lost ? `did not answer (${lost.cause ?? lost})` : `answered ${status}`;
    const wait = Number(headers['retry-after'] ?? pause);
    if (Date.now() + wait * 1000 > end) {
      const unknown = order ? `; only the report of ${order.mrcReference} has its outcome` : '';
      throw new Error(`${path} ${problem}${unknown}`);
    }
    console.log(`repeat: ${path} ${problem}, the same request is sent again in ${wait} s`);
    await sleep(wait * 1000);
    timeout = ANSWER_WITHIN;
  }
}

function violations({ errors: { params = {}, request = [], system = [] } = {} }) {
  const named = ([name, sentences]) => sentences.map((sentence) => `${name}: ${sentence}`);
  return [...Object.entries(params).flatMap(named), ...request, ...system];
}

/** An order. Store it before you send it, so that after a crash the same one is sent again. */
function airtime(number) {
  const mrcReference = `order-${randomUUID()}`;
  return { mrcReference, countryCode: 566, number, amount: '100.00', billing: 'prepaid' };
}

/** Buys, and reads the report until it is final: Pending is not failed, and not bought anew. */
async function buy(order, timeout) {
  const { mrcReference: key } = order;
  const end = Date.now() + GIVE_UP_AFTER;
  let bought = await ask(BUY, { order, key, timeout, expected: [200, 202] });
  for (let pause = 1; bought.txnStatus === 'Pending'; pause = Math.min(2 * pause, 8)) {
    if (Date.now() > end) break; // a webhook has the rest
    console.log(`pending: ${key}, its report is read in ${pause} s`);
    await sleep(pause * 1000);
    bought = await ask(REPORT + key);
  }
  if (bought.txnStatus !== 'Successful') throw new Error(`${key} is ${bought.txnStatus}`);
  return bought;
}

async function main() {
  // Not repeated: it shows at once whether the address, the certificate and the key are right.
  await ask('/account/balance', { limit: 0 });

  const bought = await buy(airtime('2348031234567'));
  console.log(`bought: ${bought.mrcReference} for ${bought.price} ${bought.currency}`);
  console.log(`report: it is ${(await ask(REPORT + bought.mrcReference)).txnStatus}`);

  // This answer takes some seconds and is waited for one second only, as if it were lost.
  const order = airtime('2348031230002');
  const [first, again] = [await buy(order, 1000), await buy(order)];
  const { statements } = await ask(`/account/statement?mrcReference=${order.mrcReference}`);
  const twice = first.txnReference !== again.txnReference || statements.length !== 1;
  if (twice) throw new Error('the order was bought twice');
  console.log(`repeated: transaction ${first.txnReference} both times, charged once`);
  const { message } = await ask(BUY, { order, expected: [422] });
  console.log(`repeated: ${message} (without an Idempotency-Key)`);

  console.log(`final: ${(await buy(airtime('2348031230007'))).mrcReference} is Successful`);

  const mistaken = { ...airtime('2348031234567'), amount: '1e5', billing: 'monthly' };
  const refused = await ask(BUY, { order: mistaken, key: mistaken.mrcReference, expected: [400] });
  violations(refused).forEach((violation) => console.log(`refused: ${violation}`));
  console.log(`balance: ${(await ask('/account/balance')).accBalance} NGN`);
}

main().catch((error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
