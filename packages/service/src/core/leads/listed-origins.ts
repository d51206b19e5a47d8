import type pg from "pg";

/**
 * Whether any organization lists an origin for leads. A preflight carries no key, so this is all that can be
 * checked. The lead request itself decides whether the key allows the origin. Concurrent lookups are batched,
 * so a flood of preflights costs a few statements per second.
 */
export interface ListedOrigins {
  isListed(origin: string): Promise<boolean>;
  /** The same from the cache alone. False may also mean that the origin is not cached. */
  isRemembered(origin: string): boolean;
  remember(origin: string): void;
}

const askIntervalMs = 250;
const maxOriginsAsked = 500;
const maxOriginLength = 300;
const maxRememberedOrigins = 10_000;
/** Longer than browsers cache a preflight, so that later answers carry the headers too. */
const rememberedMs = 15 * 60_000;

const findListed = `
  select asked.origin
  from unnest($1::text[]) as asked (origin)
  where exists (
    select from api_keys as key
    where key.lead_origins @> array[asked.origin] and key.revoked_at is null
      and (key.expires_at is null or key.expires_at > clock_timestamp())
  ) or exists (
    select from organizations as organization where organization.lead_origins @> array[asked.origin]
  )`;

interface Question {
  answer: Promise<boolean>;
  resolve(isListed: boolean): void;
  reject(error: unknown): void;
}

export function listedOrigins(pool: pg.Pool): ListedOrigins {
  const remembered = new Map<string, number>();
  let questions = new Map<string, Question>();
  let lastAskedMs = Number.NEGATIVE_INFINITY;

  function isRemembered(origin: string): boolean {
    return performance.now() < (remembered.get(origin) ?? 0);
  }

  function remember(origin: string): void {
    remembered.delete(origin);
    if (remembered.size >= maxRememberedOrigins) remembered.delete(remembered.keys().next().value as string);
    remembered.set(origin, performance.now() + rememberedMs);
  }

  async function ask(): Promise<void> {
    const asked = questions;
    questions = new Map();
    lastAskedMs = performance.now();
    try {
      const { rows } = await pool.query<{ origin: string }>({
        name: "find-listed-origins",
        text: findListed,
        values: [[...asked.keys()]],
      });
      for (const { origin } of rows) remember(origin);
      const listed = new Set(rows.map((row) => row.origin));
      for (const [origin, question] of asked) question.resolve(listed.has(origin));
    } catch (error) {
      for (const question of asked.values()) question.reject(error);
    }
  }

  return {
    isRemembered,
    remember,
    async isListed(origin) {
      if (origin.length > maxOriginLength || !/^https?:\/\/[^/?#@\s]+$/.test(origin)) return false;
      if (isRemembered(origin)) return true;
      const open = questions.get(origin);
      if (open) return open.answer;
      if (questions.size >= maxOriginsAsked) return false;
      // The first lookup starts the timer, and the others join its batch.
      if (questions.size === 0) setTimeout(ask, Math.max(0, lastAskedMs + askIntervalMs - performance.now()));
      const question = openQuestion();
      questions.set(origin, question);
      return question.answer;
    },
  };
}

function openQuestion(): Question {
  const question: Partial<Question> = {};
  question.answer = new Promise<boolean>((resolve, reject) => Object.assign(question, { resolve, reject }));
  return question as Question;
}
