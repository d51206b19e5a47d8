import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { importResourceNames } from "../import-resources.js";
import { maxMappingBytes } from "../limits.js";
import { uuid } from "../schema/fields.js";
import { wireTimestamp } from "../schema/answers.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { download, editedVersion, typed, typedList, version, word } from "./fields.js";
import { mappingContent } from "./file-uploads.js";

const keptFields = {
  uuid: uuid(),
  name: Type.String(),
  resource: word(importResourceNames),
  shape: Type.String({
    description:
      "headerShape() of record-files for the columns that it was made for. It fits files with the same shape.",
  }),
  changedBy: Type.String(),
  changedAt: wireTimestamp(),
};
export const KeptMapping = Type.Object(keptFields, { $id: "KeptMapping" });
export type KeptMapping = Static<typeof KeptMapping>;

export const KeptMappingDetail = Type.Object(
  {
    ...keptFields,
    columns: Type.Array(Type.String()),
    mapping: mappingContent("The content of a mapping file of gatehouse-push."),
    version: version(),
  },
  { $id: "KeptMappingDetail" },
);
export type KeptMappingDetail = Static<typeof KeptMappingDetail>;

const MappingsQuery = Type.Object({
  resource: Type.Optional(word(importResourceNames)),
  shape: Type.Optional(typed("headerShape() of a file's columns.")),
});

const CreateMappingRequest = Type.Object({
  name: typed("Unique in the organization, regardless of case."),
  resource: word(importResourceNames),
  columns: typedList("The columns of the file that it was made for."),
  mapping: mappingContent(),
});

const mapping = `${organization}/mappings/:mappingUuid` as const;

export const mappingOperations = {
  listMappings: {
    method: "GET",
    path: `${organization}/mappings`,
    role: "viewer",
    summary: "List the saved mappings, most recently changed first",
    description: "Not paged: their number is limited.",
    query: MappingsQuery,
    answer: Type.Object({ data: Type.Array(KeptMapping) }),
  },
  createMapping: {
    method: "POST",
    path: `${organization}/mappings`,
    role: "admin",
    audited: true,
    summary: "Keep a mapping",
    body: CreateMappingRequest,
    maxBytes: maxMappingBytes,
    answer: KeptMappingDetail,
  },
  getMapping: {
    method: "GET",
    path: mapping,
    role: "viewer",
    summary: "One mapping",
    answer: KeptMappingDetail,
  },
  changeMapping: {
    method: "PATCH",
    path: mapping,
    role: "admin",
    audited: true,
    summary: "Change or rename a mapping",
    description: "Absent fields do not change.",
    body: Type.Object({ ...Type.Partial(CreateMappingRequest).properties, version: editedVersion() }),
    maxBytes: maxMappingBytes,
    answer: KeptMappingDetail,
  },
  removeMapping: {
    method: "DELETE",
    path: mapping,
    role: "admin",
    audited: true,
    summary: "Remove a mapping",
    answer: Type.Void(),
  },
  downloadMapping: {
    method: "GET",
    path: `${mapping}/mapping.json`,
    role: "viewer",
    audited: true,
    summary: "Download the mapping file for gatehouse-push",
    answer: download("application/json"),
  },
} as const satisfies Record<string, ConsoleOperation>;
