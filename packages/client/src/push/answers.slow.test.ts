import { expect, test } from "vitest";
import { createPushTenant } from "../../testing/push-tenant.js";
import { useLiveService } from "../../testing/live-service.js";
import { runPush } from "../../testing/run-push.js";

const live = useLiveService();

const times = {
  ...{ id: "times:Entry", kind: "question", code: "ambiguousTimes", data: { column: "Entry" }, rows: 2 },
  text: "Is 03/04/2026 in March or in April?",
  samples: ["03/04/2026 10:00"],
  choices: [
    {
      ...{ id: "month-first", patch: { columns: { Entry: { time: "M/d/yyyy H:mm" } } } },
      gives: ["2026-03-04T10:00"],
    },
    {
      ...{ id: "day-first", patch: { columns: { Entry: { time: "d/M/yyyy H:mm" } } } },
      gives: ["2026-04-03T10:00"],
    },
  ],
};
const zone = {
  ...{ id: "zone", kind: "assumption", code: "zone", data: {}, rows: 2, samples: [], assumed: "chicago" },
  text: "The times have no zone.",
  choices: [{ id: "chicago", patch: { timeZone: "America/Chicago" }, gives: [] }],
};

async function newFiles() {
  const tenant = await createPushTenant(live);
  const { file, locationUuid } = tenant;
  const csv = await file("export.csv", "Ticket,Entry\nE-1,03/04/2026 10:00\nE-2,05/04/2026 11:00\n");
  const content = {
    columns: { Ticket: "transactionId", Entry: "transactionDate" },
    constants: { type: "Transient", locationUuid },
    questions: [times, zone],
  };
  const mapping = await file("mapping.json", JSON.stringify(content));
  return { ...tenant, csv, mapping };
}

test("nothing is imported while a question is open; a dry run goes on and lists the questions", async () => {
  const { csv, mapping, push, requests, file } = await newFiles();
  const refused = await push(["transactions", csv, "--mapping", mapping]);
  expect(refused).toMatchObject({
    code: 1,
    error: expect.stringContaining("2 questions are open: times:Entry, zone. Answer with --answers FILE"),
  });
  expect(requests()).toBe(0);

  const checked = await runPush(["transactions", csv, "--mapping", mapping, "--dry-run"]);
  expect(checked.out).toContain(
    [
      "1 question is open. Put one line for each into a JSON file, and add --answers FILE:",
      "  - Is 03/04/2026 in March or in April? (2 rows)",
      '      "times:Entry": "month-first"',
      '        "03/04/2026 10:00" -> 2026-03-04T10:00',
      '      "times:Entry": "day-first"',
      '        "03/04/2026 10:00" -> 2026-04-03T10:00',
      "1 assumption is not confirmed. Add --confirm-assumptions, or answer it like a question:",
      "  - The times have no zone. (2 rows)",
      '      "zone": "chicago"  (assumed)',
      "",
    ].join("\n"),
  );
  const json = await runPush(["transactions", csv, "--mapping", mapping, "--dry-run", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject([{ openQuestions: [times, zone] }]);

  const answers = await file("answers.json", '{ "times:Entry": "day-first" }');
  const answered = ["transactions", csv, "--mapping", mapping, "--answers", answers];
  expect((await push(answered)).error).toContain("a question is open: zone");
  const pushed = await push([...answered, "--confirm-assumptions", "--json"]);
  expect(pushed).toMatchObject({ code: 0, error: "" });
  expect(JSON.parse(pushed.out)).toMatchObject([{ tally: { created: 2 } }]);
});

test("answers that are not JSON, belong to no question or have no mapping are refused with advice", async () => {
  const { csv, mapping, file, folder } = await newFiles();
  const refusal = async (answers: string, ...more: string[]) =>
    (await runPush(["transactions", csv, "--dry-run", "--answers", answers, ...more])).error;
  const wrong = await file("answers.json", '{ "other": "x" }');
  expect(await refusal(wrong, "--mapping", mapping)).toContain(
    '"answers" has an answer to "other", which is not a question',
  );
  expect(await refusal(await file("list.json", "[]"), "--mapping", mapping)).toContain(
    "must be a JSON object with an answer for each question",
  );
  expect(await refusal(await file("broken.json", "{"), "--mapping", mapping)).toContain(
    "Cannot read the answers in",
  );
  expect(await refusal(wrong)).toContain("add --mapping FILE");
  expect((await runPush([folder, "--answers", wrong])).error).toContain(
    "--answers works only for single files",
  );
});
