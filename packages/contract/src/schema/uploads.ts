import type { Static } from "typebox";
import { count, nullable, oneOfNumbers, typed, word } from "../console/fields.js";
import {
  mappingContent,
  rowChoice,
  rowsQuery,
  Upload as ConsoleUpload,
  UploadDetail as ConsoleUploadDetail,
  uploadStates,
} from "../console/file-uploads.js";
import { KeptMapping } from "../console/mappings.js";
import { pageQuery } from "../console/paging.js";
import { RecordStatus } from "../enums.js";
import { importResourceNames } from "../import-resources.js";
import { maxUploadReferenceLength, uploadOutcomePages, uploadPages, uploadPieceBytes } from "../limits.js";
import { paged } from "./answers.js";
import { flag } from "./fields.js";
import { RecordResult } from "./import-run.js";
import { Type } from "./type.js";

/**
 * The shapes of the public operations for files. An upload and a mapping look like in the console, whose schemas these are,
 * except for what can be done with an upload.
 */

export type { RowChoice, UploadFinding } from "../console/file-uploads.js";
export type { KeptMapping } from "../console/mappings.js";

/** Actions with an API key. */
export const keyUploadActions = ["send", "start", "cancel", "remove"] as const;
export type KeyUploadAction = (typeof keyUploadActions)[number];

const actions = Type.Array(word(keyUploadActions), {
  description:
    "The actions of a key in the current state. start also continues an import that the service stopped. Pausing, undoing and correcting rows are done in the console.",
});
const Upload = Type.Object({ ...ConsoleUpload.properties, actions });
export type Upload = Static<typeof Upload>;
const UploadDetail = Type.Object({ ...ConsoleUploadDetail.properties, actions });
export type UploadDetail = Static<typeof UploadDetail>;

export const NewUpload = Type.Object({
  fileName: typed("Its ending says the format: .csv, .tsv, .json, .ndjson or .xlsx, each also with .gz."),
  size: Type.Integer({ minimum: 1, description: "Bytes." }),
  resource: word(importResourceNames),
  reference: Type.Optional(
    typed(
      `Your own name for the upload, at most ${maxUploadReferenceLength} characters. Sent again with the same file name, size and resource, it returns the upload that exists.`,
    ),
  ),
});

export const UploadStart = Type.Object({
  validateOnly: flag({ description: "true: a check, which stores nothing. false: an import." }),
  mappingName: Type.Optional(typed("The name of a saved mapping; upper and lower case are the same.")),
  mapping: Type.Optional(
    mappingContent(
      "The content of a mapping file. Without it and without mappingName, the columns must have the names of the fields.",
    ),
  ),
  ignoreUnknownColumns: Type.Optional(
    flag({ description: "Whether to ignore columns that neither the mapping nor a field names." }),
  ),
  sha256: Type.Optional(
    typed(
      `A checksum, to be sure that all pieces are of the same file: the SHA-256, in hexadecimal digits, of the concatenated SHA-256s (32 bytes each) of every ${uploadPieceBytes} bytes of the file.`,
    ),
  ),
});

const UploadProgress = Type.Object({ receivedBytes: count("The offset of the next piece.") });

const UploadOutcome = Type.Object({
  row: count("Starts at 1; header and blank lines are not counted."),
  line: count("Of the file."),
  ...RecordResult.properties,
  status: oneOfNumbers(
    [0, ...Object.values(RecordStatus)],
    "As in an import; 0: the mapping leaves the row out, and errorDetail says why.",
  ),
});
export type UploadOutcome = Static<typeof UploadOutcome>;

const UploadOutcomePage = Type.Object({
  data: Type.Array(UploadOutcome, { description: "In the order of the file." }),
  nextAfter: nullable(
    Type.Integer({ description: "Pass it in `after` of the next request; null on the last page." }),
  ),
});
export type UploadOutcomePage = Static<typeof UploadOutcomePage>;

/** The query of listUploads. */
export const UploadPageQuery = Type.Object({
  ...pageQuery(uploadPages),
  state: Type.Optional(word(uploadStates)),
  reference: Type.Optional(typed("Only the upload with this reference.")),
});
export const MappingPageQuery = Type.Object({
  ...pageQuery(uploadPages),
  resource: Type.Optional(word(importResourceNames)),
});
export const UploadPieceQuery = Type.Object({
  offset: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: "Where the piece begins in the file." }),
  ),
});
export const UploadOutcomesQuery = Type.Object({
  ...rowsQuery(uploadOutcomePages),
  status: Type.Optional(oneOfNumbers([RecordStatus.Failed], "4: only the failed rows.")),
});

/** The query of downloadUploadFailures. */
export const UploadFailuresQuery = Type.Object(rowChoice);

/** The schemas that the routes add to the published document, by name. */
export const uploadSchemas = Object.entries({
  Upload,
  UploadDetail,
  KeptMapping,
  NewUpload,
  UploadStart,
  UploadProgress,
  UploadOutcomePage,
  UploadPage: paged("UploadPage", "Upload", {} as Upload),
  MappingPage: paged("MappingPage", "KeptMapping", {} as KeptMapping),
}).map(([$id, schema]) => ({ ...withoutNames(schema), $id }));

/** A schema inside another one has no name in the document. */
function withoutNames(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === "$id" ? undefined : value)),
  ) as object;
}
