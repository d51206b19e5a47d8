import { expect, test } from "vitest";
import { signedIn } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { useCommands } from "../../../../testing/run-command.js";

const gatehouse = useApp();
const run = useCommands(gatehouse);

test("organization configure turns required two-factor authentication on and off", async () => {
  const { organizationId } = await gatehouse.tenant();
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  const configure = (state: string) =>
    run("organization", "configure", organizationId, "--require-second-factor", state);
  expect(await configure("on")).toMatchObject({ requiresSecondFactor: true });
  expect((await viewer.get(`/organizations/${organizationId}`)).json.code).toBe("secondFactorMissing");
  expect(await configure("off")).toMatchObject({ requiresSecondFactor: false });
  expect((await viewer.get(`/organizations/${organizationId}`)).status).toBe(200);
});
