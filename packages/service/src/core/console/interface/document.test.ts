import {
  consoleOperationNames,
  consoleOperations,
  type ConsoleOperation,
} from "@gatehouse-parking/contract/console";
import { beforeAll, expect, test } from "vitest";
import { signedIn } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";

interface Described {
  operationId: string;
  summary: string;
  description: string;
  security?: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

const gatehouse = useApp();
let document: {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, unknown> };
};
let text: string;

beforeAll(async () => {
  const operator = await signedIn(gatehouse, "operator");
  const answer = await operator.get("/openapi.json");
  expect(answer.headers["content-type"]).toBe("application/json");
  text = answer.text;
  document = answer.json;
});

const described = (): Map<string, Described> =>
  new Map(
    Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => [operation.operationId, operation]),
    ),
  );

test("an operator gets the document of the console's interface, with every operation, its path and its roles", () => {
  expect([...described().keys()].toSorted()).toEqual(consoleOperationNames.toSorted());
  for (const name of consoleOperationNames) {
    const { method, path, role, summary, audited }: ConsoleOperation = consoleOperations[name];
    const entry = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    expect(entry, name).toMatchObject({ operationId: name, summary });
    expect(entry?.description, name).toContain(role === "public" ? "no session" : `the role ${role}`);
    expect(entry?.description.includes("audit log records it"), name).toBe(audited === true);
    expect(entry?.security, name).toEqual(role === "public" ? [] : undefined);
  }
});

test("the document describes the inputs, answers and errors of each operation", () => {
  const listRuns = described().get("listRuns") as Described;
  expect(listRuns.parameters.map(({ name, in: where }) => `${where} ${name}`)).toEqual(
    expect.arrayContaining(["path organizationUuid", "query limit", "query from"]),
  );
  expect(listRuns.parameters.find(({ name }) => name === "from")?.schema).toMatchObject({
    format: "date-time",
  });
  const hours = described().get("getLocalHours") as Described;
  expect(hours.parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    "organizationUuid",
    "location",
    "date",
  ]);
  const create = described().get("createApiKey") as Described;
  expect(create.requestBody?.content["application/json"]?.schema).toMatchObject({ required: ["name"] });
  expect(create.responses["200"]?.content).toEqual({
    "application/json": { schema: { $ref: "#/components/schemas/CreatedApiKey" } },
  });
  expect(Object.keys(create.responses)).toEqual([
    "200",
    "400",
    "401",
    "403",
    "404",
    "409",
    "413",
    "415",
    "429",
    "500",
    "503",
  ]);
  expect(described().get("signOut")?.responses["204"]?.content).toBeUndefined();
  expect(Object.keys(described().get("downloadFailures")?.responses["200"]?.content ?? {})).toEqual([
    "text/csv",
    "application/x-ndjson",
  ]);
});

test("the document is self-contained and uses only standard formats", () => {
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference as string);
  expect(references.length).toBeGreaterThan(50);
  for (const reference of new Set(references))
    expect(document.components.schemas).toHaveProperty([reference.replace("#/components/schemas/", "")]);
  expect(text).not.toContain('"$id"');
  const formats = new Set([...text.matchAll(/"format":"([^"]*)"/g)].map(([, format]) => format));
  expect([...formats].toSorted()).toEqual(["date", "date-time", "uuid"]);
});

test("only operators get the document", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  expect((await admin.get("/openapi.json")).json).toMatchObject({ code: "roleMissing" });
  expect((await gatehouse.send({ url: "/console/api/openapi.json" })).json).toMatchObject({
    code: "signedOut",
  });
});
