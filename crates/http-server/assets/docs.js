// Shows the document this gateway serves, with examples that work as they stand: each visit makes up
// references of its own, and the sender and the endpoint are those of the account whose key was
// entered. Nothing is fetched from anywhere else. Credentials live as long as the page.
"use strict";

// What the document shows where only an account has something that works.
const EXAMPLE_SENDER = "482913560177";
const EXAMPLE_ENDPOINT = "5071922640871";

const made = new Map(); // an example's reference: the one of this visit
const sent = new Set();

function fresh(reference) {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `${reference.split("-")[0]}-${Array.from(random, (word) => word.toString(36)).join("")}`;
}

function referenceOf(example) {
  if (!made.has(example)) made.set(example, fresh(example));
  return made.get(example);
}

// The value that stands for an example of an attribute.
function inPlaceOf(name, value, own) {
  if (name === "mrcReference") return referenceOf(value);
  if (value === EXAMPLE_SENDER) return own.sender ?? value;
  if (value === EXAMPLE_ENDPOINT) return own.endpoint ?? value;
  return value;
}

function body(example, own) {
  for (const [name, value] of Object.entries(example)) example[name] = inPlaceOf(name, value, own);
}

function withExamples(document, own) {
  const copy = structuredClone(document);
  for (const operation of Object.values(copy.paths).flatMap(Object.values)) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.example !== undefined) {
        parameter.example = inPlaceOf(parameter.name, parameter.example, own);
      }
    }
    const json = operation.requestBody?.content["application/json"];
    if (json?.example) body(json.example, own);
    for (const { value } of Object.values(json?.examples ?? {})) body(value, own);
  }
  return copy;
}

// A reference that this page made up is replaced when it is sent again: it works once.
const send = window.fetch;
window.fetch = async (input, options) => {
  const request = new Request(input, options);
  if (request.method !== "POST") return send(request);
  const text = await request.clone().text();
  const again = [...made.entries()].find(([, reference]) => text.includes(`"${reference}"`));
  if (again === undefined) return send(request);
  const [example, reference] = again;
  if (!sent.has(reference)) {
    sent.add(reference);
    return send(request);
  }
  return send(new Request(request, { body: text.replaceAll(reference, fresh(example)) }));
};

async function ask(path, login) {
  const answer = await send(path, { headers: { Authorization: `Basic ${btoa(login)}` } });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.message);
  return read;
}

async function main() {
  const document_ = await (await send("openapi.json")).json();
  const input = (id) => document.getElementById(id);
  const show = (own, basic) =>
    Scalar.createApiReference("#page", {
      content: withExamples(document_, own),
      withDefaultFonts: false,
      hideClientButton: true,
      persistAuth: false,
      authentication: { preferredSecurityScheme: "basic", securitySchemes: { basic } },
    });
  let shown = show({}, {});
  input("use").addEventListener("click", async () => {
    const [username, password] = [input("identity").value.trim(), input("key").value.trim()];
    try {
      const login = `${username}:${password}`;
      const { senders } = await ask("messaging/senders?length=100", login);
      const { endpoints } = await ask("webhook/endpoint?length=1", login);
      const sender = senders.find((sender) => sender.sndStatus === "Approved")?.sndIdentifier;
      const endpoint = endpoints[0] && String(endpoints[0].whkIdentifier);
      shown.destroy();
      shown = show({ sender, endpoint }, { username, password });
      input("said").textContent = [
        sender ? "" : "No sender of yours is approved yet.",
        endpoint ? "" : "Create a webhook endpoint, then press again for its number.",
      ].join(" ").trim() || "The examples are yours.";
    } catch (error) {
      input("said").textContent = error.message;
    }
  });
}

main();
