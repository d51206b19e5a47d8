import client from "@platformatic/prom-client";

export interface ImportMetrics {
  recordOutcome(resource: string, outcome: string, count: number): void;
  /** A run was answered as failed although its commit was sent, and nobody could say whether it arrived. */
  recordUnknownEnd(): void;
  /** How many there were since the start of the process. */
  unknownEnds(): number;
  /** A run that failed as a whole will not be found in the history. */
  recordForgottenRun(): void;
  /** Shows how many of the places that imports wait for are taken, and how many wait for one. */
  watchPlaces(what: string, places: Places): void;
}

export interface Places {
  readonly taken: number;
  readonly waiting: number;
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
  let unknownEndCount = 0;
  const watched = new Map<string, Places>();
  new client.Gauge({
    name: "gatehouse_import_places",
    help: "Places that imports wait for, by what they are for and state",
    labelNames: ["places", "state"],
    registers: [registry],
    collect() {
      for (const [what, { taken, waiting }] of watched) {
        this.set({ places: what, state: "taken" }, taken);
        this.set({ places: what, state: "waiting" }, waiting);
      }
    },
  });
  const forgotten = new client.Counter({
    name: "gatehouse_failed_runs_not_recorded_total",
    help: "Runs that failed as a whole and were not recorded, because the database refused them or was away too long",
    registers: [registry],
  });
  return {
    watchPlaces: (what, places) => void watched.set(what, places),
    recordOutcome: (resource, outcome, count) => {
      if (count > 0) records.inc({ resource, outcome }, count);
    },
    recordUnknownEnd: () => {
      unknownEndCount += 1;
      unknownEnds.inc();
    },
    unknownEnds: () => unknownEndCount,
    recordForgottenRun: () => forgotten.inc(),
  };
}
