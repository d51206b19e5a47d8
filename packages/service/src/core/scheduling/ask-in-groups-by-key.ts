import { Refused } from "../refusals/refused.js";
import { askInGroups, type GroupOptions } from "./ask-in-groups.js";

/** Questions of one key beyond this many, asked or waiting, are refused as overload. */
const maxOfKey = 500;

interface Desk<Question, Answer> {
  ask: (question: Question) => Promise<Answer>;
  questions: number;
}

/**
 * Questions that arrive together are asked together, those of each key apart: nobody waits for another's answer or meets
 * another's failure, and however much one key asks, it asks one group at a time.
 */
export function askInGroupsByKey<Question, Answer>(
  keyOf: (question: Question) => string,
  askAll: (questions: Question[]) => Promise<Answer[]>,
  options: GroupOptions<Question> = {},
): (question: Question) => Promise<Answer> {
  const desks = new Map<string, Desk<Question, Answer>>();

  return async (question) => {
    const key = keyOf(question);
    const desk = desks.get(key) ?? { ask: askInGroups(askAll, options), questions: 0 };
    if (desk.questions === maxOfKey) throw new Refused("overloaded");
    desks.set(key, desk);
    desk.questions += 1;
    try {
      return await desk.ask(question);
    } finally {
      desk.questions -= 1;
      if (desk.questions === 0) desks.delete(key);
    }
  };
}
