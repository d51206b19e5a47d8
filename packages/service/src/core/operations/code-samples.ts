import {
  importResourceNames,
  importResources,
  operationExamples,
  operations,
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
  method: "GET" | "POST";
  path: string;
  body: Record<string, unknown> | undefined;
}

/** The path contains an import, which has to be looked up first. */
const runParameter = ":referenceUuid";
const newestRun = `${operations.listImports.path}?pageSize=1`;

/** A test runs each of them, with only key and address replaced. */
export function codeSamples(name: OperationName): CodeSample[] {
  const { method, path } = operations[name];
  const call = { name, method, path, body: operationExamples[name].request as Call["body"] };
  return [
    { lang: "Shell", label: "curl", source: curl(call) },
    { lang: "Python", label: "Python", source: python(call) },
    { lang: "TypeScript", label: "TypeScript", source: typescript(call) },
    { lang: "Java", label: "Java", source: java(call) },
  ];
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

function curl({ path, body }: Call): string {
  const key = `--header "X-API-KEY: ${sampleKey}"`;
  if (path.includes(runParameter))
    return `run=$(curl --silent "${sampleAddress}${newestRun}" ${key} |
  grep -o '"referenceUuid":"[^"]*"' | cut -d '"' -f 4)
curl "${sampleAddress}${path.replace(runParameter, "$run")}" ${key}
`;
  if (body === undefined) return `curl "${sampleAddress}${path}" ${key}\n`;
  return `curl "${sampleAddress}${path}" \\
  ${key} \\
  --header "Content-Type: application/json" \\
  --data '${json(body).replaceAll("'", String.raw`'\''`)}'
`;
}

/** urllib does not send this key header on to another address after a redirect. */
function python({ path, body }: Call): string {
  const key = `request.add_unredirected_header("X-API-KEY", "${sampleKey}")\n`;
  const request = (target: string) => `request = urllib.request.Request(${target})\n${key}`;
  const imports = "import json\nimport urllib.request\n\n";
  const print =
    "with urllib.request.urlopen(request) as answer:\n    print(json.dumps(json.load(answer), indent=2))\n";
  if (path.includes(runParameter))
    return `${imports}${request(`"${sampleAddress}${newestRun}"`)}with urllib.request.urlopen(request) as answer:
    run = json.load(answer)["data"][0]["referenceUuid"]
${request(`f"${sampleAddress}${path.replace(runParameter, "{run}")}"`)}${print}`;
  if (body === undefined) return `${imports}${request(`"${sampleAddress}${path}"`)}${print}`;
  return `${imports}body = ${pythonLiteral(body, "")}
request = urllib.request.Request(
    "${sampleAddress}${path}",
    data=json.dumps(body).encode(),
    headers={"Content-Type": "application/json"},
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

function typescript({ name, path, body }: Call): string {
  const start = `import { createClient } from "@gatehouse-parking/client";

const client = createClient({ url: "${sampleAddress}", apiKey: "${sampleKey}" });
`;
  const print = "console.log(JSON.stringify(answer, undefined, 2));\n";
  if (path.includes(runParameter))
    return `${start}const { data } = await client.listImports({ pageSize: 1 });
const answer = await client.${name}(data[0]?.referenceUuid ?? "");
${print}`;
  return `${start}const answer = await client.${name}(${typescriptArguments(name, body)});\n${print}`;
}

/** The client takes the records of a batch and creates the envelope itself. */
function typescriptArguments(name: OperationName, body: Call["body"]): string {
  if (body === undefined) return "";
  const resource = importResourceNames.find((one) =>
    [importResources[one].importOperation, importResources[one].validateOperation].includes(name as never),
  );
  if (resource === undefined) return json(body);
  const { [resource]: records, ...options } = body;
  return Object.keys(options).length === 0 ? json(records) : `${json(records)}, ${json(options)}`;
}

function java({ name, path, body }: Call): string {
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
  if (path.includes(runParameter)) {
    const [before, after] = path.split(runParameter);
    return program(`    var list =
        ${request(`"${sampleAddress}${newestRun}"`, "")};
    // Your JSON library parses this more reliably.
    var run = ${send("list")}.body().split("\\"referenceUuid\\":\\"")[1].split("\\"")[0];
    var request =
        ${request(`"${sampleAddress}${before}" + run${after ? ` + "${after}"` : ""}`, "")};
`);
  }
  if (body === undefined)
    return program(`    var request =\n        ${request(`"${sampleAddress}${path}"`, "")};\n`);
  const text = json(body).replaceAll("\\", "\\\\").split("\n").join("\n        ");
  const content = `
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))`;
  return program(`    var body =
        """
        ${text}
        """;
    var request =
        ${request(`"${sampleAddress}${path}"`, content)};
`);
}

/** Quotes text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
