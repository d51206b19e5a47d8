import { readConfig } from "../../service/src/config.js";
import { createDemo } from "../../service/src/features/demo/demo.js";
import { features } from "../../service/src/features.js";
import { fillDemo } from "../../service/src/features/demo/sample/fill-demo.js";
import type { ConsoleUnderTest, Tenant } from "./harness.js";

/** The demo organization as a new user sees it, with a month of data. */
export async function createFilledDemo({ database }: ConsoleUnderTest): Promise<Tenant> {
  const demo = await createDemo(database.work, "start");
  if (!demo) throw new Error("The demo organization exists already");
  const { organization, locations, apiKey } = demo;
  const observers = features.flatMap(({ afterImport }) => afterImport?.(readConfig({})) ?? []);
  await fillDemo(database.gate, { organizationId: organization.uuid, actor: "start", observers });
  return {
    organizationUuid: organization.uuid,
    name: organization.name,
    apiKey: apiKey.key,
    locationUuid: locations[0]?.uuid ?? "",
  };
}
