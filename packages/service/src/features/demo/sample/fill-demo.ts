import { defaultSettings, importResources, permissions, type ImportRun } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Actor } from "../../../core/audit/audit.js";
import { nowMs } from "../../../core/clock.js";
import { importBatch, type ImportService } from "../../../core/imports/import-batch.js";
import { readEnvelope } from "../../../core/imports/read/envelope.js";
import { resources, type ResourceDefinition } from "../../../core/imports/resources.js";
import { listLocations } from "../../../core/locations/list-locations.js";
import type { Log } from "../../../core/logger.js";
import { createApiKey } from "../../../core/organizations/api-keys.js";
import type { ImportObserver } from "../../../core/imports/observe.js";
import { KeyedSemaphore } from "../../../core/scheduling/keyed-semaphore.js";
import { noTracer } from "../../../core/telemetry/tracer.js";
import { undoRun } from "../../undo/undo-run.js";
import { importKeyName } from "../demo.js";
import { SeededRandom, idMadeAt } from "./seeded-random.js";
import { planHistory, type SampleBatch } from "./sample-history.js";
import { storeSampleLeads } from "./sample-leads.js";
import { planRequests, writeRequests, type SampleRequest } from "./sample-requests.js";
import { storeUpload } from "./sample-upload.js";

const formsKeyName = "Website forms";
const person = "operator@gatehouse.example";
const seed = 20_260_401;
const undoDays = 30;
const maxLocations = 10;

export interface SampleDataInput {
  organizationId: string;
  importKeyId?: string;
  actor: Actor;
  observers: readonly ImportObserver[];
}

/** Fills the demo organization with a month of sample data. Batches take the normal import path, with earlier times. */
export async function fillDemo(
  pool: pg.Pool,
  { organizationId, actor, observers, ...given }: SampleDataInput,
): Promise<void> {
  const page = { page: 1, pageSize: maxLocations };
  const { data: places } = await listLocations(pool, { organizationId, query: undefined, page });
  if (places.length === 0) return;
  const now = nowMs();
  const chance = new SeededRandom(seed);
  const importKeyId =
    given.importKeyId ?? (await findOrCreateKey(pool, { organizationId, name: importKeyName, actor }));
  const formsKeyId = await findOrCreateKey(pool, { organizationId, name: formsKeyName, actor });
  const [sent, leads] = await Promise.all([
    sendHistory(pool, { organizationId, importKeyId, actor, observers }, planHistory(chance, places, now)),
    storeSampleLeads(pool, new SeededRandom(seed + 1), { organizationId, apiKeyId: formsKeyId, places, now }),
  ]);
  await writeRequests(pool, organizationId, [
    ...sent,
    ...leads,
    ...planRequests(chance, { importKeyId, formsKeyId, now }),
  ]);
}

async function sendHistory(
  pool: pg.Pool,
  { organizationId, importKeyId, actor, observers }: Required<SampleDataInput>,
  batches: readonly SampleBatch[],
): Promise<SampleRequest[]> {
  const requests: SampleRequest[] = [];
  for (const batch of batches) {
    const { at, isUpload, isUndone, records } = batch;
    const apiKeyId = isUpload ? undefined : importKeyId;
    const { run, request } = await send(serviceOf(pool, observers), { organizationId, apiKeyId }, batch);
    if (request) requests.push(request);
    if (isUpload) await storeUpload(pool, { organizationId, at, by: person, run, records });
    const undoing = { organizationId, runId: run.referenceUuid, version: undefined, undoDays, actor };
    if (isUndone) await undoRun(pool, undoing);
  }
  return requests;
}

/** Finds the active key of this name, or creates one. */
async function findOrCreateKey(
  pool: pg.Pool,
  { organizationId, name, actor }: { organizationId: string; name: string; actor: Actor },
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from api_keys where organization_id = $1 and name = $2 and revoked_at is null
       and (expires_at is null or expires_at > now()) order by id limit 1`,
    [organizationId, name],
  );
  if (rows[0]) return rows[0].id;
  const { uuid } = await createApiKey(pool, {
    organizationId,
    name,
    actor,
    permissions: name === formsKeyName ? ["leads:write"] : permissions,
  });
  return uuid;
}

async function send(
  service: ImportService,
  { organizationId, apiKeyId }: { organizationId: string; apiKeyId: string | undefined },
  { at, resource: name, records, metadata }: SampleBatch,
): Promise<{ run: ImportRun; request: SampleRequest | undefined }> {
  const resource = resources.find((one) => one.name === name) as ResourceDefinition;
  const text = JSON.stringify({ [name]: records, metadata });
  const requestId = idMadeAt(at);
  const { run, fatal, error } = await importBatch(service, {
    resource,
    organizationId,
    apiKeyId,
    requestId,
    validateOnly: false,
    rules: sampleRules,
    findRecords: () => readEnvelope(text, resource),
    backdated: { runId: idMadeAt(at), startedAt: new Date(at) },
  });
  if (fatal) throw new Error("The sample data could not be imported", { cause: error });
  if (apiKeyId === undefined) return { run, request: undefined };
  const { importOperation: operation } = importResources[name];
  return {
    run,
    request: {
      at,
      apiKeyId,
      operation,
      status: 200,
      reason: null,
      runId: run.referenceUuid,
      requestId,
      bodyBytes: Buffer.byteLength(text),
      durationMs: run.durationMs + 1,
    },
  };
}

const quiet: Log = { error: () => undefined, warn: () => undefined, child: () => quiet };

const sampleRules = { ...defaultSettings, quotas: {} };

/** A batch that fails as a whole is not recorded, so it ends the process of filling. */
function serviceOf(pool: pg.Pool, observers: readonly ImportObserver[]): ImportService {
  return {
    pool,
    semaphore: new KeyedSemaphore({ perKey: 1, overall: 1, maxWaiting: 1, maxWaitMs: 1_000 }),
    failedRuns: { record: async () => undefined, close: async () => undefined },
    metrics: { recordOutcome: () => undefined, recordUnknownCommit: () => undefined },
    commitCheckTimeoutMs: 5_000,
    maxLockWaitMs: 5_000,
    observers,
    log: quiet,
    tracer: noTracer,
  };
}
