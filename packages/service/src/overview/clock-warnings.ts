import type pg from "pg";
import type { ClockWarnings } from "@gatehouse-parking/contract/console";
import { formatOffset } from "../locations/utc-offset.js";

/**
 * Finds locations whose times look like local times that were sent with a Z. Nothing in a single record gives that
 * away, so two signs are looked for in what arrived last:
 *
 * - future: east of UTC, such a time lies ahead of the true one by the zone's offset. A sale cannot have happened after
 *   it was reported; if many records are dated later than they arrived, but by no more than the offset, it is this.
 *   Reservations are left out, because some partners date them by the arrival.
 * - shifted: west of UTC (and far east) such times only move the day: shown in local time, the morning's rush falls
 *   into the small hours. If the hours from 1 to 5 are busy as stored, but empty when the time is read as it was
 *   written, it is this. A place that is busy all night is busy in both readings and is not warned about.
 */
const sampledTransactions = 20_000;
const graceMinutes = 5;

const minFutureRecords = 10;
const minFutureShare = 0.2;

const minShiftedSample = 200;
const minShiftedDays = 5;
/** With a smaller offset the small hours of both readings overlap too much to tell them apart. */
const minShiftHours = 3;
/** At an ordinary garage, one sale in fifty or fewer falls into the four small hours. */
const maxNightShareWritten = 0.02;
const minNightShareStored = 0.1;

const shownExamples = 3;

const sample = `(
  select id, transaction_id, location_id, type, transaction_date, utc_offset_seconds, local_date, created_at
  from transactions where organization_id = $1 order by id desc limit ${sampledTransactions}
) as recent`;
const isFuture = `(
  type <> 4 and transaction_date > created_at + interval '${graceMinutes} minutes'
  and transaction_date <= created_at + make_interval(secs => utc_offset_seconds) + interval '${graceMinutes} minutes'
)`;
const writtenHour = "extract(hour from transaction_date at time zone 'UTC')";
const storedHour =
  "extract(hour from (transaction_date at time zone 'UTC') + make_interval(secs => utc_offset_seconds))";
const isStoredNight = `(${storedHour} between 1 and 4)`;

interface SignsRow {
  location_id: string;
  name: string;
  time_zone: string;
  sampled: number;
  future: number;
  stored_nights: number;
  written_nights: number;
  days: number;
  offset_seconds: number;
}

type Warning = ClockWarnings["data"][number];

export async function readClockWarnings(pool: pg.Pool, organizationId: string): Promise<ClockWarnings> {
  const { rows } = await pool.query<SignsRow>(
    `select signs.*, location.name, location.time_zone
     from (
       select location_id, count(*) as sampled, count(*) filter (where ${isFuture}) as future,
              count(*) filter (where ${isStoredNight}) as stored_nights,
              count(*) filter (where ${writtenHour} between 1 and 4) as written_nights,
              count(distinct local_date) as days, round(avg(utc_offset_seconds))::int as offset_seconds
       from ${sample} group by location_id
     ) as signs
     join locations as location on location.organization_id = $1 and location.id = signs.location_id
     order by location.name, location.id`,
    [organizationId],
  );
  const warnings: Warning[] = [];
  for (const row of rows) {
    const sign = signOf(row);
    if (sign) warnings.push(await toWarning(pool, organizationId, row, sign));
  }
  return { data: warnings };
}

function signOf(row: SignsRow): Warning["sign"] | undefined {
  if (row.future >= minFutureRecords && row.future >= minFutureShare * row.sampled) return "future";
  const isTelling =
    row.sampled >= minShiftedSample &&
    row.days >= minShiftedDays &&
    Math.abs(row.offset_seconds) >= minShiftHours * 3600;
  return isTelling &&
    row.stored_nights >= minNightShareStored * row.sampled &&
    row.written_nights <= maxNightShareWritten * row.sampled
    ? "shifted"
    : undefined;
}

async function toWarning(
  pool: pg.Pool,
  organizationId: string,
  row: SignsRow,
  sign: Warning["sign"],
): Promise<Warning> {
  const { rows } = await pool.query<{
    id: string;
    transaction_id: string;
    transaction_date: Date;
    created_at: Date;
  }>(
    `select id, transaction_id, transaction_date, created_at from ${sample}
     where location_id = $2 and ${sign === "future" ? isFuture : isStoredNight}
     order by id desc limit ${shownExamples}`,
    [organizationId, row.location_id],
  );
  return {
    locationUuid: row.location_id,
    name: row.name,
    timeZone: row.time_zone,
    sign,
    sampled: row.sampled,
    suspicious: sign === "future" ? row.future : row.stored_nights,
    explanation: explain(row, sign),
    examples: rows.map((example) => ({
      uuid: example.id,
      transactionId: example.transaction_id,
      transactionDate: example.transaction_date.toISOString(),
      receivedAt: example.created_at.toISOString(),
    })),
  };
}

function explain(row: SignsRow, sign: Warning["sign"]): string {
  const finding =
    sign === "future"
      ? `${row.future} of the last ${row.sampled} transactions are dated after they arrived, by no more than the zone's offset (${formatOffset(row.offset_seconds)}).`
      : `${row.stored_nights} of the last ${row.sampled} transactions fall between 01:00 and 05:00 local time, and only ${row.written_nights} would if their times were local already.`;
  return `${finding} Local times sent with a Z look like this. Convert them to UTC before sending.`;
}
