import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tenant } from "../../service/testing/harness.js";
import type { LiveService } from "./live-service.js";
import { runPush, type PushContext } from "./run-push.js";

export interface PushTenant extends Tenant {
  folder: string;
  /** Writes a file into the tenant's folder and returns its path. */
  file(name: string, content: string | Buffer): Promise<string>;
  /** Runs gatehouse-push with this organization's key. */
  push(args: string[], context?: PushContext): ReturnType<typeof runPush>;
  /** The number of import requests of the organization. */
  requests(): number;
}

/** Creates an organization and a folder to push from. */
export async function createPushTenant(
  live: LiveService,
  options: { location?: { timeZone?: string } } = {},
): Promise<PushTenant> {
  const tenant = await live.gatehouse.tenant(options);
  const folder = await mkdtemp(join(live.folder, "desk-"));
  await writeFile(join(folder, "key.txt"), `${tenant.apiKey}\n`);
  return {
    ...tenant,
    folder,
    async file(name, content) {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
    push: (args, context) =>
      runPush(
        [...args, "--url", live.url, "--ca", live.caFile, "--key-file", join(folder, "key.txt")],
        context,
      ),
    requests: () =>
      live.gatehouse.logged.filter(
        (line) =>
          line["organizationId"] === tenant.organizationId && String(line["operation"]).startsWith("import"),
      ).length,
  };
}
