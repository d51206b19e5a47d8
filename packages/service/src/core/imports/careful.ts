import type { StoreParts } from "./attempts.js";
import { databaseTrouble } from "../database/sqlstate.js";
import { outcomeOf, unstored, type Outcome } from "./judge/decision.js";
import type { Submitted } from "./read/submitted.js";
import { Unencodable } from "./write/encode.js";

/** Whether an error belongs to one of the records, and not to the service or the way to its database. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Unencodable || databaseTrouble(error) === "refused";
}

export const allAtOnce: StoreParts = async (queue, _run, records, { judge, write, count }) => {
  const decisions = await judge(records);
  queue.add(...(await write(records, decisions)));
  count(records);
  return decisions.map(outcomeOf);
};

/**
 * Careful mode: halves the batch until the record that is refused stands alone: a logarithmic number of tries for each
 * such record. Every part is looked up and judged anew after the parts before it, so that it links only to what is really
 * there.
 */
export const halving: StoreParts = async (queue, run, records, { judge, write, count }) => {
  const outcomes: Outcome[] = [];

  async function storeHalves(part: readonly Submitted[]): Promise<void> {
    const judged = await judge(part);
    queue.add({ text: "savepoint part" });
    try {
      await queue.send(...(await write(part, judged)), { text: "release savepoint part" });
      count(part);
      outcomes.push(...judged.map(outcomeOf));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      queue.add({ text: "rollback to savepoint part" }, { text: "release savepoint part" });
      if (part.length === 1) {
        const problem = { err: error, position: part[0]?.position };
        const isOurs = error instanceof Unencodable;
        run.log.error(problem, isOurs ? "a record could not be encoded" : "the database refused a record");
        outcomes.push(unstored());
        return;
      }
      const middle = Math.ceil(part.length / 2);
      await storeHalves(part.slice(0, middle));
      await storeHalves(part.slice(middle));
    }
  }

  await storeHalves(records);
  return outcomes;
};
