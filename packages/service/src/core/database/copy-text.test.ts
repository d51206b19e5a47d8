import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { copyInto } from "./copy-rows.js";
import { copyText, textRows } from "./copy-text.js";
import { PipelineQueue } from "./pipeline-queue.js";

const gatehouse = useApp();

/** Texts with lengths around the chunk size, with one to four bytes per character. */
const lengths = [0, 1, 20_000, 21_844, 21_845, 21_846, 65_534, 65_535, 65_536, 200_000];
const characters = ["a", "é", "€", "😀", "\\", "\t", "\n"];

test("lines of every size and alphabet arrive unchanged and in order", async () => {
  const texts = characters.flatMap((character) => lengths.map((length) => character.repeat(length)));
  const client = await gatehouse.database.work.connect();
  try {
    await client.query("create temp table texts (number integer, content text)");
    const lines = texts.map((text, number) => `${number}\t${copyText(text)}`);
    await new PipelineQueue(client).send(copyInto("texts", ["number", "content"], textRows(lines)));
    const { rows } = await client.query<{ content: string }>("select content from texts order by number");
    expect(rows).toHaveLength(texts.length);
    for (const [number, text] of texts.entries())
      expect(rows[number]?.content === text, `text ${number}`).toBe(true);
  } finally {
    client.release(true);
  }
});

test("a line of several megabytes uses no more memory than its bytes", () => {
  const line = "a".repeat(1_000_000);
  const [message] = [...textRows([line]).messages()] as [Buffer];
  expect(message.buffer.byteLength).toBe(5 + line.length + 1);
});

test("an error before all rows are sent is reported, and the connection can be used again", async () => {
  const client = await gatehouse.database.work.connect();
  try {
    await client.query("create temp table numbers (number integer)");
    const lines = ["no number", ...Array.from({ length: 200_000 }, (_, number) => String(number))];
    const copying = new PipelineQueue(client).send(copyInto("numbers", ["number"], textRows(lines)));
    await expect(copying).rejects.toMatchObject({ code: "22P02" });
    const { rows } = await client.query("select count(*)::integer as count from numbers");
    expect(rows).toEqual([{ count: 0 }]);
  } finally {
    client.release(true);
  }
});
