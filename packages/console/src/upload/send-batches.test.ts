import { afterEach, expect, test, vi } from "vitest";
import { explain } from "../api/failure.js";
import { emptyTally, sendBatches } from "./send-batches.js";

afterEach(() => vi.unstubAllGlobals());

/** What a person reads when the batch is answered like this. */
async function toldAbout(answer: Response | Error): Promise<string> {
  vi.stubGlobal("fetch", () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)));
  const record = { text: "{}", line: 1 };
  const error = await sendBatches({
    mode: "importBatch",
    organizationUuid: "organization",
    resource: "transactions",
    metadata: "{}",
    batches: [{ records: [record], texts: [record.text] } as never],
    from: 0,
    tally: emptyTally,
    onBatch: () => undefined,
    onWait: () => undefined,
    signal: new AbortController().signal,
  }).catch((thrown: unknown) => thrown);
  return explain(error).detail;
}

const failed = (errorDetail: string) =>
  Response.json({ referenceUuid: "run", results: [{ status: 4, errorDetail }] }, { status: 500 });

test("a batch of unknown end is not said to be lost: its own words are shown, and that resuming is safe", async () => {
  const resume = "Resume to send it again: records that are already stored will be skipped.";
  expect(await toldAbout(failed("It is not known whether the record was stored."))).toBe(
    `It is not known whether the record was stored. ${resume}`,
  );
  expect(await toldAbout(failed("Nothing of it was kept."))).toBe(`Nothing of it was kept. ${resume}`);
  expect(await toldAbout(new TypeError("fetch failed"))).toBe(
    "There was no answer, so the last batch may or may not have been stored. Resume once you are connected again: records that are already stored will be skipped.",
  );
});
