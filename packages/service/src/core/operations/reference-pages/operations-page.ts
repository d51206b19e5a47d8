import { shellQuote, sampleAddress, type CodeSample } from "../code-samples.js";
import { escapeHtml, codeBlock, renderMarkdown } from "./layout.js";
import { resolve, schemaTable, typeOf, type Schema, type Schemas } from "./schema-table.js";

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Answer {
  description: string;
  headers?: Record<string, { schema: Schema }>;
  content?: Record<string, Content>;
}

export interface ReferenceOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { description?: string; content: Record<string, Content> };
  responses: Record<string, Answer>;
  "x-codeSamples": CodeSample[];
}

export interface ReferenceDocument {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ReferenceOperation>>;
  components: { schemas: Schemas };
}

export interface ListedOperation extends ReferenceOperation {
  method: string;
  path: string;
}

/** The operations grouped by tag, in the order of the tags. */
export function operationsByTag({ tags, paths }: ReferenceDocument) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): ListedOperation => ({ method, path, ...operation })),
  );
  return tags.map((tag) => ({ ...tag, operations: all.filter((one) => one.tags.includes(tag.name)) }));
}

/** For a page on the plain port, which accepts no keys: the address of the API. */
export interface KeysElsewhere {
  /** Undefined: only the proxy that terminates TLS knows it. */
  address: string | undefined;
  /** The CA that curl has to trust at this address. */
  caFile: string | undefined;
}

/** Renders the API reference from the OpenAPI document. */
export function operationsPage(document: ReferenceDocument, elsewhere?: KeysElsewhere): string {
  const groups = operationsByTag(document).map(
    ({ name, description, operations }) =>
      `<h2>${escapeHtml(name)}</h2>\n<p>${escapeHtml(description)}</p>\n${operations.map((one) => operationSection(one, document.components.schemas, elsewhere)).join("")}`,
  );
  return `<h1>API reference</h1>
<p>${escapeHtml(document.info.description)}</p>
<p>The same for programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1.</p>
${elsewhere === undefined ? keyForm : plainNote(elsewhere)}
${groups.join("")}`;
}

const languageChoice = `<label for="language">Examples in</label>
<select id="language"><option>curl</option><option>Python</option><option>TypeScript</option><option>Java</option></select>`;

/** No key field: a key typed into a page from plain HTTP is not safe. */
function plainNote({ address }: KeysElsewhere): string {
  const reference =
    address === undefined
      ? "the HTTPS address of your proxy"
      : `<a href="${escapeHtml(address)}/docs">${escapeHtml(address)}/docs</a>`;
  return `<div id="key">
<p>This is the plain HTTP port. It refuses the API. To use a key and to send the examples, open this page at ${reference}.</p>
<p>${languageChoice}</p>
</div>`;
}

/** The key stays in the page and is not stored. */
const keyForm = `<form id="key" autocomplete="off">
<p><label for="key-input">API key</label>
<input id="key-input" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-note">
<button type="submit">Use this key</button>
${languageChoice}</p>
<p id="key-note">With a key, the examples below use it and a location of its organization, and you can send them from this
page, which forgets the key when you leave it. If the service signs its own certificate, your programs must <a href="/docs/guides/certificates">trust its certificate</a>.</p>
<p id="key-state" role="status"></p>
</form>`;

function operationSection(
  operation: ListedOperation,
  schemas: Schemas,
  elsewhere: KeysElsewhere | undefined,
): string {
  const { operationId: id, summary, description, method, path, responses } = operation;
  return `<section id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${escapeHtml(summary)}</h3>
<p class="request"><strong>${method.toUpperCase()}</strong> <code>${escapeHtml(path)}</code></p>
${renderMarkdown(description, (link) => link)}
${parameterTable(operation)}${bodyTable(operation, schemas)}
<h4>Examples</h4>
${samples(operation, elsewhere)}
${elsewhere === undefined ? tryForm(operation) : ""}
<h4>Answers</h4>
${answerTable(responses)}
${answerExample(responses)}
</section>
`;
}

