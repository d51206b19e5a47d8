import { randomUUID } from "node:crypto";
import { leadSources, maxLeadBytes } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { leadEmail, leadSubmitter, storedLead } from "../../../testing/leads.js";

const gatehouse = useApp();
const email = leadEmail;
const submitter = (options: Parameters<typeof gatehouse.tenant>[0] = {}) => leadSubmitter(gatehouse, options);

async function countLeads(organizationId: string): Promise<number> {
  const { rows } = await gatehouse.database.work.query(
    "select count(*) as leads from leads where organization_id = $1",
    [organizationId],
  );
  return rows[0].leads;
}

const refusal = (errors: unknown) => ({
  success: false,
  message: expect.any(String),
  errors,
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});

/** @covers R1, R230, R256 */
test("an email and a location are enough, and the answer has exactly four fields", async () => {
  const { submit } = await submitter();
  const answer = await submit();
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    success: true,
    message: expect.any(String),
    leadUuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});

/** @covers R27, R252, R259 */
test("a lead keeps every field, its key, address, user agent and time", async () => {
  const { organizationId, locationUuid, apiKey } = await submitter();
  const fields = {
    email: "Jo@Example.com",
    locationUuid,
    firstName: "Jo",
    lastName: "Doe",
    companyName: "Acme",
    phone: "+1-555-010-0123",
    estimatedStartDate: "2026-04-01T14:30:00+02:00",
    estimatedStartDateString: "early April",
    source: "Website",
    sourceDetails: "banner",
    notes: "Two spaces, please",
    formName: "contact",
    slug: "main-garage",
    referrerUrl: "https://www.example.com/garage",
    metadata: { seats: 2 },
    captchaToken: "never stored",
    captchaType: "turnstile",
  };
  const answer = await gatehouse.send({
    method: "POST",
    url: "/lead/submit",
    key: apiKey,
    headers: {
      "content-type": "application/json",
      "user-agent": "Browser/1.0",
      "x-forwarded-for": "203.0.113.9",
    },
    payload: JSON.stringify(fields),
  });
  const stored = await storedLead(gatehouse, organizationId, answer.json.leadUuid);
  const { rows: keys } = await gatehouse.database.work.query(
    "select id from api_keys where organization_id = $1",
    [organizationId],
  );
  expect(stored).toMatchObject({
    location_id: locationUuid,
    email: "Jo@Example.com",
    email_key: "jo@example.com",
    first_name: "Jo",
    last_name: "Doe",
    company_name: "Acme",
    phone: "+1-555-010-0123",
    estimated_start_date: new Date("2026-04-01T12:30:00.000Z"),
    estimated_start_date_string: "early April",
    source: "Website",
    source_details: "banner",
    notes: "Two spaces, please",
    form_name: "contact",
    slug: "main-garage",
    referrer_url: "https://www.example.com/garage",
    metadata: '{"seats":2}',
    state: "accepted",
    captcha_type: null,
    captcha_result: null,
    api_key_id: keys[0].id,
    address: "203.0.113.9",
    user_agent: "Browser/1.0",
    created_at: new Date(answer.json.timestamp),
  });
  expect(JSON.stringify(stored)).not.toContain("never stored");
});

const maxima = {
  firstName: 100,
  lastName: 100,
  companyName: 100,
  estimatedStartDateString: 100,
  sourceDetails: 200,
  notes: 2000,
  formName: 100,
  slug: 200,
  referrerUrl: 500,
};
/** @covers R239-R251 */
test.each(Object.entries(maxima))(
  "%s accepts %i characters, counted as code points, and no more",
  async (field, max) => {
    const { submit, organizationId } = await submitter();
    const longest = await submit({ [field]: "😀".repeat(max) });
    expect(longest.status).toBe(200);
    const tooLong = await submit({ [field]: "x".repeat(max + 1) });
    expect(tooLong.status).toBe(400);
    expect(tooLong.json.errors).toEqual([`${field} must have at most ${max} characters`]);
    expect(await countLeads(organizationId)).toBe(1);
  },
);

/** @covers R233 */
test("email accepts 255 characters and no more", async () => {
  const { submit } = await submitter();
  const longest = `${"a".repeat(255 - "@example.com".length)}@example.com`;
  expect((await submit({ email: longest })).status).toBe(200);
  expect((await submit({ email: `a${longest}` })).json.errors).toEqual([
    "email must have at most 255 characters",
  ]);
});

