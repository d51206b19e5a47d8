import { writeFile } from "node:fs/promises";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import { sampleColumns, suggestMapping, type Suggestion } from "@gatehouse-parking/record-files";
import { recognizeSource, withSecondGuess, withTable, type InputSource } from "./input.js";
import { inOurWords, remarkText } from "./messages.js";

/** A file for which a mapping is to be made. */
export interface SuggestOrder {
  source: InputSource;
  resource: ImportResourceName;
  standardInput: AsyncIterable<Buffer>;
  locations: readonly Location[] | undefined;
  /** Where the mapping goes. */
  mappingFile: string;
}

/** Looks at a file and writes a mapping for it. Returns what people should read about it. */
export async function suggestForFile(order: SuggestOrder): Promise<{ text: string; isComplete: boolean }> {
  try {
    const recognized = await recognizeSource(order.source, order.standardInput);
    const { source, result: samples } = await withSecondGuess(recognized, (guess) =>
      withTable(guess, order.resource, sampleColumns),
    );
    const suggestion = suggestMapping({ resource: order.resource, samples, locations: order.locations });
    await writeNew(order.mappingFile, `${JSON.stringify(suggestion.mapping, null, 2)}\n`);
    const readAs = source.said === "" ? [] : [`${source.name}: read as ${source.said}`];
    return {
      text: `${[...readAs, ...reportLines(suggestion, order.mappingFile)].join("\n")}\n`,
      isComplete: suggestion.questions.length === 0,
    };
  } catch (error) {
    throw inOurWords(error, order.source.name);
  }
}

/** A mapping that is there may have been worked on. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === "EEXIST"
        ? `${file} already exists; give --suggest-mapping another name, or remove it`
        : `The mapping file cannot be written: ${error.message}`,
      { cause: error },
    );
  });
}

function reportLines({ mapping, questions, assumptions }: Suggestion, file: string): string[] {
  const columns = Object.entries(mapping.columns).map(
    ([column, target]) => `  ${column} -> ${target === null ? "left out" : JSON.stringify(target)}`,
  );
  return [
    `${file} was written:`,
    ...columns,
    ...assumptions.map((assumption) => `  assumed: ${remarkText(assumption, "; ")}`),
    ...questions.map((question) => `  to be decided: ${remarkText(question, ". ")}`),
    questions.length === 0
      ? `Look it over, and try it with --mapping ${file} --dry-run`
      : `Decide these in ${file}, then try it with --mapping ${file} --dry-run`,
  ];
}
