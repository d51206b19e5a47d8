import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import type { ToldReading } from "@gatehouse-parking/record-files";
import { useEffect, useState } from "react";
import type { Inspection, InspectRequest } from "./inspect-file.js";

type Inspected = { inspection: Inspection } | { problem: string } | "reading";

/** Inspects a file again when an option changes. The last result stays until then. */
export function useFileInspection(
  file: File | null,
  overrides: ToldReading,
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
