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
import { readReceiptText } from "./signed-receipt.js";
import type { ReceiptReport } from "./check-receipt.js";

export function receiptKeyCommand(): Command {
  const command = new Command("receipt-key").description(
    "list and rotate the keys that receipts are signed with",
  );
  command.addCommand(listCommand());
  command.addCommand(rotateCommand());
  return command;
}

function listCommand(): Command {
  return describedCommand(
    new Command("list").description(
      "list all keys that receipts were ever signed with; private keys are never shown",
    ),
    ["receipt-key list"],
  ).action(async (options: { json?: boolean }) => {
    const keys = await withDatabase(({ pool }) => listReceiptKeys(pool));
    printResult(options, keys, () =>
      table(
        ["Key", "Made at", "Retired at"],
        keys.map(({ kid, createdAt, retiredAt }) => [kid, createdAt, retiredAt]),
        "There are no keys yet. With GATEHOUSE_RECEIPTS=on the service makes the first one when it answers an import.",
      ),
    );
  });
}

function rotateCommand(): Command {
  return describedCommand(
    new Command("rotate")
      .description(
        `make a new key for receipts; every instance signs with it within ${maxKeyAgeMs / 1_000} seconds, and the old public key stays published`,
      )
      .option("--secret-lost", "the secret key that the current key was stored with is lost for good"),
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
    holds === null ? "unknown" : holds ? "yes" : "NO",
    says,
  ]);
  return [
    table(["Check", "Holds", "What was found"], rows, ""),
    "",
    ...(takenBack
      ? [
          `The run was taken back at ${takenBack.at}: ${takenBack.removed} of its records were removed. What the receipt proves is that they had been acknowledged.`,
        ]
      : []),
    ok
      ? "The receipt is genuine, as far as the checks above go."
      : warningColour("The receipt does not hold."),
  ].join("\n");
}
