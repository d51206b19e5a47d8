import type { OrganizationStorage } from "@gatehouse-parking/contract/console";
import { Option } from "commander";
import { card, table } from "../../core/cli/output.js";
import type { ShowOrganizationAddition } from "../../core/feature.js";
import { measureOrganization } from "./measure.js";
import { showStorage } from "./show-storage.js";

/** How long the count waits for an import that is running. */
const countLockTimeout = "10s";

/** gatehouse organization show: what the organization stores, as it was counted last, and its quotas. */
export const showAddition: ShowOrganizationAddition = {
  option: new Option("--count", "count now"),
  example: "organization show UUID --count",
  async read(pool, settings, { count }) {
    if (count) await measureOrganization(pool, settings.uuid, countLockTimeout);
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
