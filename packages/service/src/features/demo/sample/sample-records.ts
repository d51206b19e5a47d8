import { utcOffsetSeconds, type Location } from "@gatehouse-parking/contract";
import type { SeededRandom } from "./seeded-random.js";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

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
] as const;
/** The relative traffic in each hour of the local day. */
const busyHours = [7, 8, 8, 9, 9, 9, 10, 11, 12, 12, 13, 14, 16, 17, 17, 18, 18, 19, 20, 22];
/** The partner in this time zone sends local times with a Z, which is the mistake that the overview warns of. */
const zoneOfMistake = "Asia/Kolkata";

export type SampleRecord = Record<string, unknown>;

export const accountReference = (index: number): string => `DEMO-ACC-${1000 + index}`;

export function sampleAccounts(): SampleRecord[] {
  return companies.map((name, index) => ({
    tpReferenceId: accountReference(index),
    name,
    accountNumber: `70-${400 + index}`,
    type: index % 4 === 3 ? 2 : 1,
    isActive: index !== 7,
    contactEmail: `parking@${name.toLowerCase().replaceAll(" ", "-")}.example`,
    metadata: { erp: { customer: 55_000 + index, region: "north" } },
  }));
}

/** One record of each status, and one with an unknown account. */
export function sampleSubscriptions(now: number): SampleRecord[] {
  const known = companies.slice(0, 6).map((name, index) => ({
    tpReferenceId: `DEMO-SUB-${2000 + index}`,
    accountTPReferenceId: accountReference(index),
    permitNumber: `P-${300 + index}`,
    permitType: name.length % 2 === 0 ? "Reserved" : "Unreserved",
    status: Math.min(index + 1, 5),
    numberOfSpaces: 2 + index * 3,
    startDate: new Date(now - 200 * dayMs).toISOString().slice(0, 10),
    currentRate: 180 + index * 15,
  }));
  return [...known, { tpReferenceId: "DEMO-SUB-2099", accountTPReferenceId: "DEMO-ACC-9999" }];
}

export class SampleTransactions {
  readonly #chance: SeededRandom;
  readonly #places: readonly Location[];
  #count = 10_000;

  constructor(chance: SeededRandom, places: readonly Location[]) {
    this.#chance = chance;
    this.#places = places;
  }

  /** Transactions from the hours before `sentAt`. */
  batch(sentAt: number, count: number, spanMs: number): SampleRecord[] {
    return Array.from({ length: count }, (_, index) =>
      this.#transaction(sentAt, this.#places[index % this.#places.length] as Location, spanMs),
    );
  }

  /** Without nested records, so that all of them can be undone. */
  plain(sentAt: number, count: number): SampleRecord[] {
    return this.batch(sentAt, count, dayMs).map((record) => ({
      ...Object.fromEntries(Object.entries(record).filter(([name]) => !(name in related))),
    }));
  }

  /** Records with the common mistakes of partners, in rotation. */
  failing(sentAt: number, count: number, first: number): SampleRecord[] {
    return this.plain(sentAt, count).map((record, index) => ({
      ...record,
      ...mistakes[(first + index) % mistakes.length],
    }));
  }

  #transaction(sentAt: number, { uuid, timeZone }: Location, spanMs: number): SampleRecord {
    const chance = this.#chance;
    const amount = chance.between(8, 62) + chance.pick([0, 0.5, 0.75]);
    const [make, model] = chance.pick(cars);
    const [firstName, lastName] = [chance.pick(firstNames), chance.pick(lastNames)];
    const start = this.#moment(sentAt, timeZone, spanMs);
    this.#count += 1;
    return {
      transactionId: `DEMO-${this.#count}`,
      locationUuid: uuid,
      type: chance.pick([1, 1, 1, 2, 3, 4]),
      transactionDate: new Date(start).toISOString(),
      sessionStart: new Date(start).toISOString(),
      sessionEnd: new Date(start + chance.between(1, 9) * hourMs).toISOString(),
      amountTotal: amount,
      netAmount: Math.round(amount * 92) / 100,
      processingFee: Math.round(amount * 3) / 100,
      isRefunded: chance.next() < 0.03,
      cardType: chance.pick(["Visa", "Mastercard", "Amex"]),
      bookingSource: chance.pick([1, 2, 6]),
      metadata: { lane: chance.between(1, 4), device: `gate-${chance.between(1, 9)}` },
      contact: { email: `${firstName}.${lastName}@mail.example`.toLowerCase(), firstName, lastName },
      vehicle: {
        licensePlate: `${chance.pick(["KLM", "PRX", "GHT"])} ${chance.between(1000, 1060)}`,
        state: "NY",
        make,
        model,
      },
      ...(chance.next() < 0.2 ? { accountTPReferenceId: accountReference(chance.between(0, 7)) } : {}),
    };
  }

  /** A time in a busy hour before `sentAt`. For one partner it is a local time sent as UTC. */
  #moment(sentAt: number, timeZone: string, spanMs: number): number {
    const chance = this.#chance;
    const offsetMs = (at: number) => utcOffsetSeconds(timeZone, at) * 1000;
    if (timeZone === zoneOfMistake) {
      const happened = sentAt - chance.between(20, 290) * 60_000;
      return happened + offsetMs(happened);
    }
    if (spanMs < dayMs) return sentAt - chance.between(60, Math.floor(spanMs / 1000)) * 1000;
    const day = Math.floor((sentAt + offsetMs(sentAt)) / dayMs) * dayMs;
    const local = day + chance.pick(busyHours) * hourMs + chance.between(0, 59) * 60_000;
    const moment = local - offsetMs(local);
    return moment < sentAt ? moment : moment - dayMs;
  }
}

const related = { account: true, accountTPReferenceId: true, contact: true, vehicle: true };

const mistakes: SampleRecord[] = [
  { vehicle: { state: "NY" } },
  { amountTotal: "12,50" },
  { locationUuid: "00000000-0000-7000-8000-000000000000" },
  { accountTPReferenceId: "DEMO-ACC-9999" },
  { subscriptionTPReferenceId: "DEMO-SUB-9999" },
  { contactUuid: "00000000-0000-7000-8000-000000000001" },
  { vehicleUuid: "00000000-0000-7000-8000-000000000002" },
  { transactionDate: "2026-02-30T10:00:00Z" },
  { contact: { firstName: "Jo" } },
  { type: 9 },
];
