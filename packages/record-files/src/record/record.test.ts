import type { ImportResourceName } from "@gatehouse-parking/contract";
import { memberTexts } from "@gatehouse-parking/json-text";
import { expect, test } from "vitest";
import fc from "../../../../testing/properties.js";
import { problemsText } from "../messages.js";
import { textOf } from "./record-builder.js";
import { LocationIndex } from "./locations.js";
import { momentOf } from "./local-time.js";
import { emptyMapping, toMapping, type Mapping } from "./mapping.js";
import { prepareRows, type Prepared, type PrepareOptions } from "./prepare.js";

interface Options extends Partial<PrepareOptions> {
  resource?: ImportResourceName;
}

function prepare(columns: Record<string, string>, options: Options = {}): Prepared {
  const { resource = "transactions", ...rest } = options;
  const convert = prepareRows(Object.keys(columns), resource, {
    mapping: emptyMapping,
    ignoreUnknownColumns: false,
    timeZone: undefined,
    ...rest,
  });
  return convert({ line: 2, cells: Object.values(columns) });
}
const sent = (columns: Record<string, string>, options?: Options) => prepare(columns, options).text;
const detailOf = ({ refusal }: Prepared) => refusal && problemsText(refusal.problems);
const mapping = async (content: unknown): Promise<Mapping> => toMapping(content);

test("columns are placed by their dotted paths, and empty cells are omitted", () => {
  const columns = {
    transactionId: "T-1",
    "vehicle.licensePlate": "ABC 123",
    "vehicle.state": " ",
    "contact.email": "",
    "contact.phoneNumber": "",
    "metadata.gate": "7",
    "metadata.shift.lead": "Jo",
    promotionAmount: "",
  };
  expect(JSON.parse(sent(columns) as string)).toEqual({
    transactionId: "T-1",
    vehicle: { licensePlate: "ABC 123" },
    metadata: { gate: "7", shift: { lead: "Jo" } },
  });
});

test("values take the types of the contract", () => {
  const columns = {
    transactionId: "00123",
    type: "reservation",
    bookingSource: "Customer_API",
    amountTotal: "+012.50",
    netAmount: ".5",
    convenienceFee: "-0.10",
    processingFee: "1e2",
    isRefunded: "Yes",
    promoApplied: "0",
    "account.type": "2",
    "subscription.status": "Pending approval",
    "subscription.numberOfSpaces": "3",
    "vehicle.year": "2019",
    metadata: '{"big": 12345678901234567890}',
    contact: '{"email":"jo@example.com"}',
  };
  expect(sent(columns)).toBe(
    '{"transactionId":"00123","type":4,"bookingSource":6,"amountTotal":12.50,"netAmount":0.5,"convenienceFee":-0.10,"processingFee":1e2,"isRefunded":true,"promoApplied":false,"account":{"type":2},"subscription":{"status":4,"numberOfSpaces":3},"vehicle":{"year":2019},"metadata":{"big": 12345678901234567890},"contact":{"email":"jo@example.com"}}',
  );
});

test("values that cannot be converted are sent unchanged, and the check explains them", () => {
  for (const value of ["12,50", "1.234,5", "abc", "1e", ".", "-", "constructor", "NaN"]) {
    expect(sent({ amountTotal: value })).toBe(JSON.stringify({ amountTotal: value }));
    expect(sent({ isRefunded: value })).toBe(JSON.stringify({ isRefunded: value }));
    expect(sent({ type: value })).toBe(JSON.stringify({ type: value }));
  }
  expect(sent({ metadata: "[1]", contact: "Jo" })).toBe('{"metadata":"[1]","contact":"Jo"}');
});

test("an amount of any length keeps its digits, from CSV and from JSON", () => {
  const digits = "123456789.123456789123456789";
  expect(sent({ amountTotal: digits })).toBe(`{"amountTotal":${digits}}`);
  expect(sent({ record: `{"amountTotal": ${digits}, "cardType": "${digits}"}` })).toBe(
    `{"amountTotal":${digits},"cardType":"${digits}"}`,
  );
});

