import { Command, Option } from "commander";
import { secretKeySource } from "../../core/organizations/secrets.js";
import { maxKeyAgeMs } from "./receipt-issuer.js";
import { listReceiptKeys, rotateReceiptKey } from "./receipt-keys.js";
import {
  commandLineActor,
  describedCommand,
  printResult,
  table,
  warningColour,
} from "../../core/cli/output.js";
import { withDatabase } from "../../core/cli/with-database.js";
import type { VerifyAddition } from "../../core/feature.js";
import { maxReceiptLength } from "@gatehouse-parking/contract";
import { open } from "node:fs/promises";
import { invalidInput } from "../../core/refusals/user-error.js";
import type { ReceiptReport } from "./check-receipt.js";

export function receiptKeyCommand(): Command {
  const command = new Command("receipt-key").description("list and rotate the signing keys of receipts");
  command.addCommand(listCommand());
  command.addCommand(rotateCommand());
  return command;
}

function listCommand(): Command {
  return describedCommand(
    new Command("list").description(
      "list all current and retired receipt keys; private keys are never shown",
    ),
    ["receipt-key list"],
  ).action(async (options: { json?: boolean }) => {
    const keys = await withDatabase(({ pool }) => listReceiptKeys(pool));
    printResult(options, keys, () =>
      table(
        ["Key", "Created at", "Retired at"],
        keys.map(({ kid, createdAt, retiredAt }) => [kid, createdAt, retiredAt]),
        "There are no keys yet. With GATEHOUSE_RECEIPTS=on the service creates the first one when it answers an import.",
      ),
    );
  });
}

function rotateCommand(): Command {
  return describedCommand(
    new Command("rotate")
      .description(
        `create a new key for receipts; every instance signs with it within ${maxKeyAgeMs / 1_000} seconds, and the old public key stays published`,
      )
      .option("--secret-lost", "the secret key that encrypts the current receipt key is lost"),
    ["receipt-key rotate"],
  ).action(async (options: { secretLost?: boolean; json?: boolean }) => {
    const rotation = await withDatabase(({ pool, config }) =>
      rotateReceiptKey(pool, secretKeySource(config), {
        actor: commandLineActor,
        isSecretLost: options.secretLost === true,
      }),
    );
    printResult(
      options,
      rotation,
      () =>
        `${rotation.kid} is the new key. Every instance signs with it within ${maxKeyAgeMs / 1_000} seconds.${
          rotation.retiredKid === undefined ? "" : ` ${rotation.retiredKid} is retired and stays published.`
        }`,
    );
  });
}

/** gatehouse verify --receipt FILE */
export const verifyAddition: VerifyAddition = {
  option: new Option(
    "--receipt <file>",
    "check this receipt of an import instead: a file, the receipt itself, or - for standard input",
  ),
  example: "verify --receipt receipt.txt",
  run: verifyReceipt,
};

async function verifyReceipt(given: string, options: { json?: boolean }): Promise<void> {
  const text = await readReceiptText(given);
  const { checkReceipt } = await import("./check-receipt.js");
  const report = await withDatabase(({ pool }) => checkReceipt(pool, text));
  printResult(options, report, () => describeReceipt(report));
  if (!report.ok) process.exitCode = 1;
}

function describeReceipt({ ok, checks, takenBack }: ReceiptReport): string {
  const rows = checks.map(({ name, holds, says }) => [
    name,
    holds === null ? "unknown" : holds ? "passed" : "FAILED",
    says,
  ]);
  return [
    table(["Check", "Result", "Details"], rows, ""),
    "",
    ...(takenBack
      ? [
          `The import was undone at ${takenBack.at}, which removed ${takenBack.removed} of its records. The receipt still proves that they were acknowledged.`,
        ]
      : []),
    ok ? "The receipt is valid as far as the checks above show." : warningColour("The receipt is not valid."),
  ].join("\n");
}

/** Enough for a receipt with surrounding white space. More is not read, because the file may be something else. */
const maxBytes = maxReceiptLength * 2;

/** `given`: the receipt itself, "-" for standard input, or the path of a file. */
async function readReceiptText(given: string): Promise<string> {
  // Every JWS begins with an encoded JSON object.
  const isReceipt = given.startsWith("eyJ") && given.includes(".");
  const text = isReceipt ? given : given === "-" ? await fromStandardInput() : await fromFile(given);
  if (text.length > maxBytes)
    throw invalidInput(`This is not a receipt: it has more than ${maxReceiptLength} characters`);
  return text.trim();
}

async function fromFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    if ((await file.stat()).isDirectory()) throw invalidInput(`${path} is a folder, not a file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function fromStandardInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk as string;
    if (text.length > maxBytes) break;
  }
  return text;
}
