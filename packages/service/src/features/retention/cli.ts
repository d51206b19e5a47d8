import type { OrganizationStorage } from "@gatehouse-parking/contract/console";
import { Option } from "commander";
import { createInterface } from "node:readline/promises";
import { card, remark, table } from "../../core/cli/output.js";
import type { ConfigureOrganizationAddition, ShowOrganizationAddition } from "../../core/feature.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import { guardDeletion } from "./change-retention.js";
import type { DeletionPreview } from "./preview-deletion.js";
import { describeDeletion } from "./settings.js";
import { measureStorage, showStorage } from "./storage.js";

/** gatehouse organization configure --yes */
export const configureAddition: ConfigureOrganizationAddition = {
  options: [new Option("--yes", "delete what shorter periods delete, without a question")],
  check: (pool, config, changes, { yes }) =>
    guardDeletion(pool, changes, config, (preview) => confirmDeletion(preview, yes === true)),
};

async function confirmDeletion({ data, at }: DeletionPreview, isConfirmed: boolean): Promise<boolean> {
  for (const deletable of data) remark(describeDeletion(deletable, at));
  if (isConfirmed) return true;
  if (!process.stdin.isTTY)
    throw invalidInput("This change deletes stored data. Nothing was saved. Add --yes to save it");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question("Save this change? Type yes: ")).trim() === "yes";
  } finally {
    terminal.close();
  }
}

/** How long --count waits for an import that is running. */
const countLockTimeout = "10s";

/** gatehouse organization show: what the organization stored at the last count, and its quotas. */
export const showAddition: ShowOrganizationAddition = {
  option: new Option("--count", "count now"),
  example: "organization show UUID --count",
  async read(pool, settings, { count }) {
    if (count) await measureStorage(pool, settings.uuid, countLockTimeout);
    const { version: _version, ...storage } = await showStorage(pool, settings.uuid, settings);
    return storage;
  },
  describe: (facts) => describeStorage(facts as unknown as Omit<OrganizationStorage, "version">),
};

function describeStorage({ measuredAt, sizes, quotas }: Omit<OrganizationStorage, "version">): string {
  const number = (value: number | null) => value?.toLocaleString("en") ?? "-";
  return [
    card({ counted: measuredAt ?? "not yet" }),
    table(
      ["Table", "Rows", "Bytes, about"],
      sizes.map(({ what, rows, bytes }) => [what, number(rows), number(bytes)]),
      "Not counted yet. Count now: gatehouse organization show UUID --count",
    ),
    table(
      ["Quota", "Limit", "Used"],
      quotas.map(({ quota, limit, used }) => [quota, limit === null ? "none" : number(limit), number(used)]),
      "",
    ),
  ].join("\n");
}
