import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { checkout } from "./release.js";

const run = promisify(execFile);
const timeoutMs = 120_000;

/** All strict compiler options. Declarations of packages are checked like the project's code. */
const compilerOptions = {
  target: "es2023",
  lib: ["es2023"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [path.join(checkout, "node_modules/@types")],
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  outDir: "built",
};

/** The same program for both module systems: types that match, and calls that the service answers. */
const program = `
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isNumber: Equal<ImportRun["successCount"], number> = true;
const account: Account = { tpReferenceId: "FROM-" + system, name: "Acme", type: AccountType.Flex };
const isLiteral: Equal<typeof ReasonCode.InternalError, 99> = true;
const batch: 500 = limits.maxRecords.transactions;
// @ts-expect-error a name is not a number
const wrong: Account = { tpReferenceId: "X", name: 1 };

async function main(): Promise<void> {
  const client = createClient({ url: process.argv[2] ?? "", apiKey: process.argv[3] ?? "" });
  const { totalCount } = await client.listLocations();
  let locations = 0;
  for await (const { uuid } of client.allLocations({ pageSize: 2 })) if (uuid !== "") locations += 1;
  const run: ImportRun = await client.importAccounts([account]);
  const refused = await createClient({ url: process.argv[2] ?? "", apiKey: "wrong" })
    .listLocations()
    .then(() => "taken", (error: unknown) => (error instanceof UnauthorizedError ? error.status : error));
  const { successCount } = run;
  console.log(JSON.stringify({ system, isNumber, isLiteral, batch, wrong: wrong.name, totalCount, locations, successCount, refused }));
}
void main();
`;

const sources = {
  "main.mts": `import { AccountType, createClient, limits, ReasonCode, UnauthorizedError, type Account, type ImportRun } from "@gatehouse-parking/client";
const system = "import";
${program}`,
  "main.cts": `import gatehouse = require("@gatehouse-parking/client");
type Account = gatehouse.Account;
type ImportRun = gatehouse.ImportRun;
const { AccountType, createClient, limits, ReasonCode, UnauthorizedError } = gatehouse;
const system = "require";
${program}`,
};

/** A project with only the client: one module of each system, compiled by the checkout's compiler. */
export async function compileStrictProject(folder: string): Promise<{ esm: string; commonJs: string }> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(sources)) await writeFile(path.join(folder, name), text);
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: Object.keys(sources) }),
  );
  const compiler = path.join(checkout, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, "-p", folder], { cwd: folder, timeout: timeoutMs }).catch(
    (error: { stdout?: string }) => {
      throw new Error(`It does not compile:\n${error.stdout ?? String(error)}`);
    },
  );
  return { esm: path.join(folder, "built/main.mjs"), commonJs: path.join(folder, "built/main.cjs") };
}
