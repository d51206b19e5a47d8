import { writeFile } from "node:fs/promises";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import {
  mappingWithQuestions,
  profileTable,
  suggestAndCheck,
  suggestMapping,
  type Suggestion,
} from "@gatehouse-parking/record-files";
import { recognizeSource, withFallbackEncoding, withTable, type InputSource } from "./input.js";
import { describeInputError } from "./messages.js";

/** A file that needs a mapping. */
export interface SuggestRequest {
  source: InputSource;
  resource: ImportResourceName;
  standardInput: AsyncIterable<Buffer>;
  locations: readonly Location[] | undefined;
  /** The path of the new mapping file. */
  mappingFile: string;
  /** The command that tests it. */
  nextCommand: string;
}

/** Reads a file and writes a mapping for it. Standard input is read only once, so the mapping is not checked. Returns the report for the user. */
export async function suggestForFile(
  request: SuggestRequest,
): Promise<{ text: string; isComplete: boolean }> {
  try {
    const recognized = await recognizeSource(request.source, request.standardInput);
    const { source, result: profile } = await withFallbackEncoding(recognized, (guess) =>
      withTable(guess, request.resource, profileTable),
    );
    const options = { resource: request.resource, profile, locations: request.locations };
    const suggestion =
      source.file === undefined
        ? suggestMapping(options)
        : await withTable(source, request.resource, (table) => suggestAndCheck(options, table));
    await writeNew(request.mappingFile, `${JSON.stringify(mappingWithQuestions(suggestion), null, 2)}\n`);
    const readAs = source.said === "" ? [] : [`${source.name}: read as ${source.said}`];
    return {
      text: `${[...readAs, ...reportLines(suggestion, request)].join("\n")}\n`,
      isComplete: suggestion.questions.length === 0,
    };
  } catch (error) {
    throw describeInputError(error, request.source.name);
  }
}

/** Never overwrites a mapping file: it may contain manual changes. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === "EEXIST"
        ? `${file} already exists; choose another name for --suggest-mapping, or delete the file`
        : `Cannot write the mapping file: ${error.message}`,
      { cause: error },
    );
  });
}

function reportLines(
  { mapping, questions, assumptions }: Suggestion,
  { mappingFile: file, nextCommand }: SuggestRequest,
): string[] {
  const columns = Object.entries(mapping.columns).map(
    ([column, target]) => `  ${column} -> ${target === null ? "left out" : JSON.stringify(target)}`,
  );
  return [
    `Wrote ${file}:`,
    ...columns,
    ...assumptions.map((assumption) => `  assumed: ${assumption.text}`),
    ...questions.map((question) => `  to decide: ${question.text}`),
    questions.length === 0 ? "Review it, then test it:" : `Decide these in ${file}, then test it:`,
    `  ${nextCommand}`,
  ];
}
