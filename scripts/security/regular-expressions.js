// No regular expression may take more than linear time on any input, because backtracking blocks all other
// requests of the process.
import { check } from "recheck";
import { findExpressions, findPatterns } from "./find-expressions.js";
import { isMain, readTracked, report, trackedFiles } from "./repository.js";

/** An expression that cannot be checked within this time is too complicated. */
const timeoutMs = 600_000;
/**
 * By default the library treats slow expressions as vulnerable. Counting steps instead gives the same result
 * on every machine.
 */
const withoutClock = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
/** The library checks in a separate process; two concurrent requests keep it busy. */
const questionsAtOnce = 2;
/** Repetition counts up to this one are checked exactly. */
const largestExactCount = 9;

/** One line per vulnerable expression, with its position and the cause. */
export async function judgeExpressions(/** @type {any[]} */ expressions) {
  const judged = new Map();
  /** @type {string[]} */
  const problems = [];
  const waiting = [...expressions];
  await Promise.all(
    Array.from({ length: questionsAtOnce }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const key = JSON.stringify([next.source, next.flags, isTest(next.file)]);
        if (!judged.has(key)) judged.set(key, judge(next));
        const problem = await judged.get(key);
        if (problem) problems.push(`${next.file}:${next.line} ${problem}`);
      }
    }),
  );
  return problems.toSorted();
}

async function judge(
  /** @type {{ file: string, source: any, flags: any, unknown: any }} */ { file, source, flags, unknown },
) {
  if (unknown !== undefined)
    return `${unknown} does not consist of constants of the file, so it cannot be checked. Rewrite it`;
  // Tests apply expressions only to a few lines of test data, so only exponential time matters there, which needs
  // a repeated group. Elsewhere every repetition is checked.
  const isSuspicious = isTest(file) ? /\)[*+{]/ : /[*+{?]/;
  if (!isSuspicious.test(source)) return undefined;
  const judgement = await check(withoutLargeCounts(source), flags, { timeout: timeoutMs, ...withoutClock });
  const shown = `/${source}/${flags}`;
  if (judgement.status === "safe") return undefined;
  if (judgement.status === "unknown")
    return `${shown} could not be judged (${judgement.error.kind}). Make it simpler`;
  if (isTest(file) && judgement.complexity.type === "polynomial") return undefined;
  return `${shown} takes ${judgement.complexity.summary} time, for instance on ${judgement.attack.pattern}`;
}

/**
 * The same expression with `+` and `*` in the place of large counts. Large counts have too many states for a proof, and
 * the library would try out texts against the clock instead, which calls fast expressions slow on a busy machine.
 * An expression that is linear without a bound is linear with one.
 */
function withoutLargeCounts(/** @type {string} */ source) {
  return source.replaceAll(
    /\\.|\{(\d{1,5})(,?)(\d{0,5})\}/g,
    (
      /** @type {string} */ token,
      /** @type {string} */ least,
      /** @type {string} */ comma,
      /** @type {string} */ most,
    ) => {
      const largest = comma === "" ? least : most;
      if (least === undefined || (largest !== "" && Number(largest) <= largestExactCount)) return token;
      return least === "0" ? "*" : "+";
    },
  );
}

/** Includes test helpers. */
function isTest(/** @type {string} */ file) {
  return /\.test\.[jt]s$|(?:^|\/)testing\/|^acceptance\//.test(file);
}

/** Every regular expression in the repository. */
export function expressionsOfProject() {
  const sources = trackedFiles().filter((file) => /\.[cm]?[jt]sx?$/.test(file));
  return [
    ...sources.flatMap((file) => findExpressions(file, readTracked(file).toString("utf8"))),
    ...findPatterns("openapi.json", JSON.parse(readTracked("openapi.json").toString("utf8"))),
  ];
}

if (isMain(import.meta.url)) {
  const expressions = expressionsOfProject();
  report(
    await judgeExpressions(expressions),
    `${expressions.length} regular expressions, none of them slow on any text`,
  );
  // The library's process would wait for more requests.
  process.exit();
}