test("JSON records are converted too, and values that need no conversion keep their exact text", () => {
  const record =
    '{ "transactionId": 42, "type": "Monthly", "vehicle": {"year": "2020", "metadata": {"a" : [1.0, null]}}, "metadata": {"n": 1.50, "s":"\\u0000"}, "contact": {}, "amountTotal": null }';
  expect(sent({ record })).toBe(
    '{"transactionId":"42","type":2,"vehicle":{"year":2020,"metadata":{"a" : [1.0, null]}},"metadata":{"n": 1.50, "s":"\\u0000"},"contact":{},"amountTotal":null}',
  );
  expect(sent({ record: "5" })).toBe("5");
  expect(() => sent({ record: '{"a":' })).toThrow("line 2: not valid JSON");
});

test("members of JSON records match like columns: in any case, with dots; an unknown one fails the record", () => {
  const record =
    '{"TransactionID":"T-1","vehicle.licensePlate":"A 1","Vehicle":{"STATE":"NY"},"metadata":{"Any":1}}';
  expect(sent({ record })).toBe(
    '{"transactionId":"T-1","vehicle":{"licensePlate":"A 1","state":"NY"},"metadata":{"Any":1}}',
  );
  const unknown = '{"transactionId":"T-1","tag":1,"vehicle":{"plate":"A 1"},"failure.code":5}';
  const refused = prepare({ record: unknown });
  expect(refused).toMatchObject({ text: undefined, refusal: { reference: "T-1" } });
  expect(detailOf(refused)).toBe(
    'unknown fields: "tag", "vehicle.plate"; rename the members, map them, or ignore unknown columns',
  );
  expect(sent({ record: unknown }, { ignoreUnknownColumns: true })).toBe(
    '{"transactionId":"T-1","vehicle":{}}',
  );
  const cell = { transactionId: "T-1", vehicle: '{"licensePlate":"A 1","wheels":4}' };
  expect(detailOf(prepare(cell))).toContain('unknown field: "vehicle.wheels"');
});

test("a record with an object of more than 1,000 members fails; metadata may be larger", () => {
  const many = (count: number, name: (index: number) => string = (index) => `m${index}`) =>
    `{${Array.from({ length: count }, (_, index) => `"${name(index)}":${index}`).join(",")}}`;
  const refusal = (record: string) => detailOf(prepare({ record }, { ignoreUnknownColumns: true }));
  const tooMany = "An object has more than 1,000 members";
  expect(refusal(many(1_000))).toBeUndefined();
  expect(refusal(many(1_001))).toBe(tooMany);
  expect(refusal(many(1_001, () => "transactionId"))).toBe(tooMany);
  expect(refusal(`{"contact":${many(1_001)}}`)).toBe(tooMany);
  expect(refusal(`{"contact":${JSON.stringify(many(1_001))}}`)).toBe(tooMany);
  const metadata = `{"metadata":${many(5_000)}}`;
  expect(prepare({ record: metadata }).text).toBe(metadata);
  expect(refusal(`{"metadata":${many(1_001)},"metadata.x":1}`)).toBe(tooMany);
});

test("a mapping with a constant that is too large is rejected", async () => {
  const contact = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`m${index}`, index]));
  const wide = await mapping({ constants: { contact } });
  expect(() => prepare({ transactionId: "T-1" }, { mapping: wide })).toThrow(
    'The mapping: the constant "contact": An object has more than 1,000 members',
  );
});

