import { Command } from "commander";
import type { CommandContext } from "../../core/feature.js";
import { inviteInitialOperator } from "../../core/organizations/operators.js";
import { createDemo } from "./demo.js";
import { fillDemo } from "./sample/fill-demo.js";
import { signInAddress } from "../../core/organizations/sign-in-links.js";
import {
  linkAddress,
  commandLineActor,
  describedCommand,
  printResult,
  remark,
  card,
  table,
} from "../../core/cli/output.js";
import { withDatabase } from "../../core/cli/with-database.js";

export function demoCommand({ features }: CommandContext): Command {
  return describedCommand(
    new Command("demo").description(
      "create the demo organization if it does not exist, with locations in five time zones, a month of sample data, an API key and a console sign-in",
    ),
    ["demo", "demo --json"],
  ).action(async (options: { json?: boolean }) => {
    const result = await withDatabase(
      async ({ pool, config }) => {
        const demo = await createDemo(pool, commandLineActor, ({ organization, apiKey }) =>
          fillDemo(pool, {
            organizationId: organization.uuid,
            importKeyId: apiKey.uuid,
            actor: commandLineActor,
            observers: features.flatMap(({ afterImport }) => afterImport?.(config) ?? []),
          }).catch((error: Error) => remark(`The sample data could not be created: ${error.message}`)),
        );
        const operator = await inviteInitialOperator(pool, commandLineActor);
        const address = await linkAddress(pool, config);
        return {
          created: demo !== undefined,
          organization: demo?.organization ?? null,
          locations: demo?.locations ?? [],
          apiKey: demo ? { uuid: demo.apiKey.uuid, name: demo.apiKey.name, key: demo.apiKey.key } : null,
          signIn: operator
            ? { email: operator.email, link: signInAddress(address, operator.signInToken) }
            : null,
        };
      },
      { setUp: true },
    );
    printResult(options, result, () => describe(result));
  });
}

function describe(result: {
  created: boolean;
  organization: { uuid: string; name: string } | null;
  locations: { uuid: string; name: string; timeZone: string }[];
  apiKey: { key: string } | null;
  signIn: { link: string } | null;
}): string {
  const signIn = result.signIn ? { "Sign in (once)": result.signIn.link } : {};
  if (!result.created) {
    return [
      "The demo organization already exists. Its key was shown when it was created.",
      "`gatehouse api-key create --organization UUID --name NAME` creates another key; `gatehouse organization list` shows the UUID.",
      ...(result.signIn ? [card(signIn)] : []),
    ].join("\n");
  }
  const locations = result.locations.map(({ uuid, name, timeZone }) => [uuid, name, timeZone]);
  return [
    card({
      Organization: `${result.organization?.name} (${result.organization?.uuid})`,
      "Key (shown only now)": result.apiKey?.key,
      ...signIn,
    }),
    "",
    table(["Location", "Name", "Time zone"], locations, ""),
  ].join("\n");
}
