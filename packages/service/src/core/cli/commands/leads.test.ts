import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signedIn } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { buildProgram } from "../../../cli/program.js";

/** Runs lead commands the way the command line does, against the database of a running app. */
const gatehouse = useApp();
const secretKey = Buffer.alloc(32, 7);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-cli-"));
  vi.stubEnv("DATABASE_URL", gatehouse.connectionString);
  vi.stubEnv("GATEHOUSE_SECRET_KEY", secretKey.toString("base64"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command whose arguments contain no spaces, and returns its output. */
async function print(line: string): Promise<string> {
  const written: string[] = [];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const words = line.split(" ");
    await (await buildProgram(words)).parseAsync(words, { from: "user" });
  } finally {
    stdout.mockRestore();
  }
  return written.join("");
}

const run = async (line: string) => JSON.parse(await print(`${line} --json`));

test("organization configure sets captcha, honeypot and origins; off turns them off", async () => {
  const { organizationId } = await gatehouse.tenant();
  const secretFile = join(folder, "captcha-secret");
  await writeFile(secretFile, "the-secret\n");
  const configure = (options: string) => run(`organization configure ${organizationId} ${options}`);

  const settings = await configure(
    `--captcha recaptcha --captcha-secret-file ${secretFile} --captcha-minimum-score 0.7 ` +
      "--captcha-hostname www.example.com --captcha-hostname example.com " +
      "--honeypot-field website --lead-origin https://www.example.com",
  );
  expect(settings).toEqual({
    uuid: organizationId,
    name: "Test organization",
    captchaType: "recaptcha",
    captchaMinimumScore: 0.7,
    captchaHostnames: ["www.example.com", "example.com"],
    honeypotField: "website",
    leadOrigins: ["https://www.example.com"],
    requiresSecondFactor: false,
    keepsSentValues: true,
    hasSeveralCurrencies: false,
    limits: {},
    retention: {},
    pendingRetention: {},
    keepsDeletedKeys: false,
    keepsReplaysOnce: false,
    quotas: {},
  });
  expect(await configure("--captcha-minimum-score off --captcha-hostname off")).toMatchObject({
    captchaType: "recaptcha",
    captchaMinimumScore: null,
    captchaHostnames: [],
  });
  expect(await configure("--captcha off --honeypot-field off --lead-origin off")).toMatchObject({
    captchaType: null,
    honeypotField: null,
    leadOrigins: [],
  });
  await expect(configure(`--captcha turnstile --captcha-secret-file ${folder}/none`)).rejects.toThrow(
    "The captcha secret cannot be read",
  );
  await expect(
    configure(`--captcha recaptcha --captcha-secret-file ${secretFile} --captcha-minimum-score high`),
  ).rejects.toThrow("from 0 to 1");
});

test("organization configure --limit and api-key configure --lead-limit set limits; default removes them", async () => {
  const { organizationId } = await gatehouse.tenant();
  const configure = (options: string) => run(`organization configure ${organizationId} ${options}`);
  const set = await configure("--limit importTransactions=1000/60 --limit submitLead=50/60 listImports=1/1");
  expect(set.limits).toEqual({
    submitLead: { requests: 50, windowSeconds: 60 },
    importTransactions: { requests: 1000, windowSeconds: 60 },
    listImports: { requests: 1, windowSeconds: 1 },
  });
  const left = await configure(
    "--limit submitLead=default --limit listImports=default --honeypot-field site",
  );
  expect(left).toMatchObject({ honeypotField: "site" });
  expect(left.limits).toEqual({ importTransactions: { requests: 1000, windowSeconds: 60 } });
  await expect(configure("--limit importBoats=1/60")).rejects.toThrow('"importBoats" is not an operation');
  await expect(configure("--limit importTransactions=0/60")).rejects.toThrow(
    "A limit must be requests/seconds",
  );

  const { uuid } = await run(`api-key create --organization ${organizationId} --name site`);
  const limitLeads = (limit: string) => run(`api-key configure ${uuid} --lead-limit ${limit}`);
  expect((await limitLeads("100/60")).leadLimit).toEqual({ requests: 100, windowSeconds: 60 });
  expect((await limitLeads("default")).leadLimit).toBeNull();
  await expect(limitLeads("100")).rejects.toThrow("A limit must be requests/seconds");
});

test("api-key create --lead-origin lists the origins that may use the key", async () => {
  const { organizationId, locationUuid } = await gatehouse.tenant();
  const { key } = await run(
    `api-key create --organization ${organizationId} --name web --permission leads:write --lead-origin https://www.example.com`,
  );
  const submit = (origin: string) =>
    gatehouse.send({
      method: "POST",
      url: "/lead/submit",
      key,
      headers: { origin, "content-type": "application/json" },
      payload: JSON.stringify({ email: "jo@example.com", locationUuid }),
    });
  expect((await submit("https://www.example.com")).status).toBe(200);
  expect((await submit("https://evil.example")).status).toBe(403);
});

test("record show lead shows all data of a lead, and person export and delete find it by email", async () => {
  const { organizationId, apiKey, locationUuid } = await gatehouse.tenant();
  const answer = await gatehouse.post("/lead/submit", apiKey, {
    email: "Jo@example.com",
    locationUuid,
    metadata: { seats: 2 },
  });
  const show = () => run(`record show lead ${answer.json.leadUuid} --organization ${organizationId}`);
  const shown = await show();
  expect(shown).toMatchObject({
    uuid: answer.json.leadUuid,
    email: "Jo@example.com",
    locationUuid,
    metadata: { seats: 2 },
    state: "accepted",
    address: "127.0.0.1",
    createdAt: answer.json.timestamp,
    workState: "new",
    workStateChangedBy: null,
    workStateChangedAt: null,
    workNotes: [],
  });

  const person = `--organization ${organizationId} --email jo@EXAMPLE.com`;
  expect(await run(`person export ${person}`)).toEqual({
    email: "jo@example.com",
    leads: [shown],
    contacts: [],
    accounts: [],
  });
  expect(await run(`person delete ${person}`)).toEqual({
    leadsDeleted: 1,
    contactsErased: 0,
    accountsErased: 0,
    differencesErased: 0,
    leadNotesDeleted: 0,
    uploadRowsErased: 0,
  });
  await expect(show()).rejects.toThrow("There is no lead");
});

test("record show lead shows the work on it, and a note cannot move the terminal's cursor", async () => {
  const { organizationId, apiKey, locationUuid } = await gatehouse.tenant();
  const lead = { email: "jo@example.com", locationUuid };
  const { leadUuid } = (await gatehouse.post("/lead/submit", apiKey, lead)).json;
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const inConsole = `/organizations/${organizationId}/leads/${leadUuid}`;
  const { version } = (await admin.get(inConsole)).json;
  expect((await admin.patch(inConsole, { workState: "contacted", version })).status).toBe(200);
  const note = await admin.post(`${inConsole}/notes`, { text: "Called,\nwants two \u001b[2J" });
  const show = `record show lead ${leadUuid} --organization ${organizationId}`;
  expect(await run(show)).toMatchObject({
    workState: "contacted",
    workStateChangedBy: admin.email,
    workStateChangedAt: expect.any(String),
    workNotes: [{ text: note.json.text, author: admin.email, at: note.json.at }],
  });
  const text = await print(show);
  expect(text).toMatch(/^workState +contacted$/m);
  expect(text).toContain(`${admin.email} at ${note.json.at}: Called,·wants two ·[2J`);
});

test("organization configure sets retention periods and quotas, and organization show prints them with the usage", async () => {
  const tenant = await gatehouse.tenant();
  const configure = (options: string) => run(`organization configure ${tenant.organizationId} ${options}`);
  expect(
    await configure(
      "--keep records=730 --keep leads=90 --keep-deleted-keys on --quota records=5 storageBytes=1000000",
    ),
  ).toMatchObject({
    retention: { records: 730, leads: 90 },
    keepsDeletedKeys: true,
    quotas: { records: 5, storageBytes: 1_000_000 },
  });
  expect(await configure("--keep leads=default --quota storageBytes=default")).toMatchObject({
    retention: { records: 730 },
    keepsDeletedKeys: true,
    quotas: { records: 5 },
  });
  for (const [option, problem] of [
    ["--keep records=0", "must be a whole number of days from 1 to 36500; 0 is not"],
    ["--keep people=3", "people is not a kind of data with a retention period; there are records"],
    ["--keep records", "It must look like records=730"],
    ["--keep records=1 records=2", "records is given twice"],
    ["--quota leadsPerDay=100001", "must be a whole number from 1 to 100000; 100001 is not"],
  ] as const)
    await expect(configure(option), option).rejects.toThrow(problem);
  const accounts = [{ tpReferenceId: "A-1", name: "Acme" }];
  expect((await gatehouse.post("/integrations/accounts", tenant.apiKey, { accounts })).status).toBe(200);
  const show = (options = "") => run(`organization show ${tenant.organizationId}${options}`);
  expect(await show()).toMatchObject({ measuredAt: null, sizes: [{ what: "records", rows: 1 }] });
  const shown = await show(" --count");
  expect(shown.sizes).toContainEqual({ what: "accounts", rows: 1, bytes: expect.any(Number) });
  expect(shown.quotas).toContainEqual({ quota: "records", limit: 5, used: 1 });
});

test("organization configure says what a shorter period deletes, and saves it only with --yes", async () => {
  const tenant = await gatehouse.tenant();
  const { organizationId, apiKey, locationUuid } = tenant;
  for (const email of ["a@example.com", "b@example.com"])
    await gatehouse.post("/lead/submit", apiKey, { email, locationUuid });
  const said: string[] = [];
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  try {
    const configure = (options: string) => run(`organization configure ${organizationId} ${options}`);
    await expect(configure("--keep leads=1")).rejects.toThrow(
      "This change deletes stored data. Nothing was saved. Add --yes to save it",
    );
    expect(said.join("")).toMatch(/^Deletes 2 leads after \d{4}-\d\d-\d\dT/);
    const shown = await run(`organization configure ${organizationId}`);
    expect(shown).toMatchObject({ retention: {}, pendingRetention: {} });
    expect(await configure("--keep leads=1 --honeypot-field website --yes")).toMatchObject({
      honeypotField: "website",
      retention: {},
      pendingRetention: { leads: { days: 1, from: null, count: 2, by: "command line" } },
    });
    expect(await print(`organization configure ${organizationId}`)).toMatch(/Deletes 2 leads after/);
    // Longer periods, and shorter ones that delete nothing, do not need --yes.
    expect(await configure("--keep leads=30")).toMatchObject({
      retention: { leads: 30 },
      pendingRetention: {},
    });
  } finally {
    stderr.mockRestore();
  }
});
