/**
 * node bench/harness/read-file.js FORMAT FILE: reads and converts the file as uploads do; `bare` instead of a format only
 * parses JSON lines. Prints { rows, cpuMs, peakMegabytes }.
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { prepareRows, readTable, recognizeFile, toMapping } from "../../packages/record-files/dist/index.js";
import { mapping as content } from "./files.js";

const [format = "", file = ""] = process.argv.slice(2);
const rows = format === "bare" ? await parseLines() : await convertRows();
const { user, system } = process.cpuUsage();
const { maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ rows, cpuMs: (user + system) / 1000, peakMegabytes: maxRSS / 1024 }));

async function parseLines() {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (JSON.parse(line).Ticket === undefined) throw new Error("not a row");
    count += 1;
  }
  return count;
}

async function convertRows() {
  const mapping = toMapping(content);
  const { reading, chunks } = await recognizeFile(createReadStream(file), {});
  const table = await readTable(chunks, { ...reading, arrayName: "transactions" });
  const { timeZone } = content;
  const prepare = prepareRows(table.columns, "transactions", {
    ...{ mapping, timeZone, ignoreUnknownColumns: false, asksAboutTimes: true },
  });
  let count = 0;
  for await (const row of table.rows) {
    const { text, refusal } = prepare(row);
    if (text === undefined) throw new Error(`line ${row.line}: ${JSON.stringify(refusal)}`);
    count += 1;
  }
  return count;
}