/** @covers R14, R242, R243 */
test("phone accepts 20 characters with + and 7 to 15 digits", async () => {
  const { submit } = await submitter();
  for (const phone of ["+1-5550100", "+15550100123", "+1 (555) 010-0123/45"]) {
    expect((await submit({ phone })).status).toBe(200);
  }
  const refused = [
    ["+1 (555) 010-0123/456", "phone must have at most 20 characters"],
    ["555-010-0123", "phone must be a phone number with + and country code, of 7 to 15 digits"],
    ["+123456", "phone must be a phone number with + and country code, of 7 to 15 digits"],
    ["+1234567890123456", "phone must be a phone number with + and country code, of 7 to 15 digits"],
    ["call me", "phone must be a phone number with + and country code, of 7 to 15 digits"],
  ];
  for (const [phone, error] of refused) {
    const answer = await submit({ phone });
    expect([answer.status, answer.json.errors]).toEqual([400, [error]]);
  }
});

/** @covers R231, R232, R237 */
test("a missing or wrong email: 400 with the error envelope", async () => {
  const { submit } = await submitter();
  for (const missing of [undefined, null, "", "  "]) {
    const answer = await submit({ email: missing });
    expect([answer.status, answer.json]).toEqual([400, refusal(["email is required"])]);
  }
  for (const wrong of ["jo", "jo@", "@example.com", "jo@example", "j o@example.com"]) {
    const answer = await submit({ email: wrong });
    expect([answer.status, answer.json]).toEqual([400, refusal(["email must be an email address"])]);
  }
});

/** @covers R234-R236 */
test("a missing or malformed location: 400", async () => {
  const { submit, locationUuid } = await submitter();
  expect((await submit({ locationUuid: null })).json.errors).toEqual(["locationUuid is required"]);
  expect((await submit({ locationUuid: "garage" })).json.errors).toEqual(["locationUuid must be a UUID"]);
  expect((await submit({ locationUuid: `${locationUuid}0` })).json.errors).toEqual([
    "locationUuid must have at most 36 characters",
  ]);
  expect((await submit({ locationUuid: locationUuid.toUpperCase() })).status).toBe(200);
});

