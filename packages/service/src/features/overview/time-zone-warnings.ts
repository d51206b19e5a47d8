import type pg from "pg";
import type { ClockWarnings } from "@gatehouse-parking/contract/console";
import { nowMs } from "../../core/clock.js";
import { noKey } from "./time-zone-counts.js";
import { formatOffset } from "../../core/locations/time-zones.js";
import { findKeys, type ShownKeys } from "../../core/organizations/api-keys.js";

/**
 * Finds keys and locations whose times look like local times that were sent as UTC. There are two signs:
 *
 * - future: east of UTC, such a time is ahead of the true one by the offset of the zone. A sale cannot happen after it was
 *   reported, so many records that are dated after their arrival, but by at most the offset, indicate the error. Reservations are
 *   not counted, because some partners date them by the arrival.
 * - shifted: west of UTC (and far east), such times move the day: in local time, the morning rush falls into the night. The hours
 *   from 1 to 5 are then busy as stored, but empty if the time is read as a local time. A location that is busy all night is busy in
 *   both readings and gets no warning.
 *
 * Each key is evaluated separately at each location. The newest days with enough transactions count, so the warning ends soon after
 * a partner has corrected the error.
 */
const lookBackDays = 30;
const enoughTransactions = 2_000;

const minFutureRecords = 10;
const minFutureShare = 0.2;

const minShiftedSample = 200;
const minShiftedDays = 5;
/** With a smaller offset, the nights of both readings overlap too much. */
const minShiftHours = 3;
/** At an ordinary garage, at most 2 % of the sales fall into these four hours. */
const maxNightShareWritten = 0.02;
const minNightShareStored = 0.1;

const maxWarnings = 50;
const dayMs = 86_400_000;

const newestExamples = (column: string) =>
  `(array_agg(${column}::text order by day desc) filter (where cardinality(${column}) > 0))[1]::uuid[]`;

/** $1 organization, $2 since when. The days of a key and location until there are enough transactions. */
const readCounts = `
  select signs.*, location.name, location.time_zone
  from (
    select api_key_id, location_id, sum(sampled)::int8 as sampled, sum(future)::int8 as future,
           sum(stored_nights)::int8 as stored_nights, sum(written_nights)::int8 as written_nights,
           max(last_day) - min(first_day) + 1 as days,
           (array_agg(offset_seconds order by day desc))[1] as offset_seconds,
           ${newestExamples("future_examples")} as future_examples,
           ${newestExamples("night_examples")} as night_examples
    from (
      select clock_signs.*,
             sum(sampled) over (partition by api_key_id, location_id order by day desc) - sampled as newer
      from clock_signs where organization_id = $1 and day >= $2
    ) as recent
    where newer < ${enoughTransactions}
    group by api_key_id, location_id
  ) as signs
  join locations as location on location.organization_id = $1 and location.id = signs.location_id
  where (signs.future >= ${minFutureRecords} and signs.future >= ${minFutureShare} * signs.sampled)
     or (signs.sampled >= ${minShiftedSample} and signs.days >= ${minShiftedDays}
         and abs(signs.offset_seconds) >= ${minShiftHours * 3600}
         and signs.stored_nights >= ${minNightShareStored} * signs.sampled
         and signs.written_nights <= ${maxNightShareWritten} * signs.sampled)
  order by location.name, location.id, signs.api_key_id
  limit ${maxWarnings}`;

interface CountsRow {
  api_key_id: string;
  location_id: string;
  name: string;
  time_zone: string;
  sampled: number;
  future: number;
  stored_nights: number;
  written_nights: number;
  offset_seconds: number;
  future_examples: string[] | null;
  night_examples: string[] | null;
}

type Warning = ClockWarnings["data"][number];

export async function readTimeZoneWarnings(pool: pg.Pool, organizationId: string): Promise<ClockWarnings> {
  const since = new Date(nowMs() - lookBackDays * dayMs).toISOString().slice(0, 10);
  const { rows } = await pool.query<CountsRow>(readCounts, [organizationId, since]);
  if (rows.length === 0) return { data: [] };
  const examples = await readExamples(pool, organizationId, rows.flatMap(exampleIds));
  const keys = await findKeys(
    pool,
    organizationId,
    rows.map((row) => row.api_key_id),
  );
  return { data: rows.map((row) => toWarning(row, keys, examples)) };
}

function signOf(row: CountsRow): Warning["sign"] {
  const isFuture = row.future >= minFutureRecords && row.future >= minFutureShare * row.sampled;
  return isFuture ? "future" : "shifted";
}

function exampleIds(row: CountsRow): string[] {
  return (signOf(row) === "future" ? row.future_examples : row.night_examples) ?? [];
}

type Example = Warning["examples"][number];

async function readExamples(
  pool: pg.Pool,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Example>> {
  const { rows } = await pool.query<{
    id: string;
    transaction_id: string;
    transaction_date: Date;
    created_at: Date;
  }>(
    `select id, transaction_id, transaction_date, created_at from transactions
     where organization_id = $1 and id = any ($2::uuid[])`,
    [organizationId, ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        uuid: row.id,
        transactionId: row.transaction_id,
        transactionDate: row.transaction_date.toISOString(),
        receivedAt: row.created_at.toISOString(),
      },
    ]),
  );
}

function toWarning(row: CountsRow, keys: ShownKeys, examples: Map<string, Example>): Warning {
  const sign = signOf(row);
  const unknownKey = { uuid: row.api_key_id, name: "", prefix: "" };
  return {
    locationUuid: row.location_id,
    name: row.name,
    timeZone: row.time_zone,
    apiKey: row.api_key_id === noKey ? null : (keys.get(row.api_key_id) ?? unknownKey),
    sign,
    sampled: row.sampled,
    suspicious: sign === "future" ? row.future : row.stored_nights,
    explanation: explain(row, sign),
    examples: exampleIds(row).flatMap((id) => examples.get(id) ?? []),
  };
}

function explain(row: CountsRow, sign: Warning["sign"]): string {
  const finding =
    sign === "future"
      ? `${row.future} of the last ${row.sampled} transactions are dated after they arrived, by no more than the zone's offset (${formatOffset(row.offset_seconds)}).`
      : `${row.stored_nights} of the last ${row.sampled} transactions fall between 01:00 and 05:00 local time, and only ${row.written_nights} would if their times were local already.`;
  return `${finding} Local times sent with a Z look like this. Convert them to UTC before sending.`;
}
