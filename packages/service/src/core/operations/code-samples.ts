import {
  importResourceNames,
  importResources,
  operationExamples,
  operations,
  type Operation,
  type OperationName,
} from "@gatehouse-parking/contract";

/** A program that calls one operation with its example (x-codeSamples). */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The parts that the page replaces: the key and, if it differs, the address. */
export const sampleAddress = "https://localhost:8443";
export const sampleKey = "YOUR-API-KEY";

interface Call {
  name: OperationName;
  method: Operation["method"];
  path: string;
  /** JSON, or the text of a file. */
  body: Record<string, unknown> | string | undefined;
  /** The path contains an object that has to be looked up first. */
  lookup: Lookup | undefined;
}

interface Lookup {
  parameter: string;
  /** What the samples call it. */
  variable: string;
  /** The list whose newest item it is, and the field with its identifier. */
  list: string;
  field: string;
  /** The same list in the client library. */
  method: string;
}

const lookups: readonly Lookup[] = [
  {
    parameter: ":referenceUuid",
    variable: "run",
    list: `${operations.listImports.path}?pageSize=1`,
    field: "referenceUuid",
    method: "listImports",
  },
  {
    parameter: ":uploadUuid",
    variable: "upload",
    list: `${operations.listUploads.path}?pageSize=1`,
    field: "uuid",
    method: "uploads.list",
  },
];

