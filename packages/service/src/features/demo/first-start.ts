import type { FirstOrganization, StartContext } from "../../core/feature.js";
import { createDemo, lacksDemo } from "./demo.js";

/** Creates the demo organization with an empty embedded database, or where the operator asked for it. */
export async function createDemoAtStart(context: StartContext): Promise<FirstOrganization | undefined> {
  const { config, database, isEmbedded, actor, log, features } = context;
  const isWanted = config.demo ?? (isEmbedded && (await lacksDemo(database.work)));
  if (!isWanted) return undefined;
  const demo = await createDemo(database.work, actor, async ({ organization, apiKey }) => {
    const { fillDemo } = await import("./sample/fill-demo.js");
    const observers = features.flatMap(({ afterImport }) => afterImport?.(config) ?? []);
    const input = { organizationId: organization.uuid, importKeyId: apiKey.uuid, actor, observers };
    // The pool of the gate does not wait for the disk, batch by batch. The demo is usable without sample data.
    await fillDemo(database.gate, input).catch((error: unknown) =>
      log.warn({ err: error }, "the demo organization has no sample data; its sandbox can add it"),
    );
  });
  return (
    demo && {
      organizationUuid: demo.organization.uuid,
      locationUuid: demo.locations[0]?.uuid ?? "",
      key: demo.apiKey.key,
    }
  );
}
