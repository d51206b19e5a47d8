import type { IncomingMessage, ServerResponse } from "node:http";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import {
  isHere,
  languageNames,
  languages,
  programFolder,
  readExample,
  runProgram,
  type Language,
  type LanguageName,
} from "../testing/languages.js";
import { useLiveService } from "../testing/live-service.js";

/** Two requests per window, so that a program without pacing gets a 429. */
const live = useLiveService({
  limits: {
    importTransactions: { requests: 2, windowSeconds: 2 },
    importAccounts: { requests: 1000, windowSeconds: 60 },
  },
});
const files: Record<LanguageName, string> = {
  shell: "shell/import-sessions.sh",
  python: "python/import_sessions.py",
  typescript: "typescript/import-sessions.ts",
  java: "java/ImportSessions.java",
};
/** One more than a page of the list. */
const locationCount = 501;
const earlierRuns = 101;

let folder: string;
/** One organization per language, so that programs do not affect each other. */
const keys = new Map<LanguageName, string>();
/** Requests with this key are redirected. */
const redirectedKey = "redirected";
const elsewhere = "/elsewhere";
let askedElsewhere = false;
const faultsByKey = new Map<string, Fault[]>();

beforeAll(async () => {
  folder = await programFolder();
  for (const name of languageNames) keys.set(name, await organizationWithPages());
  live.intercept = (request, response) => {
    if (request.headers["x-api-key"] === redirectedKey || request.url === elsewhere) {
      askedElsewhere ||= request.url === elsewhere;
      response.writeHead(302, { location: `${live.url}${elsewhere}` }).end();
      return true;
    }
    const faults = request.method === "POST" ? faultsByKey.get(request.headers["x-api-key"] as string) : [];
    return faults?.shift()?.(request, response) ?? false;
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Creates an organization with more locations and imports than a page of each list, and returns its key. */
async function organizationWithPages(): Promise<string> {
  const { organizationId, apiKey } = await live.gatehouse.tenant();
  await live.gatehouse.database.work.query(
    `insert into locations (organization_id, id, name, address, city, state, zipcode, time_zone, tp_reference_id, is_active)
     select $1, gen_random_uuid(), 'Deck ' || number, '1 High Street', 'Salem', 'MA', '01970', 'UTC', 'deck-' || number, true
     from generate_series(1, $2::integer) number`,
    [organizationId, locationCount],
  );
  for (let run = 0; run < earlierRuns; run += 1)
    await live.gatehouse.post("/integrations/accounts", apiKey, {
      accounts: [{ tpReferenceId: "A-1", name: "Acme" }],
    });
  return apiKey;
}

describe.concurrent.each(languageNames)("the example in %s", (name) => {
  const language: Language = languages[name];
  let present: boolean;
  beforeAll(async () => {
    present = await isHere(language);
  });
  beforeEach(({ skip }) => {
    if (!present) skip(`there is no ${language.needed}`);
  });

  async function run(records: readonly object[], environment: Record<string, string> = trusted()) {
    const file = join(folder, `${name}-${records.length}.ndjson`);
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    return runProgram(language, await readExample(files[name]), {
      folder,
      programArguments: [file],
      environment: { GATEHOUSE_URL: live.url, GATEHOUSE_API_KEY: keys.get(name) as string, ...environment },
    });
  }

  function trusted(): Record<string, string> {
    return name === "typescript" ? { NODE_EXTRA_CA_CERTS: live.caFile } : { GATEHOUSE_CA: live.caFile };
  }

  const session = (index: number) => ({
    transactionId: `${name}-${index}`,
    location: `deck-${(index % locationCount) + 1}`,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    amountTotal: 12.5,
    metadata: { note: 'a "quoted" é\n', nothing: null, flags: [true, false] },
  });
  const sessions = (count: number) => Array.from({ length: count }, (_, index) => session(index));

  test("imports a file in batches despite errors and prints the outcome of each record", async ({
    expect,
  }) => {
    const faults = [loseAnswer, answerWith(503), undefined, answerWith(429), undefined, answerWith(500)];
    faultsByKey.set(keys.get(name) as string, faults);
    const { exitCode, out, error } = await run([
      ...sessions(1_001),
      { ...session(1_001), location: "nowhere" },
    ]);
    expect(faults, error).toEqual([]);
    // The first batch was stored although its response was lost. It is resent and Skipped, which is one more
    // import.
    const runs = earlierRuns + 4;
    expect(out.trim().split("\n")).toEqual([
      "created 501, skipped 500, failed 1",
      expect.stringContaining(`${runs} runs, the newest is `),
    ]);
    expect(error).toContain(`${name}-1001: 2 locationUuid`);
    expect(exitCode).toBe(1);

    const again = await run(sessions(2));
    expect(again.out).toContain("created 0, skipped 2, failed 0");
    expect(again.exitCode, again.error).toBe(0);
    // With two requests per window there is no 429: the program paces itself.
    expect(live.gatehouse.logged.filter(({ status }) => status === 429)).toEqual([]);
    const { rows } = await live.gatehouse.database.work.query(
      "select metadata ->> 'note' as note from transactions where transaction_id = $1",
      [`${name}-1000`],
    );
    expect(rows).toEqual([{ note: 'a "quoted" é\n' }]);
  });

  test("stops immediately with a reason when the key is rejected or the certificate is not trusted", async ({
    expect,
  }) => {
    const refused = await run([], { ...trusted(), GATEHOUSE_API_KEY: "wrong" });
    expect(refused.exitCode).toBe(1);
    expect(refused.error).toContain("401");
    const strange = await run([], {});
    expect(strange.exitCode).toBe(1);
    expect(strange.error).toMatch(/not trusted|certificate/i);
  });
});

test("the Python example sends its key nowhere else", async ({ expect, skip }) => {
  if (!(await isHere(languages.python))) skip(`${languages.python.needed} is not installed`);
  const { exitCode, error } = await runProgram(languages.python, await readExample(files.python), {
    folder,
    programArguments: ["no-file"],
    environment: { GATEHOUSE_URL: live.url, GATEHOUSE_API_KEY: redirectedKey, GATEHOUSE_CA: live.caFile },
  });
  expect(exitCode).toBe(1);
  expect(error).toContain("is refused: 302");
  expect(askedElsewhere).toBe(false);
});

type Fault = ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;

/** The service processes the request, and the connection breaks before the caller gets the response. */
function loseAnswer(request: IncomingMessage): boolean {
  const body: Buffer[] = [];
  request.on("data", (chunk: Buffer) => body.push(chunk));
  request.on("end", async () => {
    const answer = await live.gatehouse.send({
      method: "POST",
      url: request.url as string,
      headers: { "content-type": "application/json" },
      key: request.headers["x-api-key"] as string,
      payload: Buffer.concat(body),
    });
    // Only a stored import has a response to lose.
    if (answer.json.successCount === 500) request.socket.destroy();
  });
  return true;
}

function answerWith(status: number): Fault {
  return (request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(status, { "retry-after": "1", "content-type": "application/json" });
      response.end(JSON.stringify({ success: false, message: "Try again", retryAfter: 1 }));
    });
    return true;
  };
}
