import type { UploadFinding } from "@gatehouse-parking/contract";
import type { UploadDetail } from "@gatehouse-parking/contract/console";
import { expect, test } from "vitest";
import { useInstances } from "../../../testing/another-instance.js";
import { useApp } from "../../../testing/harness.js";
import { interceptStatements } from "../../../testing/statements.js";
import { uploader, type Uploader } from "../../../testing/uploader.js";
import { erasePerson } from "../people/erase-person.js";

const gatehouse = useApp();
const anotherInstance = useInstances(gatehouse);

/** Findings in every batch, also such that compare rows of different batches. */
function longFile({ locationUuid }: Uploader): string {
  const row = (id: number, amount: string, [from, to]: readonly [string, string]) =>
    [
      `T-${id}`,
      locationUuid,
      "1",
      "2026-04-01T12:30:00Z",
      amount,
      `2026-04-01T${from}:30:00Z`,
      `2026-04-01T${to}:30:00Z`,
    ].join(",");
  const lines = Array.from({ length: 1_200 }, (_, index) => {
    if (index === 1_100) return row(2, "5", ["10", "11"]);
    if (index === 1_150) return row(3, "0", ["10", "11"]);
    if (index % 100 === 1) return row(index - 1, "0", ["10", "11"]);
    return row(index, "0", index % 50 === 0 ? ["11", "10"] : ["10", "11"]);
  });
  const header = "transactionId,locationUuid,type,transactionDate,amountTotal,sessionStart,sessionEnd";
  return [header, ...lines, "Total,,,,0,,"].join("\n");
}
const longFindings = { exitBeforeEntry: 22, idRepeated: 1, idWithOtherValues: 12, amountsNotPositive: 1_199 };

const rowsByCode = ({ findings }: { findings: readonly UploadFinding[] }) =>
  Object.fromEntries(findings.map(({ code, rows }) => [code, rows]));

async function expireLease(uuid: string): Promise<void> {
  await gatehouse.database.work.query(
    "update upload_queue set leased_until = clock_timestamp() - interval '1 second', turn_at = now() where upload_id = $1",
    [uuid],
  );
}

/** Runs `work` before the second batch is stored. */
function beforeSecondBatch(
  pool: Parameters<typeof interceptStatements>[0],
  work: () => Promise<unknown>,
): () => void {
  let guards = 0;
  return interceptStatements(pool, (texts, send) => {
    const isGuard = texts.some((text) => text.includes("decided_rows = $4"));
    if (!isGuard || (guards += 1) !== 2) return send();
    void work().then(send, send);
    return undefined;
  });
}

test.each([true, false])(
  "an upload that another instance continues has the same findings as one without interruption (check: %s)",
  async (validateOnly) => {
    const dying = await anotherInstance();
    const [by, other] = [await uploader(gatehouse), await uploader(gatehouse)];
    const whole = await by.run(longFile(by), { validateOnly });
    expect(rowsByCode(whole)).toEqual(longFindings);

    const uuid = await other.receive(longFile(other));
    await other.start(uuid, { validateOnly });
    let half: UploadDetail | undefined;
    const stop = beforeSecondBatch(dying.database.work, async () => {
      half = await other.show(uuid);
      await expireLease(uuid);
      await gatehouse.app.uploads.runUntilIdle();
    });
    await dying.app.uploads.runUntilIdle();
    stop();
    expect(half?.rows).toBe(validateOnly ? 1_000 : 500);
    expect(rowsByCode(half as UploadDetail)["exitBeforeEntry"]).toBe(validateOnly ? 20 : 10);
    const continued = await other.show(uuid);
    expect(continued).toMatchObject({
      ...{ state: "finished", rows: whole.rows, created: whole.created, skipped: whole.skipped },
      ...{ conflicts: whole.conflicts, setAside: 1, reading: whole.reading },
    });
    expect(continued.findings).toEqual(whole.findings);
  },
);

test("a person who is erased during an import does not come back into the findings", async () => {
  const by = await uploader(gatehouse);
  const instance = await anotherInstance();
  const email = "jo@example.com";
  const rows = Array.from(
    { length: 203 },
    (_, index) => `A-${index},Acme,${index === 5 ? `${email} x` : ""}`,
  );
  const uuid = await by.receive(["tpReferenceId,name,contactEmail", ...rows].join("\n"), {
    ...{ resource: "accounts", fileName: "accounts.csv" },
  });
  const leavesOut = { to: "contactEmail", onProblem: "leaveOut" };
  await by.start(uuid, { mapping: { columns: { contactEmail: leavesOut } } });
  const shown = async () => (await by.show(uuid)).findings;
  const stop = beforeSecondBatch(instance.database.work, async () => {
    expect(JSON.stringify(await shown())).toContain(email);
    await erasePerson(gatehouse.database.work, { organizationId: by.organizationId, email, actor: "test" });
    expect(JSON.stringify(await shown())).not.toContain(email);
  });
  await instance.app.uploads.runUntilIdle();
  stop();
  await expireLease(uuid);
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(uuid)).toMatchObject({ state: "finished", rows: 203 });
  expect(await shown()).toMatchObject([{ code: "fieldLeftOut", rows: 1, examples: [{ line: 7 }] }]);
  expect(JSON.stringify(await shown())).not.toContain(email);
});
