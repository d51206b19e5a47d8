import { Command } from "commander";
import { secretKeySource } from "../../core/organizations/secret-key.js";
import { maxKeyAgeMs } from "./receipt-issuer.js";
import { listReceiptKeys, rotateReceiptKey } from "./receipt-keys.js";
import { commandLineActor, describedCommand, printResult, table } from "../../core/cli/output.js";
import { withDatabase } from "../../core/cli/with-database.js";

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
