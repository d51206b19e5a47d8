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
  by: Type.String({ description: "Who undid it, or command line for an operator." }),
  count: count("The number of created records that were deleted."),
};
export const UndoneSummary = Type.Object(undoneFields, {
  $id: "UndoneSummary",
  description: "The undo of a run. The run's counts do not change.",
});
export type UndoneSummary = Static<typeof UndoneSummary>;

export const RunUndone = Type.Object(
  {
    ...undoneFields,
    removed: Type.Array(KindCount, {
      description: "Everything that was deleted, including nested entities.",
    }),
    keptCount: count("Records that stayed because something refers to them."),
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

/** The preview that a person sees before undoing a run. */
const previewFields = {
  until: wireTimestamp(),
  removed: Type.Array(KindCount, { description: "What would be deleted." }),
  kept: Type.Array(
    Type.Object({
      kind: word(recordKinds),
      uuid: uuid(),
      reference: Type.String(),
      referredBy: Type.Array(RecordOfRun, {
        description: "The newest three of each kind, with the runs that created them.",
      }),
    }),
    { description: "Records that would stay because something refers to them." },
  ),
  acknowledged: Type.Object(
    {
      count: count(),
      examples: Type.Array(RecordOfRun, {
        description: "The first few, each with a run that acknowledged it.",
      }),
    },
    {
      description:
        "Records among those to delete that were resent later and acknowledged as stored (Skipped).",
    },
  ),
};

export const UndoPreview = Type.Object(
  { version: version(), ...previewFields },
  { $id: "UndoPreview", description: "The effect of undoing a run." },
);
export type UndoPreview = Static<typeof UndoPreview>;

/** Undoing an upload with more records than this needs a typed confirmation. */
export const maxRecordsWithoutTyping = 1_000;

export const UploadUndoPreview = Type.Object(
  {
    ...previewFields,
    removed: Type.Array(KindCount, {
      description:
        "Everything that the runs created and that is still stored, without `keptCount`. Always exact.",
    }),
    keptCount: count("Records that would stay; `kept` has the first few."),
    records: count("Records that the upload created."),
    runs: count(),
    undoneRuns: count("Runs that are already undone."),
    previewedRuns: count(
      "The newest runs, which were checked for references: `kept` and `acknowledged` cover only these.",
    ),
  },
  {
    $id: "UploadUndoPreview",
    description: "The effect of undoing an upload.",
  },
);
export type UploadUndoPreview = Static<typeof UploadUndoPreview>;

export const UploadUndone = Type.Object(
  {
    at: wireTimestamp(),
    by: Type.String({ description: "Who wanted it, at that time." }),
    runs: count("Runs that are processed."),
    removed: Type.Array(KindCount, { description: "Everything of these runs that was deleted." }),
    keptCount: count("Records of these runs that stayed because something refers to them."),
  },
  { $id: "UploadUndone", description: "The progress of undoing an upload." },
);
export type UploadUndone = Static<typeof UploadUndone>;

export const TakenBack = Type.Object(
  {
    ...RecordOfRun.properties,
    position: count("The record's position in the run that created it."),
    at: wireTimestamp(),
    by: Type.String(),
  },
  { $id: "TakenBack", description: "A record that was deleted by undoing the run that created it." },
);
export type TakenBack = Static<typeof TakenBack>;

export const DeletedRecord = Type.Object(
  {
    ...RecordOfRun.properties,
    position: count("The record's position in the run that created it."),
    at: wireTimestamp(),
  },
  {
    $id: "DeletedRecord",
    description: "A record that was deleted when its retention period ended, and whose key is remembered.",
  },
);
export type DeletedRecord = Static<typeof DeletedRecord>;

export const undoOperations = {
  previewUndo: {
    method: "GET",
    path: `${organization}/runs/:referenceUuid/undo`,
    role: "admin",
    summary: "Preview undoing a run",
    answer: UndoPreview,
  },
  undoRun: {
    method: "POST",
    path: `${organization}/runs/:referenceUuid/undo`,
    role: "admin",
    audited: true,
    summary: "Undo a run",
    description:
      "Deletes what the run created, except records that something else refers to. Repeating the request changes nothing and gets the same answer.",
    body: Type.Object({ version: editedVersion() }),
    answer: RunUndone,
  },
} as const satisfies Record<string, ConsoleOperation>;
