import client from "@platformatic/prom-client";

export interface ImportMetrics {
  recordOutcome(resource: string, outcome: string, count: number): void;
  /** A run was answered as failed although its commit was sent, and nobody could say whether it arrived. */
  recordUnknownEnd(): void;
}

export function importMetrics(registry: client.Registry): ImportMetrics {
  const records = new client.Counter({
    name: "gatehouse_records_total",
    help: "Imported records by resource and outcome",
    labelNames: ["resource", "outcome"],
    registers: [registry],
  });
  const unknownEnds = new client.Counter({
    name: "gatehouse_runs_unknown_end_total",
    help: "Runs answered as failed whose commit was sent and may have arrived",
    registers: [registry],
  });
  return {
    recordOutcome: (resource, outcome, count) => {
      if (count > 0) records.inc({ resource, outcome }, count);
    },
    recordUnknownEnd: () => unknownEnds.inc(),
  };
}
