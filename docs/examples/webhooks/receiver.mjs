// A receiver of events. Needs `npm install standardwebhooks`; run with
// WEBHOOK_SECRET=whsec_... node receiver.mjs 9000

import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set(); // in your database: events come at least once

const server = createServer(async (request, response) => {
  // The signature is over these very bytes: verify first, parse afterwards.
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts).toString("utf8");
  let event;
  try {
    event = webhook.verify(body, request.headers);
  } catch {
    response.writeHead(400).end();
    return;
  }
  if (!seen.has(event.data.evtIdentifier)) {
    seen.add(event.data.evtIdentifier);
    console.log(event.type, event.data.evtIdentifier);
  }
  response.writeHead(204).end();
});

server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  console.log("ready", server.address().port);
});
