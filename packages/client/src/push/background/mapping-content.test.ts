import { toMapping } from "@gatehouse-parking/record-files";
import { expect, test } from "vitest";
import type { PushOptions } from "../command-line.js";
import { readFileOptions } from "../file-options.js";
import { mappingContent } from "./mapping-content.js";

type Served = Exclude<
  keyof PushOptions,
  // About the command, the service it asks, or the files it writes.
  | ("url" | "keyFile" | "ca" | "json" | "keepTryingMs" | "output" | "restart" | "background" | "wait")
  | ("mapping" | "suggestMapping" | "answers" | "confirmAssumptions" | "ignoreUnknownColumns")
  | ("dryRun" | "preview" | "validateOnly")
>;

const served: Required<Pick<PushOptions, Served>> = {
  format: "csv",
  delimiter: ";",
  encoding: "windows-1252",
  quote: "'",
  headerLine: 4,
  headerRows: 2,
  sheet: "Sales",
  timeFormat: ["dd.MM.yyyy HH:mm"],
  numberFormat: "1.234,50",
  empty: ["n/a"],
  true: ["ja"],
  false: ["nein"],
  trim: true,
  repeatedTimes: "later",
  timeZone: "Europe/Berlin",
};

test.each(Object.entries(served))(
  "the service reads a file with %s as the command does",
  async (name, value) => {
    const options: PushOptions = { [name]: value };
    const { prepare, told } = await readFileOptions(options, undefined, undefined);
    const content = await mappingContent(options, undefined);
    expect(Object.keys(content)).toHaveLength(1);
    const { file = {}, rules, repeatedTimes, timeZone } = toMapping(content);
    // As text, because the rules hold functions.
    expect(JSON.stringify([file, rules, repeatedTimes, timeZone])).toBe(
      JSON.stringify([told, prepare.mapping.rules, prepare.mapping.repeatedTimes, prepare.timeZone]),
    );
  },
);
