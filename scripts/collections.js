// Writes a Postman collection and an .http file from openapi.json. With --check, fails if the committed files
// differ.
import { readFileSync } from "node:fs";
import { compareOrWrite } from "./generated-file.js";

const command = "npm run openapi";
const document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));

/** Variables that the user fills in once. They replace the locations of the examples in openapi.json. */
const variables = [
  { key: "baseUrl", value: "https://localhost:8443", description: "The service's address" },
  { key: "apiKey", value: "YOUR-API-KEY", description: "An API key of the organization" },
  {
    key: "locationUuid",
    value: "LOCATION-UUID",
    description: "A location of the organization (see listLocations)",
  },
  {
    key: "referenceUuid",
    value: "REFERENCE-UUID",
    description: "An import run (the referenceUuid of an answer)",
  },
  {
    key: "uploadUuid",
    value: "UPLOAD-UUID",
    description: "An upload (the uuid that createUpload answers)",
  },
];

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: operation.operationId,
    method: method.toUpperCase(),
    path: path.replaceAll("{", "{{").replaceAll("}", "}}"),
    summary: operation.summary,
    description: operation.description,
    tag: operation.tags[0],
    parameters: (operation.parameters ?? []).filter(
      (/** @type {any} */ parameter) => parameter.in !== "path",
    ),
    ...exampleBody(operation),
  })),
);

compareOrWrite(
  "examples/gatehouse.postman_collection.json",
  `${JSON.stringify(postman(), null, 2)}\n`,
  command,
);
compareOrWrite("examples/gatehouse.http", httpFile(), command);

function exampleBody(/** @type {any} */ operation) {
  const [[contentType, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (!content) return { body: undefined };
  if (!content.example) throw new Error(`${operation.operationId} has no example body in openapi.json`);
  const { example } = content;
  return {
    contentType,
    body: typeof example === "string" ? example : JSON.stringify(example, withVariables, 2),
  };
}

function withVariables(/** @type {string} */ name, /** @type {unknown} */ value) {
  return name === "locationUuid" ? "{{locationUuid}}" : value;
}

function postman() {
  return {
    info: {
      name: `${document.info.title} ${document.info.version}`,
      description: document.info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: {
      type: "apikey",
      apikey: [
        { key: "key", value: "X-API-KEY", type: "string" },
        { key: "value", value: "{{apiKey}}", type: "string" },
        { key: "in", value: "header", type: "string" },
      ],
    },
    variable: variables,
    item: document.tags.map((/** @type {any} */ tag) => ({
      name: tag.name,
      description: tag.description,
      item: operations.filter((operation) => operation.tag === tag.name).map(postmanItem),
    })),
  };
}

function postmanItem(/** @type {any} */ operation) {
  const query = operation.parameters
    .filter((/** @type {any} */ parameter) => parameter.in === "query")
    .map((/** @type {any} */ parameter) => ({
      key: parameter.name,
      value: String(parameter.schema.default ?? ""),
      description: parameter.description,
      disabled: true,
    }));
  const header = operation.parameters
    .filter((/** @type {any} */ parameter) => parameter.in === "header")
    .map((/** @type {any} */ parameter) => ({
      key: parameter.name,
      value: "{{$guid}}",
      description: parameter.description,
    }));
  if (operation.body) header.push({ key: "Content-Type", value: operation.contentType });
  return {
    name: operation.summary,
    request: {
      method: operation.method,
      description: operation.description,
      header,
      url: {
        raw: `{{baseUrl}}${operation.path}`,
        host: ["{{baseUrl}}"],
        path: operation.path.slice(1).split("/"),
        ...(query.length > 0 ? { query } : {}),
      },
      ...(operation.body
        ? {
            body: {
              mode: "raw",
              raw: operation.body,
              options: { raw: { language: operation.contentType === "application/json" ? "json" : "text" } },
            },
          }
        : {}),
    },
  };
}

function httpFile() {
  const intro = [
    "# Requests for Visual Studio Code (REST Client), JetBrains IDEs and other readers of .http files.",
    "# Made from openapi.json. Fill in the variables; locationUuid comes from listLocations.",
    ...variables.map(({ key, value }) => `@${key} = ${value}`),
  ].join("\n");
  return `${[intro, ...operations.map(httpRequest)].join("\n\n")}\n`;
}

function httpRequest(/** @type {any} */ operation) {
  const query = operation.parameters
    .filter(
      (/** @type {any} */ parameter) => parameter.in === "query" && parameter.schema.default !== undefined,
    )
    .map((/** @type {any} */ parameter) => `${parameter.name}=${parameter.schema.default}`);
  const lines = [
    `### ${operation.summary}`,
    `# @name ${operation.name}`,
    `${operation.method} {{baseUrl}}${operation.path}${query.length > 0 ? `?${query.join("&")}` : ""}`,
    "X-API-KEY: {{apiKey}}",
    ...(operation.body ? [`Content-Type: ${operation.contentType}`, "", operation.body] : []),
  ];
  return lines.join("\n");
}