test("a deep path into a large object is rejected, because each level would be read again", () => {
  const tooLarge = "The objects in the record are too large for this mapping";
  const levels = 30;
  const deep = `${'{"a":'.repeat(levels)}"${"x".repeat(1_000_000)}"${"}".repeat(levels)}`;
  const inside = "a.".repeat(levels - 1);
  expect(detailOf(prepare({ record: `{"metadata":${deep},"metadata.${inside}b":1}` }))).toBe(tooLarge);
  expect(detailOf(prepare({ metadata: deep, [`metadata.${inside}b`]: "1" }))).toBe(tooLarge);
  // A string that is not an object is inspected once per name that leads into it.
  const names = Array.from({ length: 30 }, (_, index) => `"contact.metadata.m${index}":1`);
  const unclosed = JSON.stringify(deep.slice(0, -1));
  expect(detailOf(prepare({ record: `{"contact":${unclosed},${names.join(",")}}` }))).toBe(tooLarge);

  const once = `{"metadata":${deep},"metadata.b":1}`;
  expect(prepare({ record: once }).text).toBe(`${once.slice(0, once.indexOf("}") + levels - 1)},"b":1}}`);
});

test("a mapping can refer to a large object a hundred times, and missing members change nothing", async () => {
  const columns = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`metadata.gone.m${index}`, null]),
  );
  const record = `{"metadata":{"gone": {"text" : "${"x".repeat(1_000_000)}"}, "same":1, "same":2}}`;
  expect(prepare({ record }, { mapping: await mapping({ columns }) }).text).toBe(record);
});

test("an object and its dotted members are merged; a duplicate member fails the record", () => {
  const whole = '{"gate": 7, "shift": {"lead": "Jo"}}';
  const expected = { gate: 7, shift: { lead: "Jo", hours: "8" }, till: "4" };
  const dotted = { "metadata.till": "4", "metadata.shift.hours": "8" };
  for (const columns of [
    { metadata: whole, ...dotted },
    { ...dotted, metadata: whole },
    { record: `{"metadata":${whole},"metadata.till":"4","metadata.shift.hours":"8"}` },
  ])
    expect(JSON.parse(sent(columns) as string)).toEqual({ metadata: expected });
  const vehicle = '{"licensePlate":"A 1","year":"2020"}';
  expect(sent({ vehicle, "vehicle.state": "NY" })).toBe(
    '{"vehicle":{"licensePlate":"A 1","year":2020,"state":"NY"}}',
  );

  const detail = (columns: Record<string, string>) => detailOf(prepare(columns));
  expect(detail({ metadata: whole, "metadata.gate": "8" })).toBe(
    "metadata.gate is set twice; keep one of them",
  );
  expect(detail({ "metadata.gate": "8", metadata: whole })).toBe(
    "metadata.gate is set twice; keep one of them",
  );
  expect(detail({ vehicle, "vehicle.year": "2021" })).toBe("vehicle.year is set twice; keep one of them");
  expect(detail({ metadata: "lane 4", "metadata.gate": "8" })).toBe(
    "metadata is set twice; keep one of them",
  );
  expect(detail({ "metadata.shift": "late", "metadata.shift.lead": "Jo" })).toBe(
    "metadata.shift is set twice; keep one of them",
  );
  expect(detail({ record: '{"cardType":"VISA","CARDTYPE":"AMEX"}' })).toBe(
    "cardType is set twice; keep one of them",
  );
});

test("splitting a JSON object and joining it again changes nothing", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (value, indent) => {
      const members = memberTexts(JSON.stringify(value, null, indent));
      expect(JSON.parse(textOf(members!))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 300 },
  );
});

test("local times become UTC in the given zone; times with a zone keep it", () => {
  const timeZone = "America/New_York";
  expect(sent({ transactionDate: "2026-04-01 23:30" }, { timeZone })).toBe(
    '{"transactionDate":"2026-04-02T03:30:00Z"}',
  );
  expect(sent({ transactionDate: "2026-01-01T00:00:00.123" }, { timeZone })).toBe(
    '{"transactionDate":"2026-01-01T05:00:00.123Z"}',
  );
  expect(sent({ transactionDate: "2026-04-01 14:30:00z" }, { timeZone })).toBe(
    '{"transactionDate":"2026-04-01T14:30:00Z"}',
  );
  expect(sent({ transactionDate: "2026-04-01T14:30:00+02:00" }, { timeZone })).toBe(
    '{"transactionDate":"2026-04-01T14:30:00+02:00"}',
  );
  expect(sent({ transactionDate: "2026-04-01 14:30" })).toBe('{"transactionDate":"2026-04-01 14:30"}');
  expect(sent({ transactionDate: "2026-02-30 14:30" }, { timeZone })).toBe(
    '{"transactionDate":"2026-02-30 14:30"}',
  );
  const subscription = { "subscription.startDate": "2026-04-01" };
  expect(sent(subscription, { timeZone })).toBe('{"subscription":{"startDate":"2026-04-01"}}');
});

