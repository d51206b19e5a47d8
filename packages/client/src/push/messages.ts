import {
  delimiterText,
  fileMessages,
  ifWritten,
  InputError,
  MappingError,
  mappingMessages,
  mappingText,
  messageOf,
  readingMessages,
  remarkMessages,
  rowMessages,
  shownName,
  unknownText,
  type FileRefusals,
  type MappingRefusals,
  type Messages,
  type ReadingFacts,
  type Remark,
  type Remarks,
  type RowMessages,
} from "@gatehouse-parking/record-files";

/** The words of the command line: those of the console, but where they name options and the mapping file. */
const commandLineFiles: Messages<FileRefusals> = {
  ...fileMessages,
  otherDelimiter: ({ header, delimiter }) =>
    `the header is one column, ${shownName(header)}; if the cells are separated by ${delimiterText(delimiter)}, add --delimiter ${delimiter === "\t" ? "tab" : `"${delimiter}"`}`,
  notUtf8: `${messageOf(fileMessages, { code: "notUtf8", data: {} })}, or name its encoding with --encoding`,
  notInEncoding: (data) =>
    `${messageOf(fileMessages, { code: "notInEncoding", data })} Name it with --encoding`,
  mixedEncodings:
    "text in UTF-8, but there is text in Windows-1252 elsewhere in the file; it looks as if two files were joined. Import them one by one, or say how to read it with --encoding",
  unknownColumns: (unknown) =>
    `${unknownText(unknown)}. Rename the columns, say in the mapping file where they go (--suggest-mapping drafts one), or add --ignore-unknown-columns`,
};

const commandLineMappings: Messages<MappingRefusals> = {
  ...mappingMessages,
  locationsNotKnown: '"location" needs the locations of the organization: add --url and the key',
};

export const commandLineRows: RowMessages = {
  ...rowMessages,
  advice: {
    ...rowMessages.advice,
    unknownMembers:
      "rename the members, say in the mapping file where they go, or add --ignore-unknown-columns",
    undeclaredTime: ({ patterns }) =>
      `${ifWritten(patterns)}, say so with --time-format "${patterns[0]}", or with "time" in the mapping file`,
    zoneless: 'name it with --time-zone, or with "timeZone" in the mapping file',
  },
};

export const commandLineReading: Messages<ReadingFacts> = {
  ...readingMessages,
  sheet: ({ name, count }) => `the sheet "${name}"${count > 1 ? ` of ${count} (--sheet names another)` : ""}`,
  encoding: (data) =>
    `${messageOf(readingMessages, { code: "encoding", data })}${data.encoding === "windows-1252" ? " (--encoding names another)" : ""}`,
};

/** How a mapping file or an option settles a remark. */
const advice: Partial<Messages<Remarks>> = {
  contested: 'Say in "columns" which one does',
  misfit: 'Say in "columns" where it goes, and how it is written',
  ambiguousTimes: 'Say which with "time" in the mapping file, or with --time-format',
  ambiguousNumbers: 'Say which with "number" in the mapping file, or with --number-format',
  unknownValues: ({ names }) => `Say in "values" which of ${names.join(", ")} is meant`,
  unknownLocations: 'Say in "values" which uuid each has',
  keyRepeated: ({ path }) => `Say which column leads to ${path}`,
  zoneOfLocation: '"timeZone" names another one',
  zoneAsked: 'Name it with "timeZone" in the mapping file, or with --time-zone',
  requiredMissing: 'Name the column in "columns", or a value for all in "constants"',
};

/** A remark on a suggested mapping. */
export function remarkText(remark: Remark, between: string): string {
  const fact = messageOf(remarkMessages, remark);
  const isDecided = remark.code === "misfit" && remark.data.isKept;
  return remark.code in advice && !isDecided ? fact + between + messageOf(advice, remark) : fact;
}

/** What is refused of an input, in the words of the command line and with its name. */
export function inOurWords(error: unknown, name: string): unknown {
  if (error instanceof InputError) {
    const { line, refusal } = error;
    return new Error(`${name}, line ${line}: ${messageOf(commandLineFiles, refusal)}`, { cause: error });
  }
  if (error instanceof MappingError) return mappingFileError(error);
  return error;
}

export function mappingFileError(error: MappingError, file = ""): Error {
  const subject = `The mapping file${file === "" ? "" : ` ${file}`}`;
  return new Error(mappingText(error, subject, commandLineMappings), { cause: error });
}