/** A test runs each of them, with only key and address replaced. */
export function codeSamples(name: OperationName): CodeSample[] {
  const { method, path } = operations[name];
  const lookup = lookups.find(({ parameter }) => path.includes(parameter));
  const body = operationExamples[name].request as Call["body"];
  const call = { name, method, path, body, lookup };
  return [
    { lang: "Shell", label: "curl", source: curl(call) },
    { lang: "Python", label: "Python", source: python(call) },
    { lang: "TypeScript", label: "TypeScript", source: typescript(call) },
    { lang: "Java", label: "Java", source: java(call) },
  ];
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const contentTypeOf = (body: Call["body"]): string =>
  typeof body === "string" ? "application/octet-stream" : "application/json";

function curl({ method, path, body, lookup }: Call): string {
  const key = `--header "X-API-KEY: ${sampleKey}"`;
  const found = lookup
    ? `${lookup.variable}=$(curl --silent "${sampleAddress}${lookup.list}" ${key} |
  grep -o '"${lookup.field}":"[^"]*"' | cut -d '"' -f 4)
`
    : "";
  const target = lookup ? path.replace(lookup.parameter, `$${lookup.variable}`) : path;
  const verb = method === "GET" || body !== undefined ? "" : `--request ${method} `;
  if (body === undefined) return `${found}curl ${verb}"${sampleAddress}${target}" ${key}\n`;
  const data = typeof body === "string" ? `--data-binary '${body}'` : `--data '${quoted(json(body))}'`;
  return `${found}curl "${sampleAddress}${target}" \\
  ${key} \\
  --header "Content-Type: ${contentTypeOf(body)}" \\
  ${data}
`;
}

const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`);

/** urllib does not send this key header on to another address after a redirect. */
function python({ method, path, body, lookup }: Call): string {
  const key = `request.add_unredirected_header("X-API-KEY", "${sampleKey}")\n`;
  const request = (target: string) => `request = urllib.request.Request(${target})\n${key}`;
  const target = lookup
    ? `f"${sampleAddress}${path.replace(lookup.parameter, `{${lookup.variable}}`)}"`
    : `"${sampleAddress}${path}"`;
  const imports = `${path.endsWith(".csv") && !lookup ? "" : "import json\n"}import urllib.request\n\n`;
  const found = lookup
    ? `${request(`"${sampleAddress}${lookup.list}"`)}with urllib.request.urlopen(request) as answer:
    ${lookup.variable} = json.load(answer)["data"][0]["${lookup.field}"]
`
    : "";
  const print = path.endsWith(".csv")
    ? "with urllib.request.urlopen(request) as answer:\n    print(answer.read().decode())\n"
    : "with urllib.request.urlopen(request) as answer:\n    print(json.dumps(json.load(answer), indent=2))\n";
  if (body === undefined) {
    const verb = method === "GET" ? "" : `, method="${method}"`;
    return `${imports}${found}${request(target + verb)}${print}`;
  }
  const text = typeof body === "string" ? JSON.stringify(body) : pythonLiteral(body, "");
  return `${imports}${found}body = ${text}
request = urllib.request.Request(
    ${target},
    data=${typeof body === "string" ? "body" : "json.dumps(body)"}.encode(),
    headers={"Content-Type": "${contentTypeOf(body)}"},
)
${key}${print}`;
}

/** JSON, with Python's spelling of true, false and null. */
function pythonLiteral(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value))
    return `[\n${value.map((item) => `${inner}${pythonLiteral(item, inner)},\n`).join("")}${indent}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${pythonLiteral(member, inner)},\n`,
  );
  return `{\n${members.join("")}${indent}}`;
}

function typescript({ name, body, lookup }: Call): string {
  const start = `import { createClient } from "@gatehouse-parking/client";

const client = createClient({ url: "${sampleAddress}", apiKey: "${sampleKey}" });
`;
  const found = lookup ? `const { data } = await client.${lookup.method}({ pageSize: 1 });\n` : "";
  const method = uploadMethods[name] ?? name;
  const given = [
    ...(lookup ? [`data[0]?.${lookup.field} ?? ""`] : []),
    ...(body === undefined ? [] : [typescriptArguments(name, body)]),
  ];
  const call = `client.${method}(${given.join(", ")})`;
  if (name === "downloadUploadFailures")
    return `${start}${found}for await (const text of ${call}) process.stdout.write(text);\n`;
  return `${start}${found}const answer = await ${call};\nconsole.log(JSON.stringify(answer, undefined, 2));\n`;
}

/** The methods of the client library that do not have the name of their operation. */
const uploadMethods: Partial<Record<OperationName, string>> = {
  listMappings: "uploads.mappings",
  createUpload: "uploads.create",
  sendUploadPiece: "uploads.send",
  startUpload: "uploads.start",
  getUpload: "uploads.get",
  listUploads: "uploads.list",
  listUploadOutcomes: "uploads.listOutcomes",
  downloadUploadFailures: "uploads.failuresCsv",
  cancelUpload: "uploads.cancel",
  removeUpload: "uploads.remove",
};

/** The client takes the records of a batch and creates the envelope itself. */
function typescriptArguments(name: OperationName, body: Exclude<Call["body"], undefined>): string {
  if (typeof body === "string") return `new Blob([${JSON.stringify(body)}])`;
  const resource = importResourceNames.find((one) =>
    [importResources[one].importOperation, importResources[one].validateOperation].includes(name as never),
  );
  if (resource === undefined) return json(body);
  const { [resource]: records, ...options } = body;
  return Object.keys(options).length === 0 ? json(records) : `${json(records)}, ${json(options)}`;
}

function java({ name, method, path, body, lookup }: Call): string {
  const request = (target: string, content: string) => `HttpRequest.newBuilder(URI.create(${target}))
            .header("X-API-KEY", "${sampleKey}")${content}
            .build()`;
  const send = (what: string) => `http.send(${what}, HttpResponse.BodyHandlers.ofString())`;
  const program = (lines: string) => `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class ${name.charAt(0).toUpperCase()}${name.slice(1)} {
  public static void main(String[] arguments) throws Exception {
    var http = HttpClient.newHttpClient();
${lines}    var answer = ${send("request")};
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}
`;
  const found = lookup
    ? `    var list =
        ${request(`"${sampleAddress}${lookup.list}"`, "")};
    // Your JSON library parses this more reliably.
    var ${lookup.variable} = ${send("list")}.body().split("\\"${lookup.field}\\":\\"")[1].split("\\"")[0];
`
    : "";
  const [before = "", after = ""] = path.split(lookup?.parameter ?? path);
  const target = lookup
    ? `"${sampleAddress}${before}" + ${lookup.variable}${after ? ` + "${after}"` : ""}`
    : `"${sampleAddress}${path}"`;
  if (body === undefined) {
    const verb =
      method === "GET" ? "" : `\n            .method("${method}", HttpRequest.BodyPublishers.noBody())`;
    return program(`${found}    var request =\n        ${request(target, verb)};\n`);
  }
  const text = (typeof body === "string" ? body : json(body))
    .replaceAll("\\", "\\\\")
    .split("\n")
    .join("\n        ");
  const content = `
            .header("Content-Type", "${contentTypeOf(body)}")
            .POST(HttpRequest.BodyPublishers.ofString(body))`;
  // The text of a file has no line break at its end.
  const end = typeof body === "string" ? '"""' : '\n        """';
  return program(`${found}    var body =
        """
        ${text}${end};
    var request =
        ${request(target, content)};
`);
}

/** Quotes text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
