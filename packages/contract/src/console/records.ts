import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { entities, type EntityPlural } from "../entities/entities.js";
import { ImportResource, importResourceNames } from "../import-resources.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, exactJson, localDate, nullable, oneOfNumbers, searchedText, word } from "./fields.js";
import { exportOf } from "./exports.js";
import { bothWaysPage, bothWaysQuery } from "./paging.js";
import { ResolutionTrace, resolvedVia } from "./trace.js";

export type RecordKind = EntityPlural;
/** The entities that can be imported separately come first. */
export const recordKinds: readonly RecordKind[] = [
  ...new Set([...importResourceNames, ...entities.map(({ plural }) => plural)]),
];

/** A stored value: amounts are decimal text, times are timestamps, booleans and integers are themselves. */
const FieldValue = nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));
export type FieldValue = Static<typeof FieldValue>;

const rowFields = {
  uuid: uuid(),
  kind: word(recordKinds),
  reference: Type.String({ description: "transactionId, tpReferenceId, email or phone, plate." }),
  title: Type.String({
    description: "A short description: location and date, company name, person's name, make and model.",
  }),
  createdAt: wireTimestamp(),
  fields: Type.Record(Type.String(), FieldValue, {
    description: "The fields with their names in the interface, without metadata.",
  }),
};
export const RecordRow = Type.Object(rowFields, { $id: "RecordRow" });
export type RecordRow = Static<typeof RecordRow>;

const linkTo = <const T extends readonly string[]>(kinds: T) =>
  Type.Object({
    kind: word(kinds),
    uuid: uuid(),
    reference: Type.String(),
    title: Type.String(),
    /** How the transaction found it; absent for other records. */
    via: Type.Optional(resolvedVia()),
  });
const RecordLink = linkTo([...recordKinds, "locations"]);
export type RecordLink = Static<typeof RecordLink>;

export const Occurrence = Type.Object(
  {
    referenceUuid: uuid(),
    position: count(),
    startedAt: nullable(wireTimestamp()),
    resource: oneOfNumbers(Object.values(ImportResource)),
    reference: Type.String(),
    status: oneOfNumbers([3, 4]),
    reasonCode: Type.Integer(),
    reasonName: Type.String(),
    errorDetail: nullable(Type.String()),
    hasDifferences: Type.Boolean(),
    repeated: Type.Optional(
      Type.Object(
        { count: count(), lastReferenceUuid: uuid(), lastAt: wireTimestamp() },
        { description: "How many more runs had the same outcome for every record, and the latest of them." },
      ),
    ),
  },
  {
    $id: "Occurrence",
    description: "A record of a run that is not stored: Skipped (3) or Failed (4).",
  },
);
export type Occurrence = Static<typeof Occurrence>;

export const RecordDetail = Type.Object(
  {
    ...rowFields,
    metadata: nullable(exactJson()),
    isMetadataLeftOut: Type.Optional(
      Type.Boolean({ description: "Its metadata is long; getRecord returns it." }),
    ),
    links: Type.Array(RecordLink, {
      description: "The records that it refers to: location, account, contact, vehicle, subscription.",
    }),
    linkedFrom: Type.Array(
      Type.Object({
        kind: word(recordKinds),
        data: Type.Array(RecordLink),
        hasMore: Type.Boolean(),
      }),
      {
        description: "The records that refer to it: the newest ten of each kind, and whether there are more.",
      },
    ),
    createdIn: Type.Object(
      { referenceUuid: uuid(), position: count(), startedAt: nullable(wireTimestamp()) },
      { description: "The run that created it, and its position there." },
    ),
    /** Transactions only, as is `local`. */
    trace: Type.Optional(ResolutionTrace),
    local: Type.Optional(
      Type.Object({
        timeZone: Type.String(),
        localDate: localDate(),
        localTime: Type.String(),
        utcOffset: Type.String(),
      }),
    ),
    occurrences: Type.Array(Occurrence, {
      description: "Later batches that resent it or failed with its reference, newest first, at most 50.",
    }),
  },
  { $id: "RecordDetail" },
);
export type RecordDetail = Static<typeof RecordDetail>;

const cursors = {
  before: Type.Optional(searchedText("A cursor: what is older.")),
  after: Type.Optional(searchedText("A cursor: what is newer.")),
  sort: bothWaysQuery.sort,
};
const filters = {
  location: Type.Optional(
    uuid({ description: "Transactions (place), accounts and subscriptions (home location)." }),
  ),
  type: Type.Optional(
    oneOfNumbers([1, 2, 3, 4, 5], "transactions: type; accounts: type; subscriptions: status."),
  ),
  fromDate: Type.Optional(localDate("Transactions: first local date.")),
  toDate: Type.Optional(localDate("Transactions: last local date.")),
  run: Type.Optional(uuid({ description: "Records of this run." })),
  account: Type.Optional(uuid({ description: "Transactions and subscriptions of this account." })),
  contact: Type.Optional(uuid({ description: "Transactions of this contact." })),
  vehicle: Type.Optional(uuid({ description: "Transactions of this vehicle." })),
  subscription: Type.Optional(uuid({ description: "Transactions of this subscription." })),
  text: Type.Optional(
    searchedText(
      "Beginning of the reference: transactionId, tpReferenceId, email or plate. References are case-sensitive.",
    ),
  ),
};
const RecordsQuery = Type.Object({
  ...cursors,
  limit: bothWaysQuery.limit,
  total: bothWaysQuery.total,
  ...filters,
});
export type RecordsQuery = Static<typeof RecordsQuery>;

const list = { method: "GET", path: `${organization}/records/:kind`, role: "viewer" } as const;

export const recordOperations = {
  listRecords: {
    ...list,
    summary: "List the records of a kind",
    description: "Filters that do not apply to a kind are ignored.",
    query: RecordsQuery,
    answer: bothWaysPage(RecordRow),
  },
  downloadRecords: exportOf(list, {
    what: "Records of a kind",
    query: Type.Object({ ...cursors, ...filters }),
  }),
  getRecord: {
    method: "GET",
    path: `${organization}/records/:kind/:recordUuid`,
    role: "viewer",
    summary: "Get a record with its history",
    answer: RecordDetail,
  },
} as const satisfies Record<string, ConsoleOperation>;
