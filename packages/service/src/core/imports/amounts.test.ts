import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();

const transactionAmounts = {
  amountTotal: "amount_total",
  netAmount: "net_amount",
  convenienceFee: "convenience_fee",
  processingFee: "processing_fee",
  promotionAmount: "promotion_amount",
};
const subscriptionAmounts = {
  currentBaseRate: "current_base_rate",
  currentRate: "current_rate",
  currentTax: "current_tax",
  currentFeeTotal: "current_fee_total",
};
const columns = { ...transactionAmounts, ...subscriptionAmounts };
const range = "must be a number between -1000000000000 and 1000000000000, exclusive";

interface Sent {
  status: number;
  reasonCode?: number;
  errorDetail?: string;
  stored: string | null | undefined;
}

/** Sends the amount in exactly this spelling, at the top of a record or nested, and reads the stored value back. */
async function send(partner: Importer, field: string, spelling: string, nested: boolean): Promise<Sent> {
  const key = `${field} ${nested} ${spelling}`.slice(0, 128);
  const isTransaction = field in transactionAmounts;
  const subscription = `{"tpReferenceId":${JSON.stringify(key)},"accountTPReferenceId":"OWNER","${field}":${spelling}}`;
  const transaction = JSON.stringify(partner.transaction(key)).slice(0, -1);
  const record = isTransaction
    ? `${transaction},"${field}":${spelling}}`
    : `${transaction},"subscription":${subscription}}`;
  const answer =
    isTransaction || nested
      ? await partner.post("transactions", `{"transactions":[${record}]}`)
      : await partner.post("subscriptions", `{"subscriptions":[${subscription}]}`);
  const table = isTransaction ? "transactions" : "subscriptions";
  const keyColumn = isTransaction ? "transaction_id" : "tp_reference_id";
  const row = (await partner.rows(table)).find((found) => found[keyColumn] === key);
  return { ...answer.json.results[0], stored: row?.[columns[field as keyof typeof columns]] };
}

const places: [string, boolean][] = [
  ...Object.keys(transactionAmounts).map((field): [string, boolean] => [field, false]),
  ...Object.keys(subscriptionAmounts).flatMap((field): [string, boolean][] => [
    [field, false],
    [field, true],
  ]),
];
const pathOf = (field: string, nested: boolean) => `${nested ? "subscription." : ""}${field}`;

async function withOwner(): Promise<Importer> {
  const partner = await importer(gatehouse);
  await partner.importAccounts({ tpReferenceId: "OWNER", name: "Owner" });
  return partner;
}

for (const [field, nested] of places) {
  /** @covers R15, R90-R93, R181, reading 23 */
  test(`${pathOf(field, nested)} accepts decimals, and only promotionAmount accepts null`, async () => {
    const partner = await withOwner();
    const path = pathOf(field, nested);
    for (const [spelling, stored] of [
      ["0", "0"],
      ["12.5", "12.5"],
      ["-3", "-3"],
      ["999999999999.99", "999999999999.99"],
      ["123456789012.345678901234567890123456789", "123456789012.345678901234567890123456789"],
    ]) {
      expect(await send(partner, field, spelling as string, nested), spelling).toMatchObject({
        status: 1,
        stored,
      });
    }
    for (const spelling of ['"12.5"', '""', "true", "[]", "{}", "[1]"]) {
      expect(await send(partner, field, spelling, nested), spelling).toMatchObject({
        status: 4,
        reasonCode: 5,
        errorDetail: `${path} must be a number`,
      });
    }
    for (const spelling of ["1000000000000", "-1e12", "1e400", "-1e400"]) {
      expect(await send(partner, field, spelling, nested), spelling).toMatchObject({
        status: 4,
        reasonCode: 5,
        errorDetail: `${path} ${range}`,
      });
    }
    const nothing = await send(partner, field, "null", nested);
    expect(nothing).toMatchObject(
      field === "promotionAmount"
        ? { status: 1, stored: null }
        : { reasonCode: 5, errorDetail: `${path} must be a number, 0 if it does not apply` },
    );
  });
}

/** @covers reading 23 */
test("an amount is stored with all digits, however it is spelled", async () => {
  const partner = await importer(gatehouse);
  const zeros = "0".repeat(16_382);
  const exact: [string, string][] = [
    ["-0", "0"],
    ["0.1", "0.1"],
    ["0.10", "0.1"],
    ["1e2", "100"],
    ["1E+2", "100"],
    ["1e-7", "0.0000001"],
    ["12345678901234567890e-15", "12345.678901234567890"],
    ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
    ["9007199254740993e-6", "9007199254.740993"],
    ["999999999999.999999999999999999", "999999999999.999999999999999999"],
    ["-999999999999.999999999999999999", "-999999999999.999999999999999999"],
    // Below the bound, although a double rounds it to the bound.
    ["99999999999999999999999e-11", "999999999999.99999999999"],
    ["0.099999999999999999999999e13", "999999999999.99999999999"],
    ["0e5", "0"],
    ["0e99999999999", "0"],
    ["0.0e-99999999999", "0"],
    [`0.${zeros}1`, `0.${zeros}1`],
    ["1e-16383", `0.${zeros}1`],
  ];
  for (const [spelling, stored] of exact) {
    expect(await send(partner, "amountTotal", spelling, false), spelling.slice(0, 50)).toMatchObject({
      status: 1,
      stored,
    });
  }
});

/** @covers reading 23 */
test("an amount of 10^12 or more, or with too many decimal places, is Failed 5", async () => {
  const partner = await importer(gatehouse);
  const refused: [string, string][] = [
    ["1e12", range],
    ["1000000000000.0000", range],
    ["0.1e13", range],
    ["1000000000000.000000000000000000000000001", range],
    ["1e308", range],
    ["1e-16384", "must have at most 16383 decimal places"],
    [`0.${"0".repeat(16_383)}1`, "must have at most 16383 decimal places"],
    ["1e-99999999999", "must have at most 16383 decimal places"],
  ];
  for (const [spelling, must] of refused) {
    expect(await send(partner, "amountTotal", spelling, false), spelling.slice(0, 50)).toMatchObject({
      status: 4,
      reasonCode: 5,
      errorDetail: `amountTotal ${must}`,
    });
  }
});

/** @covers reading 23 */
test("the last value of a duplicate field counts, and its digits are stored", async () => {
  const partner = await importer(gatehouse);
  const record = JSON.stringify(partner.transaction("T-1")).slice(0, -1);
  const body = `{"transactions":[${record},"amountTotal":"x","amount\\u0054otal":0.12345678901234567890}]}`;
  const answer = await partner.post("transactions", body);
  expect(answer.json.results[0]).toMatchObject({ status: 1 });
  expect((await partner.rows("transactions"))[0]?.["amount_total"]).toBe("0.12345678901234567890");
});
