// No regular expression of the project may take more than linear time, whatever it is given: one that goes back and
// tries again holds up every other request of the process.
import { check } from "recheck";
import { findExpressions, findPatterns } from "./find-expressions.js";
import { isMain, readTracked, report, trackedFiles } from "./repository.js";

/** An expression that cannot be judged within this time is too complicated, on however slow a machine. */
const timeoutMs = 600_000;
/** By default the library takes slow for vulnerable. Steps are counted instead, so that every machine judges alike. */
const withoutClock = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
/** The library judges in a process of its own; two questions at a time keep it busy. */
const questionsAtOnce = 2;
/** Counts up to this one are judged as they are written. */
const largestExactCount = 9;

/** One line for each expression that is vulnerable, with where it stands and what would make it slow. */
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
    return `${unknown} is not made of constants of the file, so nobody can judge it. Do without it`;
  // Tests apply theirs to a few lines that they have made themselves, so there only exponential time is wrong; and that
  // takes a repetition of a group. Elsewhere any repetition is looked at.
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

/** Also what tests share. */
function isTest(/** @type {string} */ file) {
  return /\.test\.[jt]s$|(?:^|\/)testing\/|^acceptance\//.test(file);
}

/** Every regular expression that the repository contains. */
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
  // The library's own process would wait for more questions.
  process.exit();
}
