import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { importResourceNames, importResources } from "../import-resources.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { searchedText, word } from "./fields.js";
import { Occurrence, RecordDetail, recordKinds } from "./records.js";
import { DeletedRecord, TakenBack } from "./undo.js";

const keyFields = new Set(importResourceNames.map((name) => importResources[name].keyField));
const matchedBy = () =>
  word([...keyFields, "uuid", "email", "phone", "plate", "referenceUuid", "requestId", "name"] as const);
export type MatchedBy = Static<ReturnType<typeof matchedBy>>;

/** Records include their history. Runs, leads, locations and keys are only named; their pages have the details. */
const SearchHit = Type.Union([
  Type.Object({ kind: word(recordKinds), matchedBy: matchedBy(), record: RecordDetail }),
  Type.Object({
    kind: word(["runs", "leads", "locations", "api-keys"]),
    matchedBy: matchedBy(),
    uuid: uuid(),
    title: Type.String(),
    subtitle: Type.String(),
  }),
]);
export type SearchHit = Static<typeof SearchHit>;

export const SearchAnswer = Type.Object(
  {
    query: Type.String(),
    hits: Type.Array(SearchHit, { description: "At most 25." }),
    unstored: Type.Array(Occurrence, {
      description: "Batches that contain the reference without a stored record, newest first, at most 50.",
    }),
    takenBack: Type.Array(TakenBack, {
      description: "Records with this uuid or reference that an undo deleted, newest first, at most 10.",
    }),
    deleted: Type.Array(DeletedRecord, {
      description:
        "Records with this uuid or reference that were deleted when their retention period ended, as far as remembered, newest first, at most 10.",
    }),
    truncated: Type.Boolean(),
  },
  { $id: "SearchAnswer" },
);
export type SearchAnswer = Static<typeof SearchAnswer>;

export const minSuggestedLength = 2;

const Suggestion = Type.Object({
  kind: word(["runs", ...recordKinds, "leads", "locations", "api-keys"]),
  uuid: uuid(),
  title: Type.String(),
  subtitle: Type.String(),
});
export type Suggestion = Static<typeof Suggestion>;

export const searchOperations = {
  search: {
    method: "GET",
    path: `${organization}/search`,
    role: "viewer",
    summary: "Search an organization",
    query: Type.Object({
      q: Type.Optional(
        searchedText(
          "transactionId, tpReferenceId, any uuid, email, phone, plate, referenceUuid or request id. If there is no exact match, case is ignored.",
        ),
      ),
    }),
    answer: SearchAnswer,
  },
  suggest: {
    method: "GET",
    path: `${organization}/search/suggestions`,
    role: "viewer",
    summary: "Find what begins with a text",
    query: Type.Object({
      q: Type.Optional(
        searchedText(
          `The beginning of a reference, email, phone number, plate, uuid or key, or a part of the name of a location or key. At least ${minSuggestedLength} characters.`,
        ),
      ),
    }),
    answer: Type.Object({ data: Type.Array(Suggestion, { description: "At most 10." }) }),
  },
} as const satisfies Record<string, ConsoleOperation>;
