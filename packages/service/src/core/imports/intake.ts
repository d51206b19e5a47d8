import type { FastifyReply, FastifyRequest } from "fastify";
import { untilAnswered } from "../operations/answer-lifetime.js";
import { jsonBytes } from "../operations/body.js";
import type { Metrics } from "../telemetry/metrics.js";
import { readText } from "../json/read-body.js";
import { noAttributes } from "../telemetry/tracer.js";
import { readEnvelope, refuseMalformed } from "./read/envelope.js";
import { importBatch, type ImportAnswer, type ImportRequest, type ImportService } from "./import-batch.js";
import { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";

/**
 * The way from a request to its outcomes, for the published endpoints and for uploads in the console. It bounds the
 * memory that bodies take, however many arrive.
 */
export interface Intake {
  /**
   * Says where the body of a request waits for the organization's turn. Before it is read: one that sends many large
   * batches at once waits with its bytes still on the wire, instead of filling the memory that the others need.
   */
  admit(organizationId: string, reply: FastifyReply): void;
  import(request: FastifyRequest, wanted: Wanted): Promise<ImportAnswer>;
  /** The same for a body that the service has made itself, of a file: it waits for its turn among all others. */
  importText(text: string, wanted: WantedOfText): Promise<ImportAnswer>;
}

export type Wanted = Pick<
  ImportRequest,
  "resource" | "organizationId" | "apiKeyId" | "validateOnly" | "rules" | "confirmation"
>;
export type WantedOfText = Wanted & Pick<ImportRequest, "requestId" | "companion">;

const waitingRoom = { maxWaiting: 1_000, maxWaitMs: 30_000 };
/**
 * Bodies of one organization, and of all, that are in memory, from their reception to their answer; small ones and large ones
 * each. A third of the places is for organizations that have none.
 */
const bodyPlaces = { perKey: 3, overall: 24, forNewcomers: 8, ...waitingRoom };
/** While it is worked on, a batch takes several times the memory of its body, so of large ones only few are. */
const heavyBodyBytes = 1024 * 1024;
const heavyBodyTurns = { perKey: 1, overall: 3, ...waitingRoom };

export function createIntake(service: ImportService, metrics: Metrics): Intake {
  const smallBodies = new KeyedSemaphore(bodyPlaces);
  const largeBodies = new KeyedSemaphore(bodyPlaces);
  const heavyBodies = new KeyedSemaphore(heavyBodyTurns);
  metrics.watchPlaces("small bodies", smallBodies);
  metrics.watchPlaces("large bodies", largeBodies);
  metrics.watchPlaces("heavy bodies", heavyBodies);
  metrics.watchPlaces("imports", service.turns);
  const stays = new WeakMap<FastifyRequest, Stay>();

  function work(takeBody: () => string, wanted: WantedOfText): Promise<ImportAnswer> {
    const { resource, validateOnly } = wanted;
    const attributes = { "gatehouse.resource": resource.name, "gatehouse.validate_only": validateOnly };
    return service.tracer.span("import", attributes, (span) =>
      refuseMalformed(async () => {
        const batch = await service.tracer.span("read envelope", noAttributes, () =>
          readEnvelope(takeBody(), resource),
        );
        span.set({ "gatehouse.records": batch.submitted });
        return importBatch(service, { ...wanted, batch });
      }),
    );
  }

  function count({ validateOnly, resource }: Wanted, { run }: ImportAnswer): void {
    if (validateOnly) return;
    metrics.recordOutcome(resource.name, "created", run.successCount);
    metrics.recordOutcome(resource.name, "skipped", run.skippedCount);
    metrics.recordOutcome(resource.name, "failed", run.failedCount);
  }

  return {
    admit(organizationId, reply) {
      const stay = new Stay(reply);
      stays.set(reply.request, stay);
      reply.request.bodyPlaces = {
        forSmall: () => stay.enter(smallBodies, organizationId),
        forLarge: () => stay.enter(largeBodies, organizationId),
      };
    },

    async import(request, wanted) {
      const isHeavy = jsonBytes(request).length > heavyBodyBytes;
      const stay = stays.get(request);
      const begin = () => work(() => takeText(request), { ...wanted, requestId: request.id });
      const answer = await holding(stay, () =>
        isHeavy ? heavyBodies.run(wanted.organizationId, begin, stay?.gone) : begin(),
      );
      if (!wanted.validateOnly) request.referenceUuid = answer.run.referenceUuid;
      count(wanted, answer);
      return answer;
    },

    async importText(text, wanted) {
      const { organizationId } = wanted;
      const begin = () => work(() => text, wanted);
      const isHeavy = text.length > heavyBodyBytes;
      const answer = await largeBodies.run(organizationId, () =>
        isHeavy ? heavyBodies.run(organizationId, begin) : begin(),
      );
      count(wanted, answer);
      return answer;
    },
  };
}

/**
 * The place of one body. It is given back when the request is answered or its client has gone, but never while it is being
 * worked on: what is in memory counts, whoever still waits for it.
 */
class Stay {
  /** Aborted when the request is answered, or its client has gone. */
  readonly gone: AbortSignal;
  #leave: (() => void) | undefined;
  #isAtWork = false;

  constructor(reply: FastifyReply) {
    this.gone = untilAnswered(reply);
    this.gone.addEventListener("abort", () => this.#giveBack(), { once: true });
  }

  async enter(places: KeyedSemaphore, organizationId: string): Promise<void> {
    this.#leave = await places.acquire(organizationId, this.gone);
    this.#giveBack();
  }

  beginWork(): void {
    this.#isAtWork = true;
  }

  endWork(): void {
    this.#isAtWork = false;
    this.#giveBack();
  }

  #giveBack(): void {
    if (this.gone.aborted && !this.#isAtWork) this.#leave?.();
  }
}

async function holding<T>(stay: Stay | undefined, work: () => Promise<T>): Promise<T> {
  stay?.beginWork();
  try {
    return await work();
  } finally {
    stay?.endWork();
  }
}

/** The bytes are let go as soon as they are read, or the whole body would be in memory twice until it is answered. */
function takeText(request: FastifyRequest): string {
  const text = readText(jsonBytes(request));
  request.body = undefined;
  return text;
}
