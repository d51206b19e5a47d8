import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { useApp } from "../../testing/harness.js";
import { transactionFile, uploader } from "../../testing/uploader.js";
import { claim, giveBack } from "./queue.js";

const gatehouse = useApp();

test("of several uploads of an organization one is worked on, however many ask at the same moment", async () => {
  const by = await uploader(gatehouse);
  for (let number = 0; number < 3; number += 1) await by.start(await by.receive(transactionFile(by, 1)));
  const { work } = gatehouse.database;
  for (let round = 0; round < 20; round += 1) {
    const asked = await Promise.all(Array.from({ length: 3 }, () => claim(work, randomUUID())));
    const claimed = asked.flatMap((each) => each ?? []);
    expect(claimed.map(({ organizationId }) => organizationId)).toEqual([by.organizationId]);
    for (const each of claimed) await giveBack(work, each, { afterSeconds: 0, isCounted: false });
  }
});
