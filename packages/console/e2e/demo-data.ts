import { vi } from "vitest";
import { createDemo } from "../../service/src/demo/demo.js";
import { createApiKey } from "../../service/src/organizations/api-keys.js";
import type { ConsoleUnderTest, Tenant } from "./harness.js";

/** A month of a small operator's business, the same every time but for the date it ends on. */

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const days = 28;

/** A small generator, so that the pictures differ only where the console does. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const random = randomNumbers(20260401);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));

const companies = [
  "Acme Logistics",
  "Northwind Traders",
  "Blue Harbor Seafood",
  "Kestrel Architects",
  "Lakeview Dental",
  "Meridian Law",
  "Pinecrest Hotels",
  "Quartz Studios",
];
const firstNames = ["Amara", "Jonas", "Mei", "Luis", "Priya", "Tom", "Elena", "Kofi", "Sara", "Noah"];
const lastNames = ["Okafor", "Lindqvist", "Chen", "Romero", "Nair", "Walsh", "Petrova", "Mensah", "Haddad"];
const cars = [
  ["Toyota", "Corolla"],
  ["Ford", "Escape"],
  ["Tesla", "Model 3"],
  ["Honda", "Civic"],
  ["Volvo", "XC60"],
];
/** How busy each hour of the local day is. */
const busyHours = [7, 8, 8, 9, 9, 9, 10, 11, 12, 12, 13, 14, 16, 17, 17, 18, 18, 19, 20, 22];

export async function createDemoData(gatehouse: ConsoleUnderTest): Promise<Tenant> {
  const demo = await createDemo(gatehouse.database.work, "start");
  if (!demo) throw new Error("The demo organization exists already");
  const { organization, locations, apiKey } = demo;
  const organizationId = organization.uuid;
  const website = await createApiKey(gatehouse.database.work, {
    organizationId,
    name: "Website forms",
    permissions: ["leads:write"],
    leadOrigins: ["https://www.demo-parking.example"],
    actor: "operator@gatehouse.example",
  });
  const places = locations.map((location) => ({ uuid: location.uuid, timeZone: location.timeZone }));
  const send = (path: string, body: unknown) => gatehouse.send(path, apiKey.key, body);

  // Runs carry the time they were sent at, so the clock is moved through the month while they are.
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    vi.setSystemTime(now - days * dayMs - hourMs);
    await send("/integrations/accounts", { accounts: companies.map(account) });
    await send("/integrations/subscriptions", { subscriptions: companies.slice(0, 6).map(subscription) });
    for (let day = days; day >= 0; day -= 1) {
      vi.setSystemTime(now - day * dayMs - 2 * hourMs);
      const transactions = daysTransactions(day, now, places);
      await send("/integrations/transactions", {
        transactions,
        metadata: { source: "nightly", job: days - day },
      });
      // A job that ran twice: everything is skipped.
      if (day === 4) await send("/integrations/transactions", { transactions });
    }
    vi.setSystemTime(now - 40 * 60_000);
    await send("/integrations/transactions", failingBatch(now, places));
  } finally {
    vi.useRealTimers();
  }
  for (const lead of leads(places)) await gatehouse.send("/lead/submit", website.key, lead);
  return {
    organizationUuid: organizationId,
    name: organization.name,
    apiKey: apiKey.key,
    locationUuid: places[0]?.uuid ?? "",
  };
}

function account(name: string, index: number) {
  return {
    tpReferenceId: `ACC-${1000 + index}`,
    name,
    accountNumber: `70-${400 + index}`,
    contactEmail: `parking@${name.toLowerCase().replaceAll(" ", "-")}.example`,
    metadata: { erp: { customer: 55_000 + index, region: "north" } },
  };
}

function subscription(name: string, index: number) {
  return {
    tpReferenceId: `SUB-${2000 + index}`,
    accountTPReferenceId: `ACC-${1000 + index}`,
    permitNumber: `P-${300 + index}`,
    permitType: name.length % 2 === 0 ? "Reserved" : "Unreserved",
    status: index === 4 ? 2 : 1,
    numberOfSpaces: 2 + index * 3,
    startDate: "2026-01-01",
    currentRate: 180 + index * 15,
  };
}

function daysTransactions(day: number, now: number, places: { uuid: string; timeZone: string }[]) {
  const weekday = new Date(now - day * dayMs).getUTCDay();
  const count = weekday === 0 || weekday === 6 ? between(26, 38) : between(52, 78);
  return Array.from({ length: count }, (_, index) =>
    transaction(`T-${(days - day) * 1000 + index + 10_000}`, day, now, pick(places)),
  );
}

