/**
 * A lead form whose API key stays on your server: the browser talks to this program, and this program to Gatehouse.
 * It needs only Node 20, and the form works without JavaScript.
 *
 *   LEAD_SERVICE_URL   the https:// address of the service
 *   LEAD_KEY_FILE      file with an API key that has the permission leads:write
 *   LEAD_LOCATION      UUID of the location
 *   PORT               port to listen on (default 3000)
 *
 * Gatehouse limits leads to five per minute and visitor address. It accepts the address that this program forwards only
 * if it trusts this program: start the service with GATEHOUSE_TRUST_PROXY=<address of this server>. With the service's
 * local certificate authority, start this program with NODE_EXTRA_CA_CERTS=<its file>.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const { LEAD_SERVICE_URL, LEAD_KEY_FILE, LEAD_LOCATION, PORT = "3000" } = process.env;
const key = readFileSync(LEAD_KEY_FILE, "utf8").trim();
const maxFormBytes = 64 * 1024;
const timeoutMs = 15_000;
/** Fields that the form may set. This program sets all others. */
const fields = ["email", "firstName", "phone", "notes", "website"];

createServer(async (request, response) => {
  try {
    if (request.method === "POST") await submit(request, response);
    else if (request.url === "/thanks") sendPage(response, 200, "<p>Thank you. We will be in touch.</p>");
    else sendPage(response, 200, form({ attempt: randomUUID() }));
  } catch (error) {
    console.error(error.message);
    sendPage(response, 502, "<p>That did not work. Please try again later.</p>");
  }
}).listen(Number(PORT), "127.0.0.1", function () {
  console.log(`http://127.0.0.1:${this.address().port}`);
});

async function submit(request, response) {
  const given = Object.fromEntries(new URLSearchParams(await readForm(request)));
  const filled = fields.filter((name) => given[name]?.trim()).map((name) => [name, given[name].trim()]);
  const answer = await fetch(`${LEAD_SERVICE_URL}/lead/submit`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": key,
      "x-forwarded-for": request.socket.remoteAddress,
      "x-forwarded-proto": "https",
      // The form contains an Idempotency-Key, so that "reload and send again" stores nothing twice.
      ...(given.attempt ? { "idempotency-key": given.attempt } : {}),
    },
    body: JSON.stringify({ ...Object.fromEntries(filled), locationUuid: LEAD_LOCATION, source: "Website" }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (answer.ok) response.writeHead(303, { location: "/thanks" }).end();
  else {
    const { message, errors = [message] } = await inTime(answer.json());
    sendPage(response, answer.status, form({ ...given, attempt: randomUUID() }, errors));
  }
}

/** Limits the time to read the answer. On Node 20, the signal of the request can be lost to garbage collection. */
function inTime(work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function readForm(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > maxFormBytes) throw new Error("the form is too large");
  }
  return text;
}

function form(values, errors = []) {
  const value = (name) => escapeHtml(values[name] ?? "");
  return `
    <h1>Monthly parking</h1>
    <ul role="alert">${errors.map((error) => `<li>${escapeHtml(error)}</li>`).join("")}</ul>
    <form method="post">
      <input type="hidden" name="attempt" value="${value("attempt")}" />
      <p><label>Email <input name="email" type="email" value="${value("email")}" /></label></p>
      <p><label>First name <input name="firstName" value="${value("firstName")}" /></label></p>
      <p><label>Phone, with country code <input name="phone" value="${value("phone")}" /></label></p>
      <p><label>Anything else? <textarea name="notes">${value("notes")}</textarea></label></p>
      <p style="position: absolute; left: -9999px" aria-hidden="true">
        <label>Website <input name="website" tabindex="-1" autocomplete="off" /></label>
      </p>
      <p><button>Send</button></p>
    </form>`;
}

function sendPage(response, status, content) {
  response
    .writeHead(status, { "content-type": "text/html; charset=utf-8" })
    .end(`<!doctype html><html lang="en"><title>Monthly parking</title><body>${content}</body></html>`);
}

function escapeHtml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
