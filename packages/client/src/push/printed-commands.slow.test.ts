import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { buildCommand, repository } from "../../testing/built-command.js";
import { useLiveService } from "../../testing/live-service.js";

const live = useLiveService();
beforeAll(buildCommand, 120_000);

interface Shell {
  locationUuid: string;
  file(name: string, content: string | Buffer): Promise<void>;
  /** Runs a line as a person would, and returns what it prints and its exit code. */
  type(line: string, environment?: NodeJS.ProcessEnv): Promise<{ code: number; printed: string }>;
  /** The environment variables that name the service and the key. */
  service: NodeJS.ProcessEnv;
}

/** A folder with a key file, and a shell that finds gatehouse-push. */
async function openShell(): Promise<Shell> {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const folder = await mkdtemp(join(live.folder, "shell "));
  const command = join(folder, "gatehouse-push");
  const script = join(repository, "packages/client/bin/gatehouse-push.js");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  await chmod(command, 0o755);
  await writeFile(join(folder, "key.txt"), apiKey);
  const { GATEHOUSE_URL: _url, GATEHOUSE_API_KEY: _key, ...environment } = process.env;
  return {
    locationUuid,
    file: (name, content) => writeFile(join(folder, name), content),
    type: (line, more = {}) =>
      new Promise((resolve) => {
        const path = `${folder}${delimiter}${process.env["PATH"]}`;
        const env = { ...environment, PATH: path, NODE_EXTRA_CA_CERTS: live.caFile, ...more };
        execFile("bash", ["-c", line], { cwd: folder, env }, (error, out, problems) =>
          resolve({ code: Number(error?.code ?? 0), printed: out + problems }),
        );
      }),
    service: { GATEHOUSE_URL: live.url, GATEHOUSE_API_KEY: apiKey },
  };
}

/** The commands in a text, without a prompt. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/^ +(?:\$ )?((?:zcat \S+ \| )?gatehouse-push .*)$/gm)].map(
    ([, command]) => command as string,
  );
}

const header = "transactionId,locationUuid,type,transactionDate,amountTotal";
const session = (id: string, location: string, amount = "12.50") =>
  `${id},${location},Transient,2026-04-01T14:30:00Z,${amount}`;

test("every example of --help works as printed", async () => {
  const { type, file, locationUuid, service } = await openShell();
  const record = (id: string) =>
    `{"transactionId":"${id}","locationUuid":"${locationUuid}","type":"Flex","transactionDate":"2026-04-01T14:30:00Z"}`;
  await file("export.csv", `Ticket,Garage,Paid at\nE-1,${locationUuid},2026-04-01T14:30:00Z\n`);
  await file("sessions.csv", `${header}\n${session("T-1", locationUuid)}\n`);
  await file("april.csv", `${header}\nT-2,${locationUuid},Flex,04/01/2026 2:30 PM,"$1,012.50"\n`);
  await file("accounts.json", '[{"tpReferenceId":"A-1","name":"Acme"}]');
  await file("sessions.ndjson.gz", gzipSync(`${record("N-1")}\n`));
  const folder = (await type("pwd")).printed.trim();
  await mkdir(join(folder, "export"));
  await file("export/accounts.csv", "tpReferenceId,name\nA-2,Acme\n");

  const { printed } = await type("gatehouse-push --help");
  const commands = commandsIn(printed.slice(printed.indexOf("Examples:")));
  expect(commands).toHaveLength(8);
  for (const command of commands) {
    const here = command.replace("https://gatehouse.example.com", live.url);
    const { code, printed: result } = await type(here, service);
    // A suggested mapping may have questions.
    expect([0, here.includes("--suggest-mapping") ? 2 : 0], `${here}\n${result}`).toContain(code);
  }
});

test("the command after a suggestion works without the service, although times are in the zones of locations", async () => {
  const { type, file } = await openShell();
  const rows = ["E-1;MAIN;2026-04-01 14:30:00;12.50", "E-2;NORTH;2026-04-02 09:00:00;7.50"];
  const content = `Ticket;Garage;Paid at;Total\n${rows.join("\n")}\n`;
  await file("big export.csv", content);
  await file(
    "mapping file.json",
    JSON.stringify({
      columns: {
        Ticket: "transactionId",
        Garage: { to: "locationUuid", location: "any" },
        "Paid at": "transactionDate",
        Total: "amountTotal",
      },
      constants: { type: "Transient" },
      timeZone: "location",
    }),
  );
  const suggested = await type(
    `gatehouse-push transactions "big export.csv" --suggest-mapping 'new one.json'`,
  );
  const [next = ""] = commandsIn(suggested.printed);
  expect(next).toBe('gatehouse-push transactions "big export.csv" --mapping "new one.json" --dry-run');
  const check = next.replace("new one.json", "mapping file.json");
  const checked = await type(check);
  expect(checked).toMatchObject({ code: 0, printed: expect.stringMatching(/valid +2\n/) });
  expect(checked.printed).toContain(
    "not checked: local times, because the zones of the locations are not known; whether the locations exist",
  );
  await file("big export.csv", content.replace("2026-04-02 09:00", "2026-04-31 09:00"));
  expect(await type(check)).toMatchObject({ code: 2, printed: expect.stringMatching(/failed +1\n/) });
});

test("the commands that an error and a summary print work as printed", async () => {
  const { type, file, locationUuid, service } = await openShell();
  const content = [header, session("T-1", locationUuid), session("T-2", locationUuid, "n/a")].join("\n");
  await file("my sessions.csv", `${content.replaceAll(",", "|")}\n`);
  await file("mapping.json", JSON.stringify({ file: { encoding: "windows-1252", headerLine: 1 } }));

  const mistaken = await type('gatehouse-push "my sessions.csv"', service);
  const [named = ""] = commandsIn(mistaken.printed);
  const delimited = `${named} --delimiter "|" --mapping mapping.json --output results`;
  const pushed = await type(delimited, service);
  expect(pushed).toMatchObject({ code: 2, printed: expect.stringMatching(/created +1\n/) });

  const [correction = ""] = commandsIn(pushed.printed);
  expect(correction).toBe(
    'gatehouse-push transactions results/failed.csv --delimiter "|" --mapping mapping.json',
  );
  await type("sed -i s,n/a,3.00, results/failed.csv");
  expect(await type(correction, service)).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/created +1\n/),
  });
});
