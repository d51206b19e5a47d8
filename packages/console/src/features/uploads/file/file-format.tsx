import { Alert, Anchor, Select, Text } from "@mantine/core";
import { encodingNames, encodings, type Reading, type KnownReading } from "@gatehouse-parking/record-files";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import { useEffect, useState } from "react";
import { pluralize } from "../../../core/ui/format.js";
import { Panel } from "../../../core/ui/page.js";
import styles from "../uploads.module.css";
import type { Inspection, InspectRequest } from "./inspect-file.js";

const formatNames: Readonly<Record<Reading["format"], string>> = {
  csv: "A table of text (CSV)",
  ndjson: "JSON, one record in each line",
  json: "JSON, a list of records",
  xlsx: "A spreadsheet (.xlsx)",
};
const delimiterNames: Readonly<Record<string, string>> = {
  ",": "Comma",
  ";": "Semicolon",
  "\t": "Tab",
  "|": "Vertical bar",
};
const quoteNames: Readonly<Record<string, string>> = {
  '"': 'Double quotes "',
  "'": "Single quotes '",
  "": "None",
};
/** A few title lines may precede the header row. */
const headerLines = Array.from({ length: 10 }, (_, index) => index + 1);

interface Props {
  inspection: Inspection;
  overrides: KnownReading;
  /** All sheets of the spreadsheet. */
  sheets: readonly string[];
  isLocked: boolean;
  onChange: (overrides: KnownReading) => void;
}

/** How the file is parsed. Every detected option can be changed. */
export function FileFormatPanel({ inspection, overrides, sheets, isLocked, onChange }: Props) {
  const { reading, content } = inspection;
  const isOverruled = Object.values(overrides).some((part) => part !== undefined);
  return (
    <Panel
      title="2. How the file is read"
      description={`${formatNames[reading.format]}${reading.isCompressed ? ", compressed with gzip" : ""}. ${
        isOverruled ? "Some of this was chosen by you." : "All of this was recognized from the file."
      }`}
      actions={
        isOverruled ? (
          <Anchor component="button" type="button" size="sm" disabled={isLocked} onClick={() => onChange({})}>
            Recognize it again
          </Anchor>
        ) : null
      }
    >
      {"problem" in content ? (
        <Alert color="red" p="sm" mb="md" role="alert">
          {content.problem} If something below was recognized wrongly, choose what is right.
        </Alert>
      ) : null}
      <div className={styles.reading}>
        {choicesFor(reading, sheets).map(({ name, label, data }) => (
          <Select
            key={name}
            label={label}
            size="xs"
            allowDeselect={false}
            disabled={isLocked}
            data={data}
            value={String(reading[name])}
            // Also sent for the shown value, because an inspection with other options may be in progress.
            onOptionSubmit={(value) =>
              onChange({ ...overrides, [name]: name === "headerLine" ? Number(value) : value })
            }
          />
        ))}
      </div>
      {"columns" in content && reading.format !== "csv" && reading.format !== "xlsx" ? (
        <Text size="sm" mt="sm">
          The members of its records are treated like columns: {pluralize(content.samples.length, "name")}{" "}
          found.
        </Text>
      ) : null}
    </Panel>
  );
}

interface FormatChoice {
  name: "encoding" | "delimiter" | "quote" | "headerLine" | "sheet";
  label: string;
  data: { value: string; label: string }[];
}

function choicesFor(
  { format, delimiter, headerLine, sheet }: Reading,
  sheets: readonly string[],
): FormatChoice[] {
  const header: FormatChoice = {
    name: "headerLine",
    label: "The columns are named in",
    data: [...new Set([...headerLines, headerLine])].map((line) => ({
      value: String(line),
      label: `${format === "xlsx" ? "Row" : "Line"} ${line}`,
    })),
  };
  if (format === "xlsx") {
    const names = [...new Set([...sheets, sheet ?? ""])];
    return [
      { name: "sheet", label: "Sheet", data: names.map((name) => ({ value: name, label: name })) },
      header,
    ];
  }
  const encoding: FormatChoice = {
    name: "encoding",
    label: "Encoding of letters",
    data: encodings.map((value) => ({ value, label: encodingNames[value] })),
  };
  if (format !== "csv") return [encoding];
  const marks = Object.keys(delimiterNames).includes(delimiter)
    ? Object.entries(delimiterNames)
    : [...Object.entries(delimiterNames), [delimiter, delimiter]];
  return [
    encoding,
    {
      name: "delimiter",
      label: "Cells are separated by",
      data: marks.map(([value = "", label = ""]) => ({ value, label })),
    },
    {
      name: "quote",
      label: "Quotes around cells",
      data: Object.entries(quoteNames).map(([value, label]) => ({ value, label })),
    },
    header,
  ];
}

type Inspected = { inspection: Inspection } | { problem: string } | "reading";

/** Inspects a file again when an option changes. The last result stays until then. */
export function useFileInspection(
  file: File | null,
  overrides: KnownReading,
  resource: ImportResourceName,
  locations: readonly Location[] | undefined,
): Inspected {
  const [inspected, setInspected] = useState<Inspected>("reading");
  useEffect(() => {
    if (file === null || locations === undefined) return undefined;
    const stopper = new AbortController();
    inspectInWorker({ file, overrides, resource, locations }, stopper.signal).then(
      (inspection) => setInspected({ inspection }),
      (error: unknown) => {
        if (!stopper.signal.aborted) setInspected({ problem: (error as Error).message });
      },
    );
    return () => stopper.abort();
  }, [file, overrides, resource, locations]);
  return inspected;
}

type Answer = { inspection: Inspection } | { problem: string };

/** Throws an Error that says why the file cannot be uploaded. */
function inspectInWorker(order: InspectRequest, signal: AbortSignal): Promise<Inspection> {
  const worker = new Worker(new URL("inspect-worker.ts", import.meta.url), { type: "module" });
  const answered = new Promise<Inspection>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      if ("inspection" in data) resolve(data.inspection);
      else reject(new Error(data.problem));
    });
    worker.addEventListener("error", () => reject(new Error("The program that reads files did not start.")));
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    // A worker has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(order);
  });
  return answered.finally(() => worker.terminate());
}
