import { readFile } from "node:fs/promises";
import { isObject } from "@gatehouse-parking/contract";
import { requireAnswers } from "@gatehouse-parking/record-files";
import type { PushOptions } from "../command-line.js";
import { withAnswers } from "../answers.js";
import { given, readFileOptions, readingOptions, valueOptions } from "../file-options.js";

/** The mapping file with the options of the command line, which override it, as the service reads it. */
export async function mappingContent(
  options: PushOptions,
  mappingFile: string | undefined,
): Promise<Record<string, unknown>> {
  // The options and answers are checked here, with the messages of the command line, before anything is sent.
  const { prepare } = await readFileOptions(options, mappingFile, undefined);
  if (!options.validateOnly) requireAnswers(prepare.mapping);
  const content = mappingFile === undefined ? {} : await readContent(mappingFile, options);
  const file = { ...(isObject(content["file"]) ? content["file"] : {}), ...readingOptions(options) };
  const { timeZone, repeatedTimes } = options;
  return {
    ...content,
    ...given({ ...valueOptions(options), timeZone, repeatedTimes }),
    ...(Object.keys(file).length === 0 ? {} : { file }),
  };
}

async function readContent(mappingFile: string, options: PushOptions): Promise<Record<string, unknown>> {
  const content = await withAnswers(JSON.parse(await readFile(mappingFile, "utf8")), options);
  return content as Record<string, unknown>;
}
