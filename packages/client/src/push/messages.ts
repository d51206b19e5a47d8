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
  rowMessages,
  shownName,
  unknownText,
  type FileRefusals,
  type MappingRefusals,
  type Messages,
  type ReadingFacts,
  type RowMessages,
} from "@gatehouse-parking/record-files";
import {
  CertificateError,
  ConnectionError,
  GatehouseError,
  PlainServerError,
  RateLimitedError,
  ServerError,
  SetupError,
} from "../errors.js";

/**
 * Messages of the command line: the console's messages, except where they name options or the mapping file.
 */
const commandLineFiles: Messages<FileRefusals> = {
  ...fileMessages,
  otherDelimiter: ({ header, delimiter }) =>
    `the header has only one column, ${shownName(header)}; if the separator is ${delimiterText(delimiter)}, add --delimiter ${delimiter === "\t" ? "tab" : `"${delimiter}"`}`,
  notUtf8: `${messageOf(fileMessages, { code: "notUtf8", data: {} })}, or set its encoding with --encoding`,
  notInEncoding: (data) =>
    `${messageOf(fileMessages, { code: "notInEncoding", data })} Set it with --encoding`,
  mixedEncodings:
    "the file contains both UTF-8 and Windows-1252 text; it may consist of two joined files. Push them separately, or set the encoding with --encoding",
  unknownColumns: (unknown) =>
    `${unknownText(unknown)}. Rename the columns, map them in the mapping file (--suggest-mapping creates one), or add --ignore-unknown-columns`,
};

const maxShownIds = 10;

const commandLineMappings: Messages<MappingRefusals> = {
  ...mappingMessages,
  openQuestions: ({ ids }) =>
    `${ids.length === 1 ? "a question is" : `${ids.length} questions are`} open: ${ids.slice(0, maxShownIds).join(", ")}${ids.length > maxShownIds ? " and others" : ""}. Answer with --answers FILE, or confirm the assumptions with --confirm-assumptions; --dry-run lists them`,
  locationsNotKnown: '"location" needs the locations of the organization: add --url and the key',
};

export const commandLineRows: RowMessages = {
  ...rowMessages,
  advice: {
    ...rowMessages.advice,
    unknownMembers: "rename the members, map them in the mapping file, or add --ignore-unknown-columns",
    undeclaredTime: ({ patterns }) =>
      `${ifWritten(patterns)}, add --time-format "${patterns[0]}", or set "time" in the mapping file`,
    zoneless: 'add --time-zone, or set "timeZone" in the mapping file',
  },
};

export const commandLineReading: Messages<ReadingFacts> = {
  ...readingMessages,
  headerless: (data) =>
    `${messageOf(readingMessages, { code: "headerless", data })} (use --header-rows 1 if it names the columns)`,
  twoHeaderRows: (data) =>
    `${messageOf(readingMessages, { code: "twoHeaderRows", data })} (use --header-rows 1 if it has one)`,
  sheet: ({ name, count }) =>
    `the sheet "${name}"${count > 1 ? ` of ${count} (use --sheet for a different one)` : ""}`,
  encoding: (data) =>
    `${messageOf(readingMessages, { code: "encoding", data })}${data.encoding === "windows-1252" ? " (use --encoding for a different one)" : ""}`,
};

/** Adds the file name and the command line's message to an error of the input. */
export function describeInputError(error: unknown, name: string): unknown {
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

/** Whether the same command may succeed later: the service was unreachable, failing or busy. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof SetupError) return false;
  return (
    error instanceof ConnectionError ||
    error instanceof ServerError ||
    error instanceof RateLimitedError ||
    (error instanceof GatehouseError && error.status === 408)
  );
}

/** The problem and the next step. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = error instanceof GatehouseError ? [...error.details] : [];
  if (error instanceof CertificateError) details.push(certificateAdvice(error));
  if (error instanceof PlainServerError)
    details.push("The port uses plain HTTP; use the HTTPS port in --url");
  return [error.message, ...details.filter((detail) => !error.message.includes(detail))].join("\n  ");
}

function certificateAdvice({ code }: CertificateError): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return "Renew the certificate of the service, or correct the clock of this machine";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "Use a host name in --url that the certificate covers";
    default:
      return "If the certificate is from a private authority, add --ca FILE with the authority's certificate, or set NODE_EXTRA_CA_CERTS";
  }
}
