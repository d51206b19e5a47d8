/**
 * Where the random choices of a test begin. The test command makes the same ones every time, so that it passes every
 * time or never; the long form (RIGS=long) makes new ones; RIG_SEED=number repeats those of a failure, which prints it.
 */
export const isLong = process.env["RIGS"] === "long";

const fixedSeed = 20_261_115;
const largestSeed = 2 ** 31;

export function newSeed(): number {
  const given = process.env["RIG_SEED"];
  if (given !== undefined) return Number(given);
  return isLong ? Math.floor(Math.random() * largestSeed) : fixedSeed;
}
