import { expect, test } from "vitest";
import { asked, givenBy, suggest, type Cells } from "../../testing/suggestion.js";

test.each([
  ["Date", "Time In", "Time Out"],
  ["Datum", "Einfahrt Uhrzeit", "Ausfahrt Uhrzeit"],
  ["Data", "Godzina wjazdu", "Godzina wyjazdu"],
  ["Fecha", "Hora de entrada", "Hora de salida"],
  ["日付", "入庫時刻", "出庫時刻"],
])("one bare date belongs to the times of entry and exit: %s, %s, %s", async (date, entry, exit) => {
  const { mapping } = await suggest({
    [date]: "2026-06-05",
    [entry]: "08:15",
    [exit]: (row) => `09:${10 + row}`,
  });
  expect(mapping.columns[date]).toEqual([
    expect.objectContaining({ to: "sessionStart", with: entry }),
    expect.objectContaining({ to: "sessionEnd", with: exit }),
  ]);
});

test("day, month, year and an unpadded time of four columns are one moment", async () => {
  const { mapping } = await suggest(
    {
      Day: (row) => String(1 + (row % 28)),
      Month: (row) => String(3 + (row % 2)),
      Year: "2026",
      Time: (row) => String(5 + row * 10 + (row > 5 ? 40 : 0)).replace(/[6-9](\d)$/, "0$1"),
    },
    { without: ["Payment Time"] },
  );
  expect(mapping.columns["Day"]).toMatchObject({ to: "transactionDate", with: ["Month", "Year", "Time"] });
});

test("rows with a date and without a time are counted and asked about", async () => {
  const suggestion = await suggest({
    "Entry Date": "2026-06-05",
    "Entry Time": (row) => (row < 2 ? "" : "08:15"),
  });
  const question = asked(suggestion, "noTimeOfDay");
  expect(question).toMatchObject({ rows: 2, samples: ["2026-06-05 · "] });
  expect(givenBy(question, "00:00")).toBe("sessionStart: 2026-06-05T04:00:00Z");
});

test("a date where a time is needed is never midnight without a question", async () => {
  expect(asked(await suggest({ "Entry Date": "2026-06-05" }), "noTimeOfDay")?.rows).toBe(30);
  expect(asked(await suggest({ "Entry Date": "2026-06-05 00:00:00" }), "allMidnight")?.rows).toBe(30);
});

test("the zone in the values is used: GMT", async () => {
  const { assumptions } = await suggest({
    "Payment Time": (row) => `Tue, 02 Jun 2026 10:${10 + row}:24 GMT`,
  });
  const fields = assumptions.find(({ code }) => code === "fields");
  expect(givenBy(fields, "yes")).toContain("transactionDate: 2026-06-02T10:10:24Z");
});

test("an arrival in a file of bookings may be the planned one", async () => {
  const question = asked(
    await suggest({ "Booking Ref": (row) => `B${row}`, Arrival: "2026-06-05 08:15:00" }),
    "plannedOrActual",
  );
  expect(givenBy(question, "booked")).toBe("scheduledArrival: 2026-06-05T12:15:00Z");
});

test("the zone of a header is used", async () => {
  const times = {
    "Entry (UTC)": "2026-06-05 08:15:00",
    "Paid at (UTC)": (row: number) => `2026-06-05 10:${10 + row}:00`,
  };
  const utc = await suggest(times, { without: ["Payment Time"] });
  expect(utc.mapping.timeZone).toBe("UTC");
  const mixed = await suggest(
    { ...times, "Exit Time": "2026-06-05 09:15:00" },
    { without: ["Payment Time"] },
  );
  expect(asked(mixed, "zoneAsked")).toBeDefined();
});

const stays: Cells = {
  Date: (row) => `2026-06-${String(1 + (row % 28)).padStart(2, "0")}`,
  "Time In": (row) => (row % 10 === 3 ? "23:10" : "10:15"),
  "Time Out": (row) => (row % 10 === 3 ? "00:40" : "11:20"),
};