function transaction(
  transactionId: string,
  day: number,
  now: number,
  place: { uuid: string; timeZone: string },
) {
  const amount = between(8, 62) + pick([0, 0.5, 0.75]);
  const [make, model] = pick(cars) as [string, string];
  const firstName = pick(firstNames);
  const lastName = pick(lastNames);
  const start = localMoment(now - (day + 1) * dayMs, pick(busyHours), place.timeZone);
  return {
    transactionId,
    locationUuid: place.uuid,
    type: pick([1, 1, 1, 2, 4]),
    transactionDate: new Date(start).toISOString(),
    sessionStart: new Date(start).toISOString(),
    sessionEnd: new Date(start + between(1, 9) * hourMs).toISOString(),
    amountTotal: amount,
    netAmount: Math.round(amount * 0.92 * 100) / 100,
    processingFee: Math.round(amount * 0.03 * 100) / 100,
    isRefunded: random() < 0.02,
    cardType: pick(["Visa", "Mastercard", "Amex"]),
    bookingSource: pick([1, 2, 6]),
    contact: { email: `${firstName}.${lastName}@mail.example`.toLowerCase(), firstName, lastName },
    vehicle: {
      licensePlate: `${pick(["KLM", "PRX", "GHT"])} ${between(1000, 1040)}`,
      state: "NY",
      make,
      model,
    },
    ...(random() < 0.2 ? { accountTPReferenceId: `ACC-${1000 + between(0, 7)}` } : {}),
    metadata: { lane: between(1, 4), device: `gate-${between(1, 9)}` },
  };
}

/** The moment when the clock of a zone shows this hour on the UTC date of `around`, to the minute. */
function localMoment(around: number, hour: number, timeZone: string): number {
  const guess = Math.floor(around / dayMs) * dayMs + hour * hourMs + between(0, 59) * 60_000;
  const shown = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hour: "numeric",
    minute: "numeric",
    hourCycle: "h23",
  });
  const [hours = 0, minutes = 0] = shown.format(guess).split(":").map(Number);
  const wanted = new Date(guess);
  let offMinutes = hours * 60 + minutes - (wanted.getUTCHours() * 60 + wanted.getUTCMinutes());
  if (offMinutes > 720) offMinutes -= 1440;
  if (offMinutes < -720) offMinutes += 1440;
  return guess - offMinutes * 60_000;
}

/** What a partner's first attempt looks like: good records among four kinds of mistakes. */
function failingBatch(now: number, places: { uuid: string; timeZone: string }[]) {
  const good = Array.from({ length: 38 }, (_, index) =>
    transaction(`T-90${100 + index}`, 0, now, pick(places)),
  );
  const locationUuid = places[0]?.uuid;
  const base = (transactionId: string) => ({
    transactionId,
    locationUuid,
    type: 1,
    transactionDate: new Date(now - 3 * hourMs).toISOString(),
  });
  const wrong = [
    ...Array.from({ length: 7 }, (_, index) => ({ ...base(`T-91${100 + index}`), vehicle: { state: "NY" } })),
    ...Array.from({ length: 4 }, (_, index) => ({ ...base(`T-92${100 + index}`), amountTotal: "12,50" })),
    ...Array.from({ length: 3 }, (_, index) => ({
      ...base(`T-93${100 + index}`),
      accountTPReferenceId: "ACC-9999",
    })),
    { ...base("T-94100"), locationUuid: "00000000-0000-7000-8000-000000000000" },
    // Stored already, now with another amount; and a subscription that has no account to belong to.
    { ...base("T-38010"), amountTotal: 99, cardType: "Discover" },
    { ...base("T-95100"), subscription: { tpReferenceId: "SUB-7777" } },
  ];
  return {
    transactions: [...good.slice(0, 12), ...wrong, ...good.slice(12)],
    metadata: { source: "garage-pos", version: "4.2.0", batch: 1187 },
  };
}

function leads(places: { uuid: string }[]) {
  const at = (index: number) => places[index % places.length]?.uuid;
  return [
    {
      email: "facilities@kestrel.example",
      firstName: "Elena",
      lastName: "Petrova",
      companyName: "Kestrel Architects",
      source: "Website",
      notes: "Looking for 12 reserved spaces from next month, close to the lifts.",
      formName: "Monthly parking",
      metadata: { spaces: 12, budget: "2,400 a month" },
    },
    {
      email: "tom.walsh@mail.example",
      firstName: "Tom",
      lastName: "Walsh",
      source: "QR",
      estimatedStartDateString: "as soon as possible",
    },
    {
      email: "tom.walsh@mail.example",
      firstName: "Tom",
      lastName: "Walsh",
      source: "QR",
      estimatedStartDateString: "as soon as possible",
    },
    {
      email: "mei.chen@mail.example",
      firstName: "Mei",
      lastName: "Chen",
      companyName: "Quartz Studios",
      phone: "+1-5550100123",
      source: "Referral",
    },
  ].map((lead, index) => ({ locationUuid: at(Math.min(index, 1)), ...lead }));
}
