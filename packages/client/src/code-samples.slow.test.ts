import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { exampleLocationUuid, operationNames, type OperationName } from "@gatehouse-parking/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDemo } from "../../service/src/features/demo/demo.js";
import { repository } from "../testing/built-command.js";
import {
  compileAhead,
  isHere,
  languages,
  programFolder,
  runProgram,
  type Language,
  type LanguageName,
} from "../testing/languages.js";
import { useLiveService } from "../testing/live-service.js";

/** Runs the samples of the API reference, with the key and the port replaced. */
const live = useLiveService();
const byLang: Record<string, LanguageName> = {
  Shell: "shell",
  Python: "python",
  TypeScript: "typescript",
  Java: "java",
};
/** Ordered so that each sample finds what earlier samples stored. */
const order: OperationName[] = [
  "importAccounts",
  ...operationNames.filter((name) => name !== "importAccounts"),
];

type Samples = Record<string, { lang: string; source: string }[]>;
let folder: string;
let samples: Samples;
let apiKey: string;
beforeAll(async () => {
  folder = await programFolder();
  const { paths } = JSON.parse(await readFile(join(repository, "openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, { operationId: string; "x-codeSamples": Samples[string] }>>;
  };
  const declared = Object.values(paths).flatMap((methods) => Object.values(methods));
  samples = Object.fromEntries(declared.map((one) => [one.operationId, one["x-codeSamples"]]));
  const demo = await createDemo(live.gatehouse.database.work, "test");
  apiKey = demo?.apiKey.key as string;
  expect(demo?.locations[0]?.uuid).toBe(exampleLocationUuid);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(Object.keys(byLang))("the samples in %s", (lang) => {
  const language: Language = languages[byLang[lang] as LanguageName];
  let present: boolean;
  let trusting: Record<string, string>;
  beforeAll(async () => {
    present = await isHere(language);
    if (present) trusting = await language.trust(live.caFile, folder);
  });
  beforeEach(({ skip }) => {
    if (!present) skip(`there is no ${language.needed}`);
  });

  test("of every operation succeed in the demo organization when only the key is replaced", async () => {
    const texts = order.map((name) => {
      const source = samples[name]?.find((sample) => sample.lang === lang)?.source ?? "";
      return source.replaceAll("YOUR-API-KEY", apiKey).replaceAll("https://localhost:8443", live.url);
    });
    await compileAhead(language, texts, folder);
    for (const [index, text] of texts.entries()) {
      const name = order[index];
      const { exitCode, out, error } = await runProgram(language, text, { folder, environment: trusting });
      expect(exitCode, `${name}: ${error}`).toBe(0);
      if (name === "downloadUploadFailures") {
        expect(out).toContain("failure.line");
        continue;
      }
      const answer = JSON.parse(out.slice(out.indexOf("{"))) as Record<string, unknown>;
      const shown = ["success", "data", "results", "uuid", "receivedBytes"].find((field) => field in answer);
      expect(answer[shown ?? ""], `${name}: ${out}`).toBeTruthy();
      // Created the first time and Skipped the next, never Failed.
      expect(answer["failedCount"] ?? 0, `${name}: ${out}`).toBe(0);
    }
  });
});

test("the Python samples send the key nowhere else", async ({ skip }) => {
  const { python } = languages;
  if (!(await isHere(python))) skip(`there is no ${python.needed}`);
  const keysElsewhere: unknown[] = [];
  live.intercept = (request, response) => {
    if (request.url === "/elsewhere") {
      keysElsewhere.push(request.headers["x-api-key"]);
      response.writeHead(401).end();
    } else response.writeHead(302, { location: `${live.url}/elsewhere` }).end();
    return true;
  };
  const environment = await python.trust(live.caFile);
  for (const name of ["importAccounts", "listLocations", "getImport"]) {
    const source = samples[name]?.find(({ lang }) => lang === "Python")?.source ?? "";
    await runProgram(python, source.replaceAll("https://localhost:8443", live.url), { folder, environment });
  }
  expect(keysElsewhere).toEqual([undefined, undefined, undefined]);
});
