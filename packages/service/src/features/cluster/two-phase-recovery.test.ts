import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { slowRecovery } from "./distribute.js";

const gatehouse = useApp();

async function adviceAt(setting?: string): Promise<string | undefined> {
  const client = await gatehouse.database.work.connect();
  try {
    // PostgreSQL accepts any value for a setting of an extension that is not installed.
    if (setting !== undefined) await client.query(`set citus.recover_2pc_interval = '${setting}'`);
    return await slowRecovery(client);
  } finally {
    client.release(true);
  }
}

test("a cluster that rarely or never recovers interrupted commits is advised to do it often", async () => {
  for (const setting of ["1min", "3s", "60000ms", "-1"])
    expect(await adviceAt(setting), setting).toMatch(/citus\.recover_2pc_interval = '2s'/);
});

test("a cluster with a short recovery interval gets no advice, and neither does a plain server", async () => {
  for (const setting of ["2s", "1s", "500ms", undefined])
    expect(await adviceAt(setting), setting ?? "no Citus").toBeUndefined();
});