test("an exit after midnight without its own date is asked about, whether or not the zone is known", async () => {
  for (const more of [{}, { Garage: "Unknown" }]) {
    const found = asked(await suggest({ ...stays, ...more }, { without: ["Payment Time"] }), "overnight");
    expect(found?.rows).toBe(3);
    expect(found?.choices.map(({ id }) => id)).toEqual(["next day", "keep", "without end"]);
    expect(found?.data["columns"]).toEqual(["Date", "Time In", "Time Out"]);
  }
  const day = { ...stays, "Time Out": "23:30" };
  expect(asked(await suggest(day, { without: ["Payment Time"] }), "overnight")).toBeUndefined();
});

test.each([
  ["buddhist", (row: number) => `${10 + (row % 18)}/06/2569 10:00`, "2026-06-10T14:00:00Z"],
  ["buddhist", (row: number) => `${13 + (row % 15)}/06/69 10:00`, "2026-06-13T14:00:00Z"],
  ["minguo", (row: number) => `115/06/${10 + (row % 18)} 10:00`, "2026-06-10T14:00:00Z"],
  ["Japanese", (row: number) => `令和8年6月${10 + (row % 18)}日 10:00`, "2026-06-10T14:00:00Z"],
  ["buddhist", (row: number) => `2569-06-${10 + (row % 18)}T10:00:00+07:00`, "2026-06-10T10:00:00+07:00"],
  ["buddhist", (row: number) => `2569-06-${10 + (row % 18)}T10:00:00.000Z`, "2026-06-10T10:00:00.000Z"],
  ["persian", (row: number) => `1405/03/${10 + (row % 18)} 10:00`, "2026-05-31T14:00:00Z"],
])(
  "dates of another calendar are converted and shown to be confirmed: %s",
  async (calendar, cell, moment) => {
    const { assumptions } = await suggest({ "Payment Time": cell });
    const found = assumptions.find(({ code }) => code === "calendar");
    expect(found?.data).toEqual({ column: "Payment Time", calendar });
    expect(found?.text).toMatch(/^The dates in the column "Payment Time" are in the [A-Z].* calendar$/);
    expect(found?.choices[0]?.gives[0]).toBe(`transactionDate: ${moment}`);
  },
);

test("years that are hardly true are asked about", async () => {
  const found = asked(
    await suggest({ "Payment Time": (row) => `2046-06-05 08:${10 + row}:00` }),
    "implausibleTimes",
  );
  expect(found).toMatchObject({ rows: 30, data: { path: "transactionDate" } });
});

test("times in a column that no name explains get a question about their zone", async () => {
  const { questions, assumptions } = await suggest(
    { Zzyx: (row) => `2026-06-05 08:${10 + row}:00` },
    { without: ["Payment Time"] },
  );
  expect([...questions, ...assumptions].some(({ id }) => id === "zone")).toBe(true);
});

test.each([
  ["kl.", (row: number) => `${13 + (row % 15)}.06.2026 kl. 09.30`],
  ["Uhr", (row: number) => `${13 + (row % 15)}.06.2026 09:30 Uhr`],
  ["오전", (row: number) => `2026-06-${13 + (row % 15)} 오전 9:30`],
])("times are read with the words of their language: %s", async (_, cell) => {
  const { mapping, questions } = await suggest({ "Payment Time": cell });
  expect(questions).toEqual([]);
  expect(mapping.columns["Payment Time"]).toMatchObject({ to: "transactionDate" });
});

test("a date of something else with an entry and an exit time belongs to both, and every choice has its own name", async () => {
  const times = {
    "Issue date": stays["Date"],
    "Time In": stays["Time In"],
    "Time Out": stays["Time Out"],
  } as Cells;
  const { mapping, questions } = await suggest(times, { without: ["Payment Time"] });
  expect(mapping.columns["Issue date"]).toEqual([
    expect.objectContaining({ to: "sessionStart", with: "Time In" }),
    expect.objectContaining({ to: "sessionEnd", with: "Time Out" }),
  ]);
  for (const { choices } of questions) {
    const ids = choices.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
});