test("local times use the zone of the record's location on request", () => {
  const timeZone = new Map([
    ["6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d10", "America/Chicago"],
    ["6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d11", "Asia/Kolkata"],
  ]);
  const at = (locationUuid: string) =>
    JSON.parse(sent({ locationUuid, sessionStart: "2026-07-01 12:00:00" }, { timeZone }) as string)
      .sessionStart;
  expect(at("6F0D2C68-6A40-7C1E-8A52-0A1F4F3E9D10")).toBe("2026-07-01T17:00:00Z");
  expect(at("6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d11")).toBe("2026-07-01T06:30:00Z");
  expect(at("unknown")).toBe("2026-07-01 12:00:00");
});

test("a skipped local time is not guessed; a repeated one is read as the earlier and counted", () => {
  const timeZone = "America/New_York";
  const skipped = prepare({ transactionId: "T-1", sessionStart: "2026-03-08 02:30" }, { timeZone });
  expect(skipped).toMatchObject({
    text: undefined,
    refusal: {
      reference: "T-1",
      problems: [
        { code: "skippedTime", path: "sessionStart", value: "2026-03-08 02:30", data: { timeZone } },
      ],
    },
  });
  const twice = prepare({ sessionStart: "2026-11-01 01:30" }, { timeZone });
  expect(twice).toMatchObject({ text: '{"sessionStart":"2026-11-01T05:30:00Z"}', ambiguousTimes: 1 });
});

