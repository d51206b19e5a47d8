import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { operationNames } from "@gatehouse-parking/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repository } from "../testing/built-command.js";
import { useLiveService } from "../testing/live-service.js";
import { openTransport, type Transport } from "./push/transport.js";

const live = useLiveService();
let transport: Transport;
beforeAll(async () => {
  transport = await openTransport({ caFile: live.caFile });
});
afterAll(() => transport.close());

interface CollectedRequest {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const read = (name: string) => readFile(join(repository, "examples", name), "utf8");

function fill(text: string, variables: Record<string, string>): string {
  return text.replaceAll(/\{\{\$?(\w+)\}\}/g, (_, name: string) => variables[name] ?? `no ${name}`);
}

/**
 * Sends every request with its variables filled in. Imports come first, so that there is an import to read, and a new upload
 * comes before what is done with it.
 */
async function sendAll(requests: CollectedRequest[]): Promise<Record<string, number>> {
  const { apiKey, locationUuid } = await live.gatehouse.tenant();
  const variables: Record<string, string> = {
    baseUrl: live.url,
    apiKey,
    locationUuid,
    guid: crypto.randomUUID(),
  };
  const statuses: Record<string, number> = {};
  for (const { name, method, url, headers, body } of requests) {
    const answer = await transport.fetch(fill(url, variables), {
      method,
      headers: Object.fromEntries(
        Object.entries(headers).map(([key, value]) => [key, fill(value, variables)]),
      ),
      ...(body === undefined ? {} : { body: fill(body, variables) }),
    });
    statuses[name] = answer.status;
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    const content = (isJson ? await answer.json() : {}) as { referenceUuid?: string; uuid?: string };
    variables["referenceUuid"] = content.referenceUuid ?? variables["referenceUuid"] ?? "";
    variables["uploadUuid"] = content.uuid ?? variables["uploadUuid"] ?? "";
  }
  return statuses;
}

const everyOperationSucceeds = Object.fromEntries(operationNames.map((name) => [name, 200]));

test("the service accepts every request of the .http file, one per operation", async () => {
  const [, ...sections] = (await read("gatehouse.http")).split(/^### .*$/m);
  const requests = sections.map((section): CollectedRequest => {
    const [head = "", ...body] = section.trim().split("\n\n");
    const [name = "", line = "", ...headers] = head.split("\n");
    const [method = "", url = ""] = line.split(" ");
    return {
      name: name.replace("# @name ", ""),
      method,
      url,
      headers: Object.fromEntries(headers.map((header) => header.split(": "))),
      body: body.length === 0 ? undefined : body.join("\n\n"),
    };
  });
  expect(await sendAll(requests)).toEqual(everyOperationSucceeds);
});

interface PostmanItem {
  name: string;
  item?: PostmanItem[];
  request: {
    method: string;
    url: { raw: string };
    header: { key: string; value: string }[];
    body?: { raw: string };
  };
}

test("the service accepts every request of the Postman collection, one per operation", async () => {
  const collection = JSON.parse(await read("gatehouse.postman_collection.json")) as {
    item: PostmanItem[];
    auth: { apikey: { key: string; value: string }[] };
  };
  const [header, value] = ["key", "value"].map(
    (part) => collection.auth.apikey.find((entry) => entry.key === part)?.value as string,
  );
  const operations = JSON.parse(await readFile(join(repository, "openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, { operationId: string; summary: string }>>;
  };
  const nameOf = (summary: string) =>
    Object.values(operations.paths)
      .flatMap((methods) => Object.values(methods))
      .find((operation) => operation.summary === summary)?.operationId as string;
  const requests = collection.item
    .flatMap((group) => group.item ?? [])
    .map(({ name, request }): CollectedRequest => ({
      name: nameOf(name),
      method: request.method,
      url: request.url.raw,
      headers: {
        [header as string]: value as string,
        ...Object.fromEntries(request.header.map((entry) => [entry.key, entry.value])),
      },
      body: request.body?.raw,
    }));
  expect(await sendAll(requests)).toEqual(everyOperationSucceeds);
});
