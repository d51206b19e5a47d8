import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { operationNames } from "../operations.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, nullable, word } from "./fields.js";

const sampleKeys = ["full", "limited", "broken", "none"] as const;

export const SampleRequest = Type.Object(
  {
    method: Type.String(),
    path: Type.String(),
    isSecure: Type.Boolean({ description: "False: sent to the plain HTTP port." }),
    key: word(sampleKeys, "full: all permissions. limited: reads runs only. broken: an unknown key."),
    headers: Type.Record(Type.String(), Type.String()),
    body: nullable(Type.String({ description: "JSON or deliberately malformed text." })),
    trailingSpaces: count("Spaces appended to make the body too large."),
  },
  { $id: "SampleRequest" },
);
export type SampleRequest = Static<typeof SampleRequest>;

export const Sample = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    description: Type.String({ description: "What it demonstrates, and why it gets its answer." }),
    operation: word(operationNames),
    group: word(["success", "reason", "error"]),
    reasonCode: Type.Optional(Type.Integer({ description: "Set if it demonstrates a reason code." })),
    expectedStatus: Type.Integer({ description: "The expected HTTP status." }),
    requests: Type.Array(SampleRequest, {
      description: "If there are several, they are sent in order, and the last answer counts.",
    }),
    notRunnable: Type.Optional(
      Type.String({
        description: "Set if the case cannot be triggered on demand; the request is then only an example.",
      }),
    ),
  },
  { $id: "Sample" },
);
export type Sample = Static<typeof Sample>;

export const SampleRun = Type.Object(
  {
    exchanges: Type.Array(
      Type.Object({
        request: SampleRequest,
        answer: Type.Object({
          status: Type.Integer(),
          headers: Type.Record(Type.String(), Type.String()),
          body: Type.String(),
        }),
        durationMs: count(),
      }),
    ),
  },
  { $id: "SampleRun" },
);
export type SampleRun = Static<typeof SampleRun>;

export const sandboxOperations = {
  getSandbox: {
    method: "GET",
    path: `${organization}/sandbox`,
    role: "viewer",
    summary: "Samples to try",
    description: "404 unless it is the demo organization.",
    answer: Type.Object({ organizationUuid: uuid(), samples: Type.Array(Sample) }),
  },
  runSample: {
    method: "POST",
    path: `${organization}/sandbox/samples/:sampleName/run`,
    role: "admin",
    summary: "Send a sample to the live service",
    answer: SampleRun,
  },
  resetSandbox: {
    method: "POST",
    path: `${organization}/sandbox/reset`,
    role: "admin",
    audited: true,
    summary: "Reset the demo organization to its sample data",
    description: "Deletes everything imported and submitted first. Locations, keys and members stay.",
    answer: Type.Object({
      deleted: Type.Record(Type.String(), count(), { description: "Rows removed, by table." }),
    }),
  },
} as const satisfies Record<string, ConsoleOperation>;
