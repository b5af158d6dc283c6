// A purchase of every family and a webhook, with openapi-fetch over the types that openapi-typescript
// generated from /openapi.json as `manilla.ts`. Needs NODE_EXTRA_CA_CERTS (the file `ca.pem` of the data
// folder), MANILLA_URL, MANILLA_IDENTITY, MANILLA_KEY and MANILLA_SENDER (the serial number of an
// approved sender).

import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { paths } from "./manilla.js";

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}

const login = `${variable("MANILLA_IDENTITY")}:${variable("MANILLA_KEY")}`;
const client = createClient<paths>({
  baseUrl: variable("MANILLA_URL"),
  headers: { Authorization: `Basic ${Buffer.from(login).toString("base64")}` },
});

// The answer, unless it is a refusal.
function done<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

// The same of a payment, which has to be delivered.
type Payment = { mrcReference: string | null; txnStatus: string | null };
function bought<T extends Payment>(answer: { data?: T; error?: unknown }): T {
  const payment = done(answer);
  if (payment.txnStatus !== "Successful") throw new Error(JSON.stringify(payment));
  console.log(payment.mrcReference, payment.txnStatus);
  return payment;
}

const airtime = bought(
  await client.POST("/payment/airtime", {
    body: {
      mrcReference: randomUUID(),
      countryCode: 566,
      number: "2348031234567",
      amount: "1,000.00",
      billing: "prepaid",
    },
  }),
);
const query = { mrcReference: airtime.mrcReference };
const report = bought(await client.GET("/payment/airtime/transaction", { params: { query } }));
if (report.txnReference !== airtime.txnReference) throw new Error(JSON.stringify(report));

const electricity = bought(
  await client.POST("/payment/electricity", {
    body: {
      mrcReference: randomUUID(),
      disco: "101",
      number: "04123456789",
      amount: "5,000.00",
      billing: "prepaid",
    },
  }),
);
if (!electricity.token?.number) throw new Error(JSON.stringify(electricity));

const gas = bought(
  await client.POST("/payment/gas", {
    body: {
      mrcReference: randomUUID(),
      provider: "701",
      number: "3100456789",
      amount: "5,000.00",
    },
  }),
);
if (!gas.token?.number) throw new Error(JSON.stringify(gas));

bought(
  await client.POST("/payment/dth", {
    body: {
      mrcReference: randomUUID(),
      provider: "801",
      number: "81234567890",
      identifier: "80102",
      duration: 1,
    },
  }),
);

bought(
  await client.POST("/payment/cabletv", {
    body: {
      mrcReference: randomUUID(),
      provider: "201",
      number: "7012345678",
      subscribe: "instant",
      identifier: "20103",
      duration: 1,
    },
  }),
);

bought(
  await client.POST("/payment/internet", {
    body: { mrcReference: randomUUID(), identifier: "30101", number: "2348031234567" },
  }),
);

bought(
  await client.POST("/messaging/sms", {
    body: {
      mrcReference: randomUUID(),
      countryCode: 566,
      number: "2348031234567",
      sender: variable("MANILLA_SENDER"),
      type: "text",
      message: "Your code is 4711.",
    },
  }),
);

bought(
  await client.POST("/transfer/bank/payout", {
    body: {
      mrcReference: randomUUID(),
      bankIdentifier: "NGNIP000013",
      accountNumber: "0100044567",
      txnAmount: "10,000.00",
      txnNarration: "Rent for May",
    },
  }),
);

bought(
  await client.GET("/vas/hlrlookup", {
    params: { query: { countryCode: "566", number: "2348031234567", mrcReference: randomUUID() } },
  }),
);

const address = done(
  await client.GET("/geolocation/ipaddress", { params: { query: { ipAddress: "8.8.8.8" } } }),
);
console.log(address.countryName);

const webhook = done(
  await client.POST("/webhook/endpoint", {
    body: {
      whkUrl: "https://127.0.0.1:9000/events",
      whkEvents: ["transaction.successful"],
      whkDescription: "Bookkeeping",
      whkTokens: "false",
    },
  }),
);
// The secret is shown once: when the endpoint is created, and not in the answer to a retry.
if (!("whkSecret" in webhook && webhook.whkSecret.startsWith("whsec_"))) throw new Error(JSON.stringify(webhook));
console.log(webhook.whkIdentifier);
