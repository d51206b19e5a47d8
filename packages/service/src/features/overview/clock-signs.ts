import { RecordStatus } from "@gatehouse-parking/contract";
import type { Statement } from "../../core/database/pipeline.js";
import { dayNumber } from "../../core/local-days/note-changes.js";
import type { Outcome } from "../../core/imports/judge/decision.js";
import type { Run } from "../../core/imports/run.js";
import type { RunDetails } from "../../core/organizations/run-details-sweep.js";

/**
 * Signs of local times that were sent with a Z. Nothing in a single record gives that away, so they are counted, by key and
 * location, where every record passes anyway; overview/clock-warnings.ts says what they mean.
 */
const graceMs = 5 * 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const keptExamples = 3;
/** Their date may be that of the arrival, which some partners know long before. */
const reservation = 4;
/** In the place of a key, of what is uploaded in the console. */
export const noKey = "00000000-0000-0000-0000-000000000000";

/** They are kept a little longer than clock-warnings.ts looks back. */
export const clockSigns: RunDetails = {
  table: "clock_signs",
  key: ["api_key_id", "location_id", "day"],
  age: "day",
  lowestAt: (moment) => moment.toISOString().slice(0, 10),
  days: 31,
};

interface Signs {
  location_id: string;
  sampled: number;
  future: number;
  stored_nights: number;
  written_nights: number;
  /** Days since 1970 by the local calendar, in which the years 0 and 10000 are like any other. */
  first_day: number;
  last_day: number;
  offset_seconds: number;
  future_examples: string[];
  night_examples: string[];
}

const counted = `json_to_recordset($4) as counted (
    location_id uuid, sampled bigint, future bigint, stored_nights bigint, written_nights bigint,
    first_day integer, last_day integer, offset_seconds integer, future_examples uuid[], night_examples uuid[]
  )`;

/** The rows of the day, with nothing counted yet. An insert that updates could not be sent to a shard. */
const openDay = `
  insert into clock_signs (
    organization_id, api_key_id, location_id, day, sampled, future, stored_nights, written_nights,
    first_day, last_day, offset_seconds, future_examples, night_examples
  )
  select $1::uuid, $2::uuid, location_id, $3::date, 0, 0, 0, 0, first_day, last_day, offset_seconds, '{}', '{}'
  from ${counted}
  on conflict do nothing`;

const addSigns = `
  update clock_signs as stored
  set sampled = stored.sampled + counted.sampled, future = stored.future + counted.future,
      stored_nights = stored.stored_nights + counted.stored_nights,
      written_nights = stored.written_nights + counted.written_nights,
      first_day = least(stored.first_day, counted.first_day),
      last_day = greatest(stored.last_day, counted.last_day), offset_seconds = counted.offset_seconds,
      future_examples = case when counted.future > 0 then counted.future_examples else stored.future_examples end,
      night_examples = case when counted.stored_nights > 0 then counted.night_examples else stored.night_examples end
  from ${counted}
  where stored.organization_id = $1 and stored.api_key_id = $2 and stored.location_id = counted.location_id
    and stored.day = $3`;

/** For the pipeline that ends the run; none if nothing was created that tells of a moment at a place. */
export function clockSignStatements(run: Run, outcomes: readonly Outcome[]): Statement[] {
  const { organizationId, createdAt } = run.identity;
  const signs = countSigns(outcomes, Date.parse(createdAt));
  if (signs.length === 0) return [];
  const day = createdAt.slice(0, 10);
  const values = [organizationId, run.origin.apiKeyId ?? noKey, day, JSON.stringify(signs)];
  return [
    { name: "open-clock-signs", text: openDay, values },
    { name: "add-clock-signs", text: addSigns, values },
  ];
}

function countSigns(outcomes: readonly Outcome[], arrivedMs: number): Signs[] {
  const byLocation = new Map<string, Signs>();
  for (const outcome of outcomes) {
    if (outcome.status !== RecordStatus.Created) continue;
    const { uuid, type, location } = outcome;
    const { id, utcOffsetSeconds, localTime } = location ?? {};
    if (id === undefined || utcOffsetSeconds === undefined || localTime === undefined) continue;
    const localDay = dayNumber(localTime);
    let signs = byLocation.get(id);
    if (!signs) byLocation.set(id, (signs = noSigns(id, localDay)));
    const offsetMs = utcOffsetSeconds * 1000;
    const momentMs = localTime - offsetMs;
    const aheadMs = momentMs - arrivedMs;
    signs.sampled += 1;
    signs.offset_seconds = utcOffsetSeconds;
    signs.first_day = Math.min(signs.first_day, localDay);
    signs.last_day = Math.max(signs.last_day, localDay);
    if (type !== reservation && aheadMs > graceMs && aheadMs <= offsetMs + graceMs) {
      signs.future += 1;
      keep(signs.future_examples, uuid);
    }
    if (isNight(momentMs)) signs.written_nights += 1;
    if (isNight(localTime)) {
      signs.stored_nights += 1;
      keep(signs.night_examples, uuid);
    }
  }
  // One order for all, as for every row that is locked.
  return [...byLocation.values()].toSorted((one, other) => (one.location_id < other.location_id ? -1 : 1));
}

function noSigns(locationId: string, localDay: number): Signs {
  return {
    location_id: locationId,
    sampled: 0,
    future: 0,
    stored_nights: 0,
    written_nights: 0,
    first_day: localDay,
    last_day: localDay,
    offset_seconds: 0,
    future_examples: [],
    night_examples: [],
  };
}

/** From 01:00 to 05:00. */
function isNight(ms: number): boolean {
  const hour = Math.floor(ms / hourMs) - 24 * Math.floor(ms / dayMs);
  return hour >= 1 && hour <= 4;
}

function keep(examples: string[], id: string): void {
  if (examples.length < keptExamples) examples.push(id);
}