function parameterTable({ parameters = [] }: ListedOperation): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ name, in: place, required, description = "", schema = {} }) => {
    const preset = schema.default === undefined ? "" : `; default ${JSON.stringify(schema.default)}`;
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ", required" : ""}</td><td>${escapeHtml(typeOf(schema) + preset)}</td><td>${escapeHtml(description)}</td></tr>`;
  });
  return `<h4>Parameters</h4>
<div class="wide" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>
`;
}

function bodyTable({ requestBody }: ListedOperation, schemas: Schemas): string {
  const content = requestBody?.content["application/json"];
  if (!content) return "";
  const note = requestBody?.description ? `<p>${escapeHtml(requestBody.description)}</p>\n` : "";
  return `<h4>Body</h4>
${note}<details><summary>Fields</summary>
${schemaTable(resolve(content.schema, schemas), schemas)}</details>
`;
}

function samples({ "x-codeSamples": all }: ListedOperation, elsewhere: KeysElsewhere | undefined): string {
  return all
    .map(
      ({ label, source }) =>
        `<figure data-language="${escapeHtml(label)}"><figcaption>${escapeHtml(label)}</figcaption>\n${codeBlock(elsewhere ? sampleFor(source, label, elsewhere) : source, " data-sample")}</figure>\n`,
    )
    .join("");
}

/** On the HTTPS port the page's script inserts the address; on the plain port the service does. */
function sampleFor(source: string, label: string, { address, caFile }: KeysElsewhere): string {
  const withAddress = address === undefined ? source : source.replaceAll(sampleAddress, address);
  if (label !== "curl" || caFile === undefined) return withAddress;
  return withAddress.replaceAll(/^(run=\$\()?curl /gm, (start) => `${start}--cacert ${shellQuote(caFile)} `);
}

/** Hidden until the script that sends it has loaded. */
function tryForm({
  operationId: id,
  summary,
  method,
  path,
  parameters = [],
  requestBody,
}: ListedOperation): string {
  const inputs = parameters
    .filter((parameter) => parameter.in !== "header")
    .map(
      ({ name, in: place }) =>
        `<p><label for="${id}-${name}">${escapeHtml(name)}</label> <input id="${id}-${name}" name="${escapeHtml(name)}" data-in="${place}"></p>`,
    );
  const example = requestBody?.content["application/json"]?.example;
  const body =
    example === undefined
      ? ""
      : `<p><label for="${id}-body">Body</label></p><textarea id="${id}-body" name="body" data-sample rows="12" spellcheck="false">${escapeHtml(JSON.stringify(example, undefined, 2))}</textarea>`;
  return `<form class="try" data-method="${method.toUpperCase()}" data-path="${escapeHtml(path)}" hidden>
${inputs.join("\n")}${body}
<p><button type="submit" aria-label="Send: ${escapeHtml(summary)}">Send</button></p>
<div class="answer" role="status"></div>
</form>`;
}

function answerTable(responses: Record<string, Answer>): string {
  const rows = Object.entries(responses).map(([status, { description, headers }]) => {
    const names = (headers?.["X-Error"]?.schema.enum ?? []).map((name) => `<code>${String(name)}</code>`);
    return `<tr><td>${status}</td><td>${names.join("<br>")}</td><td>${escapeHtml(description)}</td></tr>`;
  });
  return `<div class="wide" tabindex="0"><table><thead><tr><th scope="col">Status</th><th scope="col">X-Error</th><th scope="col">Meaning, and what to do</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function answerExample(responses: Record<string, Answer>): string {
  const example = responses["200"]?.content?.["application/json"]?.example;
  if (example === undefined) return "";
  return `<details><summary>An answer</summary>\n${codeBlock(JSON.stringify(example, undefined, 2))}</details>`;
}
