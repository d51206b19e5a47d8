import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type pg from "pg";
import { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";

type SerializerFactory = ReturnType<typeof SerializerSelector>;
type Serializer = ReturnType<ReturnType<SerializerFactory>>;

const compilerFor = SerializerSelector();
/** Serializers by schema and referenced schemas. The code declares a fixed number of them. */
const serializers = new Map<string, Serializer>();

/**
 * Creates Fastify's serializers. Most answers share a few schemas, above all the error envelope, so each is compiled
 * once instead of for every route and status.
 */
export const buildSerializer: SerializerFactory = (schemas, options) => {
  const compile = compilerFor(schemas, options);
  const surroundings = JSON.stringify(schemas);
  return (answer) => {
    const shape = `${JSON.stringify(answer.schema)} in ${surroundings}`;
    const serializer = serializers.get(shape) ?? compile(answer);
    serializers.set(shape, serializer);
    return serializer;
  };
};

/** Limits the API's concurrent reads. One organization leaves half of the connections to the others. */
export class Reads extends KeyedSemaphore {
  readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    const overall = pool.options.max;
    super({ perKey: Math.max(1, Math.floor(overall / 2)), overall, maxWaiting: 1_000, maxWaitMs: 5_000 });
    this.pool = pool;
  }
}
