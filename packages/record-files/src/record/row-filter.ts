import { isObject } from "@gatehouse-parking/contract";
import { MappingError } from "../refusals.js";
import { plainWord, wordsOf, type Refuse } from "./rules.js";

/** Rows with one of these words in the column are not imported. */
export interface RowFilter {
  column: string;
  /** Without case and surrounding spaces; an empty word stands for an empty cell. */
  words: ReadonlySet<string>;
}

/** Why a row is not imported. */
export interface FilterMatch {
  column: string;
  value: string;
}

/** More filters than this are a mistake. */
const maxFilters = 100;

export function readFilters(content: unknown): readonly RowFilter[] {
  if (content === undefined) return [];
  if (!Array.isArray(content) || content.length > maxFilters)
    throw new MappingError({ code: "leaveOutShape", data: {} });
  return content.map((filter: unknown) => {
    const isFilter =
      isObject(filter) && typeof filter["column"] === "string" && Object.keys(filter).length === 2;
    if (!isFilter) throw new MappingError({ code: "leaveOutShape", data: {} });
    const column = String(filter["column"]);
    const refuse: Refuse = (refusal) => {
      throw new MappingError(refusal, column);
    };
    return { column, words: wordsOf(filter["values"], "values", refuse) };
  });
}

/** The first filter that leaves the row out. */
export function filterMatch(
  filters: readonly RowFilter[],
  cellOf: (column: string) => string,
): FilterMatch | undefined {
  for (const { column, words } of filters) {
    const value = cellOf(column);
    if (words.has(plainWord(value))) return { column, value };
  }
  return undefined;
}
