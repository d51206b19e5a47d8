import { Type } from "../schema/type.js";
import { uuid } from "../schema/fields.js";
import { word } from "./fields.js";
import { recordKinds } from "./records.js";

/** Path parameters by name; each means the same in every path. A malformed value gets 404. */
export const pathParameters = {
  organizationUuid: uuid(),
  userUuid: uuid(),
  sessionUuid: uuid(),
  keyUuid: uuid(),
  requestUuid: uuid(),
  referenceUuid: uuid(),
  format: word(["csv", "ndjson"]),
  kind: word(recordKinds),
  recordUuid: uuid(),
  leadUuid: uuid(),
  noteUuid: uuid(),
  locationUuid: uuid(),
  uploadUuid: uuid(),
  mappingUuid: uuid(),
  viewUuid: uuid(),
  sampleName: Type.Unsafe<string>({ type: "string" }),
};

type NameAt<Text extends string> = Text extends `${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Text extends `${infer Name}.${infer Rest}`
    ? Name | NamesIn<Rest>
    : Text;

/** The names of the parameters in a path. */
export type NamesIn<Path extends string> = Path extends `${string}:${infer After}` ? NameAt<After> : never;
