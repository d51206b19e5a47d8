import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, editedVersion, version, word } from "./fields.js";
import { recordKinds } from "./records.js";

export const KindCount = Type.Object({ kind: word(recordKinds), count: count() }, { $id: "KindCount" });
export type KindCount = Static<typeof KindCount>;

const undoneFields = {
  at: wireTimestamp(),
  by: Type.String({ description: "Who took it back; command line: an operator." }),
  count: count("How many of the records that the run counts as created are gone."),
};
export const UndoneSummary = Type.Object(undoneFields, {
  $id: "UndoneSummary",
  description: "That a run was taken back. Its own answer stays what it was.",
});
export type UndoneSummary = Static<typeof UndoneSummary>;

export const RunUndone = Type.Object(
  {
    ...undoneFields,
    removed: Type.Array(KindCount, {
      description: "Everything that is gone, with what came along with the records.",
    }),
    keptCount: count("How many stayed, because something refers to them."),
  },
  { $id: "RunUndone" },
);
export type RunUndone = Static<typeof RunUndone>;

export const RecordOfRun = Type.Object(
  {
    kind: word(recordKinds),
    uuid: uuid(),
    reference: Type.String(),
    referenceUuid: uuid({ description: "Of the run." }),
  },
  { $id: "RecordOfRun" },
);
export type RecordOfRun = Static<typeof RecordOfRun>;

/** What a person looks at before taking something back. */
const previewFields = {
  until: wireTimestamp(),
  removed: Type.Array(KindCount, { description: "What would be removed." }),
  kept: Type.Array(
    Type.Object({
      kind: word(recordKinds),
      uuid: uuid(),
      reference: Type.String(),
      referredBy: Type.Array(RecordOfRun, {
        description: "The newest three of each kind, with the runs that created them.",
      }),
    }),
    { description: "What would stay, because something refers to it." },
  ),
  acknowledged: Type.Object(
    {
      count: count(),
      examples: Type.Array(RecordOfRun, { description: "The first few, each with a run that said so." }),
    },
    {
      description:
        "Of what would be removed: records that a later run was told are stored, because they were sent again and skipped.",
    },
  ),
};

export const UndoPreview = Type.Object(
  { version: version(), ...previewFields },
  { $id: "UndoPreview", description: "What taking a run back would do." },
);
export type UndoPreview = Static<typeof UndoPreview>;

/** To undo an upload with more records than this, a confirmation has to be typed. */
export const maxRecordsWithoutTyping = 1_000;

export const UploadUndoPreview = Type.Object(
  {
    ...previewFields,
    removed: Type.Array(KindCount, {
      description:
        "Everything that the runs created and is still stored, without `keptCount`. Exact for any number of runs.",
    }),
    keptCount: count("How many would stay; `kept` has the first few of them."),
    records: count("Records that the upload has created."),
    runs: count(),
    undoneRuns: count("Those that were taken back already."),
    previewedRuns: count(
      "The newest ones, which were checked for references: `kept` and `acknowledged` are about these alone.",
    ),
  },
  {
    $id: "UploadUndoPreview",
    description: "What undoing an upload would do.",
  },
);
export type UploadUndoPreview = Static<typeof UploadUndoPreview>;

export const UploadUndone = Type.Object(
  {
    at: wireTimestamp(),
    by: Type.String({ description: "Who wanted it, at that time." }),
    runs: count("Runs that are done with."),
    removed: Type.Array(KindCount, { description: "Everything of these runs that is gone." }),
    keptCount: count("How many of these runs stayed, because something refers to them."),
  },
  { $id: "UploadUndone", description: "How far an upload is taken back." },
);
export type UploadUndone = Static<typeof UploadUndone>;

export const TakenBack = Type.Object(
  {
    ...RecordOfRun.properties,
    position: count("Of the record in the run that created it."),
    at: wireTimestamp(),
    by: Type.String(),
  },
  { $id: "TakenBack", description: "A record that is gone, because the run that created it was taken back." },
);
export type TakenBack = Static<typeof TakenBack>;

export const DeletedRecord = Type.Object(
  {
    ...RecordOfRun.properties,
    position: count("Of the record in the run that created it."),
    at: wireTimestamp(),
  },
  {
    $id: "DeletedRecord",
    description: "A record that was deleted when its time was over, and whose key is known.",
  },
);
export type DeletedRecord = Static<typeof DeletedRecord>;

export const undoOperations = {
  previewUndo: {
    method: "GET",
    path: `${organization}/runs/:referenceUuid/undo`,
    role: "admin",
    summary: "What taking a run back would do",
    answer: UndoPreview,
  },
  undoRun: {
    method: "POST",
    path: `${organization}/runs/:referenceUuid/undo`,
    role: "admin",
    audited: true,
    summary: "Take a run back",
    description:
      "Removes what the run created, except what something else refers to. The same again is answered alike and changes nothing.",
    body: Type.Object({ version: editedVersion() }),
    answer: RunUndone,
  },
} as const satisfies Record<string, ConsoleOperation>;
