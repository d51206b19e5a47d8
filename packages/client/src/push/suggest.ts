import { writeFile } from "node:fs/promises";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import {
  applyAnswers,
  mappingWithQuestions,
  profileTable,
  suggestAndCheck,
  suggestMapping,
  toMapping,
  type MappingQuestion,
} from "@gatehouse-parking/record-files";
import { withAnswers } from "./answers.js";
import type { PushOptions } from "./command-line.js";
import { recognizeSource, withFallbackEncoding, withTable, type InputSource } from "./input.js";
import { describeInputError } from "./messages.js";
import { questionList } from "./output/question-list.js";

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
  options: Pick<PushOptions, "answers" | "confirmAssumptions">;
}

/** The written mapping, and the decisions that its owner has to make. */
export interface SuggestionReport {
  mappingFile: string;
  /** The detected format, if it is not the usual one. */
  readAs?: string;
  /** The target of each column, as in the mapping file. */
  columns: Readonly<Record<string, unknown>>;
  openQuestions: readonly MappingQuestion[];
  nextCommand: string;
}

/** Reads a file and writes a mapping for it. Standard input is read only once, so the mapping is not checked. */
export async function suggestForFile(request: SuggestRequest): Promise<SuggestionReport> {
  const { resource, locations, mappingFile, nextCommand } = request;
  try {
    const recognized = await recognizeSource(request.source, request.standardInput);
    const { source, result: profile } = await withFallbackEncoding(recognized, (guess) =>
      withTable(guess, resource, profileTable),
    );
    const options = { resource, profile, locations };
    const suggestion =
      source.file === undefined
        ? suggestMapping(options)
        : await withTable(source, resource, (table) => suggestAndCheck(options, table));
    const mapping = await withAnswers(mappingWithQuestions(suggestion), request.options);
    // Answers that are not valid are refused before anything is written.
    toMapping(mapping);
    const { content, open } = applyAnswers(mapping);
    await writeNew(mappingFile, `${JSON.stringify(mapping, null, 2)}\n`);
    return {
      mappingFile,
      ...(source.said === "" ? {} : { readAs: `${source.name}: read as ${source.said}` }),
      columns: { ...(content["columns"] as object) },
      openQuestions: open,
      nextCommand,
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

export function suggestionText({
  mappingFile,
  readAs,
  columns,
  openQuestions,
  nextCommand,
}: SuggestionReport): string {
  const targets = Object.entries(columns).map(
    ([column, target]) => `  ${column} -> ${target === null ? "left out" : JSON.stringify(target)}`,
  );
  const lines = [
    ...(readAs === undefined ? [] : [readAs]),
    `Wrote ${mappingFile}:`,
    ...targets,
    ...questionList(openQuestions),
    "Review it, then test it:",
    `  ${nextCommand}`,
  ];
  return `${lines.join("\n")}\n`;
}
