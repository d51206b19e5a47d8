import { noTracer, type Tracer } from "../telemetry/tracer.js";

/**
 * Questions that arrive together are asked together, in one round trip. While an answer is on its way, the next
 * questions gather; so a quiet service asks at once, and a busy one asks seldom and much, as in a group commit.
 */
const manyQuestions = 100;

export interface GroupOptions<Question> {
  /** How many questions are asked together at most. */
  maxGroup?: number;
  /** How much a question weighs, and what those of a group may weigh together; one that weighs more goes alone. */
  weight?: { of: (question: Question) => number; max: number };
  tracer?: Tracer;
}

interface Waiting<Question, Answer> {
  question: Question;
  /** In the trace of whoever asked. */
  askAll: (questions: Question[]) => Promise<Answer[]>;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** `askAll` answers in the order of the questions. If it fails, it fails for all of them. */
export function askInGroups<Question, Answer>(
  askAll: (questions: Question[]) => Promise<Answer[]>,
  { maxGroup = manyQuestions, weight, tracer = noTracer }: GroupOptions<Question> = {},
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAsking = false;

  function takeGroup(): Waiting<Question, Answer>[] {
    let size = Math.min(waiting.length, maxGroup);
    if (weight) {
      let weighs = 0;
      const tooHeavy = waiting.findIndex(({ question }) => (weighs += weight.of(question)) > weight.max);
      if (tooHeavy !== -1) size = Math.min(size, Math.max(1, tooHeavy));
    }
    return waiting.splice(0, size);
  }

  async function askUntilNobodyWaits(): Promise<void> {
    while (waiting.length > 0) {
      // After everything that has arrived in this turn of the event loop.
      await new Promise(setImmediate);
      const asked = takeGroup();
      try {
        // What they share is seen in the trace of the first of them.
        const [first] = asked as [Waiting<Question, Answer>];
        const answers = await first.askAll(asked.map(({ question }) => question));
        for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    isAsking = false;
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, askAll: tracer.bind(askAll), resolve, reject });
      if (isAsking) return;
      isAsking = true;
      void askUntilNobodyWaits();
    });
}