/** @covers R244 */
test("estimatedStartDate is a valid date, or a valid date and time with a zone", async () => {
  const { submit, organizationId } = await submitter();
  for (const [sent, kept] of [
    ["2026-04-01", "2026-04-01T00:00:00.000Z"],
    ["0000-01-01", "0000-01-01T00:00:00.000Z"],
    ["0001-01-01T00:00:00+14:00", "0000-12-31T10:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ]) {
    const { status, text, json } = await submit({ estimatedStartDate: sent });
    expect(status, text).toBe(200);
    const stored = await storedLead(gatehouse, organizationId, json.leadUuid);
    expect(stored.estimated_start_date.toISOString()).toBe(kept);
  }
  for (const estimatedStartDate of ["soon", "2026-02-30", "2026-04-01T14:30:00", "01.04.2026", 5]) {
    expect((await submit({ estimatedStartDate })).status).toBe(400);
  }
});

/** @covers R246, R253 */
test("source and captchaType accept only their values", async () => {
  const { submit } = await submitter();
  for (const source of leadSources) expect((await submit({ source })).status).toBe(200);
  for (const source of ["qr", "Billboard", 1, ""]) expect((await submit({ source })).status).toBe(400);
  for (const captchaType of ["recaptcha", "hcaptcha", "turnstile"]) {
    expect((await submit({ captchaType })).status).toBe(200);
  }
  expect((await submit({ captchaType: "friendly" })).json.errors).toEqual([
    "captchaType must be one of recaptcha, hcaptcha, turnstile",
  ]);
});

/** @covers R238 */
test("all violations of a request are in one answer, one line each", async () => {
  const { submit, organizationId } = await submitter();
  const answer = await submit({
    email: "not-an-address",
    locationUuid: "nowhere",
    firstName: 7,
    phone: "none",
    estimatedStartDate: "soon",
    source: "Radio",
    metadata: [],
    captchaType: "sudoku",
  });
  expect(answer.status).toBe(400);
  expect(answer.json.errors).toEqual([
    "email must be an email address",
    "locationUuid must be a UUID",
    "firstName must be a string",
    "phone must be a phone number with + and country code, of 7 to 15 digits",
    "estimatedStartDate must be an existing date, or date and time with a zone, such as 2026-04-01 or 2026-04-01T14:30:00Z",
    "source must be one of QR, Website, Referral, InPerson, SocialMedia, Advertisement, DashPage, DashForm, Other",
    "metadata must be an object",
    "captchaType must be one of recaptcha, hcaptcha, turnstile",
  ]);
  expect(await countLeads(organizationId)).toBe(0);
});

/** @covers R257, reading 47 */
test("an unknown location and one of another organization get the same answer, byte for byte", async () => {
  const { submit, organizationId } = await submitter();
  const { locationUuid: foreign } = await gatehouse.tenant();
  const answers = [await submit({ locationUuid: randomUUID() }), await submit({ locationUuid: foreign })];
  for (const answer of answers) {
    expect([answer.status, answer.json]).toEqual([
      400,
      refusal(["locationUuid must be one of the organization's locations"]),
    ]);
  }
  expect(await countLeads(organizationId)).toBe(0);
});

/** @covers reading 28 */
test("metadata is returned exactly as it was sent", async () => {
  const { apiKey, locationUuid, organizationId, submit } = await submitter();
  const metadata =
    '{"n":12345678901234567890.10, "z":"\\u0000 \\ud800","__proto__":{"a":1e400},"n":2, "":[ ]}';
  const answer = await gatehouse.post(
    "/lead/submit",
    apiKey,
    `{"email":"${email}","metadata": ${metadata} ,"locationUuid":"${locationUuid}"}`,
  );
  expect((await storedLead(gatehouse, organizationId, answer.json.leadUuid)).metadata).toBe(metadata);

  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
  expect((await submit({ metadata: nested(64) })).status).toBe(200);
  expect((await submit({ metadata: nested(65) })).json.errors).toEqual([
    "metadata must not be nested deeper than 64 levels",
  ]);
});

/** @covers reading 27 */
test("text that cannot be stored unchanged is rejected, and so is a body that is not UTF-8", async () => {
  const { submit, apiKey } = await submitter();
  for (const notes of ["a\u0000b", "half \ud83d"]) {
    expect((await submit({ notes })).json.errors).toEqual([
      "notes must not contain U+0000 or half of a surrogate pair",
    ]);
  }
  const latin = await gatehouse.post(
    "/lead/submit",
    apiKey,
    Buffer.from('{"email":"jos\xe9@x.de"}', "latin1"),
  );
  expect([latin.status, latin.json]).toEqual([400, refusal(["The body is not valid UTF-8"])]);
});

/** @covers R258 */
test("malformed JSON, and JSON that is not an object: 400 with the error envelope", async () => {
  const { apiKey } = await submitter();
  for (const body of ["", "{", '{"email":}', "[]", "null", "7", '{"email":"a"} {}', "[".repeat(200_000)]) {
    const answer = await gatehouse.post("/lead/submit", apiKey, body);
    expect([answer.status, answer.json]).toEqual([400, refusal([expect.any(String)])]);
  }
});

/** @covers R28, R75 */
test("unknown fields, such as an organization, have no effect", async () => {
  const { submit, organizationId } = await submitter();
  const other = await gatehouse.tenant();
  const answer = await submit({ organizationUuid: other.organizationId, anything: { at: "all" } });
  expect(answer.status).toBe(200);
  expect(await countLeads(organizationId)).toBe(1);
  expect(await countLeads(other.organizationId)).toBe(0);
});

/** @covers reading 35 */
test("a wrong body with a valid key is rejected by size, then media type, then content", async () => {
  const { apiKey } = await submitter();
  const send = (contentType: string, payload: string | Buffer) =>
    gatehouse.send({
      method: "POST",
      url: "/lead/submit",
      key: apiKey,
      headers: { "content-type": contentType },
      payload,
    });
  const tooLarge = await send("text/plain", Buffer.alloc(maxLeadBytes + 1, "x"));
  expect([tooLarge.status, tooLarge.text]).toEqual([413, ""]);
  expect((await send("text/plain", "{")).status).toBe(415);
  expect((await send("application/json", "{")).status).toBe(400);
});

/** @covers reading 50 */
test("a lead of exactly 256 KiB is accepted, whatever its content, and only its known fields are stored", async () => {
  const { apiKey, locationUuid } = await submitter();
  const start = `{"email":"jo@example.com","locationUuid":${JSON.stringify(locationUuid)}`;
  const members = Array.from({ length: 20_000 }, (_, index) => `,"m${index}":0`).join("");
  const lead = `${start}${members}`.padEnd(maxLeadBytes - 1, " ");
  expect((await gatehouse.post("/lead/submit", apiKey, `${lead}}`)).status).toBe(200);
  const refused = await gatehouse.post("/lead/submit", apiKey, `${lead} }`);
  expect([refused.status, refused.text]).toEqual([413, ""]);
});

test("no personal data is logged, not even when the database refuses a lead", async () => {
  const { submit } = await submitter();
  const secret = "Zanzibar";
  await submit({ firstName: secret, email: `${secret}@example.com`, notes: secret });
  await submit({ firstName: secret, email: secret, phone: secret });
  await gatehouse.database.work.query(
    "alter table leads add constraint no_zanzibar check (first_name <> 'Zanzibar') not valid",
  );
  try {
    const refused = await submit({ firstName: secret, email: `${secret}@example.com` });
    expect(refused.status).toBe(500);
    expect(refused.text).not.toContain(secret);
  } finally {
    await gatehouse.database.work.query("alter table leads drop constraint no_zanzibar");
  }
  const log = JSON.stringify(gatehouse.logged);
  expect(log).toContain("23514");
  expect(log).toContain("no_zanzibar");
  expect(log.replaceAll("no_zanzibar", "")).not.toMatch(/zanzibar/i);
});
