import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import type { ToldReading } from "@gatehouse-parking/record-files";
import { useEffect, useState } from "react";
import { inspectInWorker } from "./in-worker.js";
import type { Inspection } from "./inspect.js";

export type Inspected = { inspection: Inspection } | { problem: string } | "reading";

/** Looks at a file anew whenever something else is said about it. What was seen before stays until then. */
export function useInspection(
  file: File | null,
  told: ToldReading,
  resource: ImportResourceName,
  locations: readonly Location[] | undefined,
): Inspected {
  const [inspected, setInspected] = useState<Inspected>("reading");
  useEffect(() => {
    if (file === null || locations === undefined) return undefined;
    const stopper = new AbortController();
    inspectInWorker({ file, told, resource, locations }, stopper.signal).then(
      (inspection) => setInspected({ inspection }),
      (error: unknown) => {
        if (!stopper.signal.aborted) setInspected({ problem: (error as Error).message });
      },
    );
    return () => stopper.abort();
  }, [file, told, resource, locations]);
  return inspected;
}
