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
    key: word(sampleKeys, "full: all permissions. limited: reads runs only. broken: nobody's."),
    headers: Type.Record(Type.String(), Type.String()),
    body: nullable(Type.String({ description: "JSON or deliberately broken text." })),
    trailingSpaces: count("Sent after the body, to make it too large."),
  },
  { $id: "SampleRequest" },
);
export type SampleRequest = Static<typeof SampleRequest>;

export const Sample = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    description: Type.String({ description: "What it shows and why the answer is what it is." }),
    operation: word(operationNames),
    group: word(["success", "reason", "error"]),
    reasonCode: Type.Optional(Type.Integer({ description: "Set if it shows a reason code." })),
    expectedStatus: Type.Integer({ description: "The HTTP status it is meant to get." }),
    requests: Type.Array(SampleRequest, {
      description: "Several: they are sent in order, and the last answer is the point.",
    }),
    notRunnable: Type.Optional(
      Type.String({
        description:
          "Set if the service cannot be made to show it on demand; the request is then only to read.",
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
    summary: "Send a sample through the live service",
    answer: SampleRun,
  },
  resetSandbox: {
    method: "POST",
    path: `${organization}/sandbox/reset`,
    role: "admin",
    audited: true,
    summary: "Put the demo organization back to its sample data",
    description: "Everything imported and submitted is removed first. Locations, keys and members stay.",
    answer: Type.Object({
      deleted: Type.Record(Type.String(), count(), { description: "Rows removed, by table." }),
    }),
  },
} as const satisfies Record<string, ConsoleOperation>;
