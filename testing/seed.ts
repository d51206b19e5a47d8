/**
 * The seed for the random choices of a test. The test command uses a fixed seed, so that tests pass always or never; the
 * long form (RIGS=long) uses new seeds; RIG_SEED=number repeats a failure, which prints its seed.
 */
export const isLong = process.env["RIGS"] === "long";

const fixedSeed = 20_261_115;
const largestSeed = 2 ** 31;

export function newSeed(): number {
  const given = process.env["RIG_SEED"];
  if (given !== undefined) return Number(given);
  return isLong ? Math.floor(Math.random() * largestSeed) : fixedSeed;
}
