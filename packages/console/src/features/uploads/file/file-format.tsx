import { Alert, Anchor, Progress, Select, Text } from "@mantine/core";
import { encodingNames, encodings, type Reading, type KnownReading } from "@gatehouse-parking/record-files";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import { useEffect, useState } from "react";

import { Panel } from "../../../core/ui/page.js";
import styles from "../uploads.module.css";
import type { Inspection, InspectRequest } from "./inspect-file.js";
import type { WorkerMessage } from "./inspect-worker.js";
import { texts } from "./texts.js";

const delimiterNames: Readonly<Record<string, string>> = {
  ",": texts.delimiters.comma,
  ";": texts.delimiters.semicolon,
  "\t": texts.delimiters.tab,
  "|": texts.delimiters.bar,
};
const quoteNames: Readonly<Record<string, string>> = {
  '"': texts.quotes.double,
  "'": texts.quotes.single,
  "": texts.quotes.none,
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
  const isOverridden = Object.values(overrides).some((part) => part !== undefined);
  return (
    <Panel
      title={texts.title}
      description={texts.description(texts.formats[reading.format], reading.isCompressed, isOverridden)}
      actions={
        isOverridden ? (
          <Anchor component="button" type="button" size="sm" disabled={isLocked} onClick={() => onChange({})}>
            {texts.detectAgain}
          </Anchor>
        ) : null
      }
    >
      {"problem" in content ? (
        <Alert color="red" p="sm" mb="md" role="alert">
          {content.problem} {texts.detectedWrongly}
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
              onChange({ ...overrides, [name]: numbers.has(name) ? Number(value) : value })
            }
          />
        ))}
      </div>
      {"columns" in content && reading.format !== "csv" && reading.format !== "xlsx" ? (
        <Text size="sm" mt="sm">
          {texts.members(content.samples.length)}
        </Text>
      ) : null}
    </Panel>
  );
}

/** How much of a file has been read; nothing for files that are read at once. */
export function ReadingProgress({ progress }: { progress: number | null }) {
  if (progress === null) return null;
  const percent = Math.floor(progress * 100);
  return (
    <div>
      <Progress value={percent} animated aria-label={texts.percentRead(percent)} />
      <Text size="sm">{texts.percentRead(percent)}</Text>
    </div>
  );
}

interface FormatChoice {
  name: "encoding" | "delimiter" | "quote" | "headerLine" | "headerRows" | "sheet";
  label: string;
  data: { value: string; label: string }[];
}

const numbers: ReadonlySet<FormatChoice["name"]> = new Set(["headerLine", "headerRows"]);

function choicesFor(
  { format, delimiter, headerLine, sheet }: Reading,
  sheets: readonly string[],
): FormatChoice[] {
  const header: FormatChoice = {
    name: "headerLine",
    label: texts.headerRow,
    data: [...new Set([...headerLines, headerLine])].map((line) => ({
      value: String(line),
      label: format === "xlsx" ? texts.row(line) : texts.line(line),
    })),
  };
  const rows: FormatChoice = {
    name: "headerRows",
    label: texts.headerRows,
    data: texts.headerRowCounts.map((label, count) => ({ value: String(count), label })),
  };
  if (format === "xlsx") {
    const names = [...new Set([...sheets, sheet ?? ""])];
    return [
      { name: "sheet", label: texts.sheet, data: names.map((name) => ({ value: name, label: name })) },
      header,
      rows,
    ];
  }
  const encoding: FormatChoice = {
    name: "encoding",
    label: texts.encoding,
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
      label: texts.delimiter,
      data: marks.map(([value = "", label = ""]) => ({ value, label })),
    },
    {
      name: "quote",
      label: texts.quote,
      data: Object.entries(quoteNames).map(([value, label]) => ({ value, label })),
    },
    header,
    rows,
  ];
}

type Inspected = { inspection: Inspection } | { problem: string } | "reading";

/** Inspects a file again when an option changes. The last result stays until then. `progress` is null when it is done. */
export function useFileInspection(
  file: File | null,
  overrides: KnownReading,
  resource: ImportResourceName,
  locations: readonly Location[] | undefined,
): { inspected: Inspected; progress: number | null } {
  const [inspected, setInspected] = useState<Inspected>("reading");
  const [progress, setProgress] = useState<number | null>(null);
  useEffect(() => {
    if (file === null || locations === undefined) return undefined;
    const stopper = new AbortController();
    inspectInWorker({ file, overrides, resource, locations }, stopper.signal, setProgress).then(
      (inspection) => setInspected({ inspection }),
      (error: unknown) => {
        if (!stopper.signal.aborted) setInspected({ problem: (error as Error).message });
      },
    );
    return () => {
      stopper.abort();
      setProgress(null);
    };
  }, [file, overrides, resource, locations]);
  return { inspected, progress };
}

/** Throws an Error that says why the file cannot be uploaded. */
function inspectInWorker(
  order: InspectRequest,
  signal: AbortSignal,
  onProgress: (done: number | null) => void,
): Promise<Inspection> {
  const worker = new Worker(new URL("inspect-worker.ts", import.meta.url), { type: "module" });
  const answered = new Promise<Inspection>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
      if ("progress" in data) return onProgress(data.progress);
      onProgress(null);
      if ("inspection" in data) resolve(data.inspection);
      else reject(new Error(data.problem));
    });
    worker.addEventListener("error", () => reject(new Error(texts.readerFailed)));
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    // A worker has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(order);
  });
  return answered.finally(() => worker.terminate());
}