test("every moment in every kind of zone is recovered from its local time", () => {
  const zones = [
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Europe/Dublin",
    "UTC",
    "CET",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.date({ min: new Date("1975-01-01"), max: new Date("2035-01-01"), noInvalidDate: true }),
      (zone, date) => {
        const utcMs = Math.floor(date.getTime() / 1000) * 1000;
        const wall = new Intl.DateTimeFormat("sv-SE", {
          timeZone: zone,
          dateStyle: "short",
          timeStyle: "medium",
        });
        const found = momentOf(Date.parse(`${wall.format(utcMs).replace(" ", "T")}Z`), zone);
        if (found.kind === "moment") expect(found.utcMs).toBe(utcMs);
        else {
          expect(found.kind).toBe("twice");
          expect((found as { utcMs: number }).utcMs).toBeLessThanOrEqual(utcMs);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("a mapping file renames columns, translates values, leaves columns out and adds constants", async () => {
  const file = {
    columns: {
      Ticket: "transactionId",
      Kind: { to: "type", values: { HOURLY: "Transient", ABO: 2 } },
      Plate: "vehicle.licensePlate",
      Attendant: null,
    },
    constants: { bookingSource: "Website", "metadata.source": "till 4" },
  };
  const row = { Ticket: "T-1", Kind: "HOURLY", Plate: "ABC", Attendant: "Jo", cardType: "VISA" };
  expect(JSON.parse(sent(row, { mapping: await mapping(file) }) as string)).toEqual({
    transactionId: "T-1",
    type: 1,
    vehicle: { licensePlate: "ABC" },
    bookingSource: 2,
    metadata: { source: "till 4" },
    cardType: "VISA",
  });
  const record = JSON.stringify({ Ticket: "T-1", Kind: "ABO", Attendant: "Jo", cardType: "VISA" });
  expect(JSON.parse(sent({ record }, { mapping: await mapping(file) }) as string)).toEqual({
    transactionId: "T-1",
    type: 2,
    bookingSource: 2,
    metadata: { source: "till 4" },
    cardType: "VISA",
  });
  const nested = { columns: { driver: null, "driver.plate": "vehicle.licensePlate" } };
  expect(sent({ record: '{"driver":{"plate":"A 1","name":"Jo"}}' }, { mapping: await mapping(nested) })).toBe(
    '{"vehicle":{"licensePlate":"A 1"}}',
  );
});

test("a mapped member that is null counts as not given, unless the mapping replaces it", async () => {
  const record = '{"id":7,"receipt":null,"plate":null,"kind":null,"cardType":null}';
  const file = {
    columns: {
      id: "transactionId",
      receipt: "contact.email",
      plate: ["vehicle.licensePlate", { to: "metadata.plate", prefix: "P-" }],
      kind: { to: "type", values: { null: "Transient" } },
    },
  };
  expect(sent({ record }, { mapping: await mapping(file) })).toBe(
    '{"transactionId":"7","type":1,"cardType":null}',
  );
});

test("a number in a JSON record identifies a location", async () => {
  const locations = new LocationIndex([
    { uuid: "0a1b", name: "Pier 4", tpReferenceId: "14", timeZone: "UTC" },
  ]);
  const file = { columns: { lot: { to: "locationUuid", location: "tpReferenceId" } } };
  const options = { mapping: await mapping(file), locations };
  expect(sent({ record: '{"lot":14}' }, options)).toBe('{"locationUuid":"0a1b"}');
  expect(detailOf(prepare({ record: '{"lot":15}' }, options))).toContain("is not the tpReferenceId");
});

test("a mapping can swap members of JSON records and keeps all others", async () => {
  const swap = await mapping({ columns: { netAmount: "amountTotal", amountTotal: "netAmount" } });
  expect(sent({ record: '{"netAmount":1,"amountTotal":2}' }, { mapping: swap })).toBe(
    '{"amountTotal":1,"netAmount":2}',
  );
  const chain = await mapping({ columns: { ticket: "transactionId", transactionId: "promoCode" } });
  expect(sent({ record: '{"ticket":"T-1","transactionId":"P-1"}' }, { mapping: chain })).toBe(
    '{"transactionId":"T-1","promoCode":"P-1"}',
  );
  const beside = await mapping({ columns: { Amount: "amountTotal" } });
  expect(detailOf(prepare({ record: '{"Amount":1,"amountTotal":2}' }, { mapping: beside }))).toBe(
    "amountTotal is set twice; keep one of them",
  );
});

test("a constant fills only missing values", async () => {
  const constants = {
    "vehicle.state": "NY",
    "vehicle.year": 2020,
    metadata: { source: "till" },
    cardType: "VISA",
  };
  const options = { mapping: await mapping({ constants }) };
  const record = '{"vehicle":{"licensePlate":"A 1","year":2019},"metadata":{"n":1.50},"cardType":null}';
  expect(sent({ record }, options)).toBe(
    '{"vehicle":{"licensePlate":"A 1","year":2019,"state":"NY"},"metadata":{"n":1.50,"source":"till"},"cardType":null}',
  );
  expect(sent({ vehicle: '{"licensePlate":"A 1"}', "metadata.source": "web", cardType: "" }, options)).toBe(
    '{"vehicle":{"licensePlate":"A 1","state":"NY","year":2020},"metadata":{"source":"web"},"cardType":"VISA"}',
  );
  expect(sent({ record: '{"vehicle":null,"metadata":null,"cardType":"AMEX"}' }, options)).toBe(
    '{"vehicle":null,"metadata":null,"cardType":"AMEX"}',
  );
  const twice = await mapping({ constants: { metadata: { source: "till" }, "metadata.source": "web" } });
  expect(() => sent({ cardType: "VISA" }, { mapping: twice })).toThrow(
    'The mapping: the constant "metadata.source" is set twice',
  );
});

test("two columns mapped to the same field are an error that names both", async () => {
  expect(() => sent({ transactionId: "T-1", TransactionID: "" })).toThrow(
    'line 1: the columns "transactionId" and "TransactionID" are both mapped to transactionId',
  );
  const amount = await mapping({ columns: { Amount: "amountTotal" } });
  expect(() => sent({ Amount: "1", amountTotal: "2" }, { mapping: amount })).toThrow(
    'line 1: the columns "Amount" and "amountTotal" are both mapped to amountTotal',
  );
  expect(sent({ "metadata.a": "1", "metadata.A": "2" })).toBe('{"metadata":{"a":"1","A":"2"}}');
});

test("a column named record contains whole records only if no other column except failure columns exists", () => {
  const failure = { "failure.line": "2", "failure.code": "5" };
  expect(sent({ record: '{"transactionId":"T-1"}', ...failure })).toBe('{"transactionId":"T-1"}');
  const columns = { transactionId: "T-1", record: "ordinary" };
  expect(() => sent(columns)).toThrow('line 1: unknown field: "record"');
  expect(sent(columns, { ignoreUnknownColumns: true })).toBe('{"transactionId":"T-1"}');
});

test("an unknown column or mapping target is an error with advice, and no data is lost", async () => {
  expect(() => sent({ transactionId: "T-1", tag: "A", licensePlate: "A" })).toThrow(
    'line 1: unknown fields: "tag", "licensePlate" (did you mean vehicle.licensePlate?)',
  );
  expect(sent({ TransactionID: "T-1", plate: "A" }, { ignoreUnknownColumns: true })).toBe(
    '{"transactionId":"T-1"}',
  );
  expect(sent({ transactionId: "T-1", "failure.code": "5" })).toBe('{"transactionId":"T-1"}');
  const wrongTarget = await mapping({ columns: { Ticket: "ticket" } });
  expect(() => sent({ Ticket: "T-1" }, { mapping: wrongTarget })).toThrow(
    'The mapping, column "Ticket": unknown field: "ticket"',
  );
  const wrongColumn = await mapping({ columns: { Tickets: "transactionId" } });
  expect(() => sent({ Ticket: "T-1" }, { mapping: wrongColumn })).toThrow(
    'the mapping uses the column "Tickets", which is not in the header',
  );
  await expect(mapping({ column: {} })).rejects.toThrow('"columns" and "constants", not "column"');
  await expect(mapping({ columns: { a: 5 } })).rejects.toThrow('column "a": it must be a path');
});

test("a name with more levels than a record allows fails the record", async () => {
  const path = (levels: number) => `metadata${".a".repeat(levels)}`;
  const deepest = sent({ [path(64)]: "x" }) as string;
  expect(JSON.parse(deepest)).toHaveProperty(path(64), "x");
  const detail = `"${path(36)}..." must not be nested deeper than 64 levels`;
  expect(detailOf(prepare({ [path(100_000)]: "x" }))).toBe(detail);
  expect(detailOf(prepare({ record: JSON.stringify({ [path(100_000)]: 1 }) }))).toBe(detail);
  const constant = await mapping({ constants: { [path(100_000)]: 1 } });
  expect(() => sent({ transactionId: "T" }, { mapping: constant })).toThrow(detail);
});

test("a member is found at any allowed depth, otherwise by its dotted name", async () => {
  const name = `a${".a".repeat(19_999)}`;
  const taken = await mapping({ columns: { [name]: "transactionId" } });
  const nested = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const options = { mapping: taken, ignoreUnknownColumns: true };
  expect(sent({ record: nested }, options)).toBe("{}");
  expect(sent({ record: JSON.stringify({ [name]: "T" }) }, options)).toBe('{"transactionId":"T"}');
});

test("the first ten unknown columns are named, shortened if long, and the others are counted", () => {
  const columns = Array.from({ length: 1_012 }, (_, index) => [`${index} ${"x".repeat(1_000)}`, "1"]);
  const names = columns.slice(0, 10).map(([name]) => `"${name?.slice(0, 80)}..."`);
  expect(() => sent(Object.fromEntries(columns))).toThrow(
    `line 1: unknown fields: ${names.join(", ")} and 1,002 more. Rename the columns`,
  );
});
