import { readFile } from "node:fs/promises";
import { isObject } from "@gatehouse-parking/contract";
import type { MappingContent } from "@gatehouse-parking/record-files";
import type { PushOptions } from "./command-line.js";

/** Adds the answers of the command line to the content of a mapping file. Its own answers come second. */
export async function withAnswers(
  content: MappingContent,
  { answers, confirmAssumptions }: Pick<PushOptions, "answers" | "confirmAssumptions">,
): Promise<MappingContent> {
  const given = answers === undefined ? undefined : await readAnswers(answers);
  const own = content["answers"];
  return {
    ...content,
    ...(given ? { answers: { ...(isObject(own) ? own : {}), ...given } } : {}),
    ...(confirmAssumptions ? { confirmAssumptions: true } : {}),
  };
}

async function readAnswers(file: string): Promise<Record<string, unknown>> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`Cannot read the answers in ${file}: ${(error as Error).message}`, { cause: error });
  }
  if (!isObject(content))
    throw new Error(`The file ${file} must be a JSON object with an answer for each question`);
  return content;
}
