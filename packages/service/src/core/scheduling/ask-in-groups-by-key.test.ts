import { expect, test } from "vitest";
import { Refused } from "../refusals/refused.js";
import { askInGroupsByKey } from "./ask-in-groups-by-key.js";

/** Answers each key when told to, by what is known at that moment, and keeps what was asked. */
function asked(maxGroup = 100) {
  const groups: string[][] = [];
  const open = new Map<string, () => void>();
  const ask = askInGroupsByKey(
    (question: string) => question.slice(0, 1),
    async (questions) => {
      groups.push(questions);
      await new Promise<void>((resolve) => open.set((questions[0] as string).slice(0, 1), resolve));
      return questions.map((question) => `answer to ${question}`);
    },
    { maxGroup },
  );
  const answer = async (key: string) => {
    await expect.poll(() => open.has(key)).toBe(true);
    open.get(key)?.();
    open.delete(key);
  };
  return { ask, answer, groups };
}

test("questions of one key go together, and wait for no other key", async () => {
  const { ask, answer, groups } = asked();
  const slow = Promise.all([ask("a1"), ask("a2")]);
  const quick = ask("b1");
  await answer("b");
  expect(await quick).toBe("answer to b1");
  expect(groups).toEqual([["a1", "a2"], ["b1"]]);
  await answer("a");
  expect(await slow).toEqual(["answer to a1", "answer to a2"]);
});

test("nobody is answered by what was asked before he came", async () => {
  const { ask, answer, groups } = asked();
  const first = ask("a");
  await expect.poll(() => groups.length).toBe(1);
  const second = ask("a");
  await answer("a");
  await first;
  await answer("a");
  await second;
  expect(groups).toEqual([["a"], ["a"]]);
});

test("a group is as large as was said, and questions beyond 500 of one key are refused as overload", async () => {
  const { ask, answer, groups } = asked(400);
  const taken = Promise.all(Array.from({ length: 500 }, (_none, index) => ask(`a${index}`)));
  await expect(ask("a500")).rejects.toThrow(Refused);
  const other = ask("b");
  for (const key of ["a", "b", "a"]) await answer(key);
  expect(await other).toBe("answer to b");
  expect((await taken).at(-1)).toBe("answer to a499");
  expect(groups.map(({ length }) => length)).toEqual([400, 1, 100]);

  const again = ask("a500");
  await answer("a");
  expect(await again).toBe("answer to a500");
});
