/**
 * The maximum that PostgreSQL can take in: COPY of the same rows in the same binary form, in committed batches of 500, on
 * one connection, into tables with the same columns and either all indexes of the service or only the key indexes
 * (organization and id, organization and natural key), which are needed to recognize stored records.
 */
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { copyInto } from "../../packages/service/dist/core/database/copy-rows.js";
import { PipelineQueue } from "../../packages/service/dist/core/database/pipeline-queue.js";
import { storedEntities } from "../../packages/service/dist/core/entities/entities.js";
import { columnsOfTable } from "../../packages/service/dist/core/imports/write/encode.js";

/** @type {[table: string, columns: string[]][]} */
const tables = storedEntities.map((stored) => [stored.table, columnsOfTable(stored)]);

/**
 * @typedef {import("./batches.js").ImportAnswer} ImportAnswer
 * @typedef {[table: string, columns: string[], rows: any]} TableRows
 */

/**
 * @param {string} connectionString
 * @param {{ onlyKeys?: boolean }} [options]
 */
export async function openCopyReference(connectionString, { onlyKeys = false } = {}) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("create schema reference");
  for (const [table] of tables) {
    await client.query(`create table reference.${table} (like public.${table} including all)`);
  }
  if (onlyKeys) await dropOtherIndexes(client);
  return {
    /**
     * Reads the rows of these runs for loading.
     * @param {ImportAnswer[]} runs
     */
    async read(runs) {
      const batches = [];
      for (const run of runs) batches.push(await readRows(client, run));
      return { batches, records: runs.reduce((sum, run) => sum + run.totalSubmitted, 0) };
    },
    /**
     * Copies the rows that were read and returns records per second.
     * @param {{ batches: TableRows[][], records: number }} read
     */
    async load({ batches, records }) {
      const begun = performance.now();
      for (const batch of batches) {
        const queue = new PipelineQueue(client);
        queue.add({ text: "begin" });
        for (const [table, columns, rows] of batch)
          if (rows.count > 0) queue.add(copyInto(`reference.${table}`, columns, rows));
        await queue.send({ text: "commit" });
      }
      return (records / (performance.now() - begun)) * 1000;
    },
    close: () => client.end(),
  };
}

/** @param {pg.Client} client */
async function dropOtherIndexes(client) {
  const { rows } = await client.query(
    `select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = 'reference'::regnamespace and not indisunique`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
}

/**
 * @param {pg.Client} client
 * @param {ImportAnswer} run
 */
async function readRows(client, { referenceUuid }) {
  /** @type {TableRows[]} */
  const rows = [];
  for (const [table, columns] of tables) {
    const stream = client.query(
      copyTo(
        `copy (select ${columns.join(", ")} from ${table} where import_run_id = '${referenceUuid}' order by id)
         to stdout (format binary)`,
      ),
    );
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    rows.push([table, columns, asTheyCame(Buffer.concat(chunks), stream.rowCount)]);
  }
  return rows;
}

const messageBytes = 65_536;
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/**
 * Decodes the output of COPY.
 * @param {Buffer} bytes
 * @param {number} count
 * @returns {any} as much of the rows of a COPY as their sender uses
 */
function asTheyCame(bytes, count) {
  /** @type {Buffer[]} */
  const messages = [];
  for (let at = 0; at < bytes.length; at += messageBytes) {
    const piece = bytes.subarray(at, at + messageBytes);
    const head = Buffer.from("d\0\0\0\0");
    head.writeUInt32BE(piece.length + 4, 1);
    messages.push(Buffer.concat([head, piece]));
  }
  return { format: "binary", count, messages: () => [...messages, copyDone] };
}
