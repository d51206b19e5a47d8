import type { Location } from "@gatehouse-parking/contract";
import type pg from "pg";
import { readLead } from "../../../core/leads/read-lead.js";
import { leadInsert, type NewLead } from "../../../core/leads/store-lead.js";
import { transactionAtOnce } from "../../../core/database/pipeline.js";
import { idMadeAt, type SeededRandom } from "./seeded-random.js";
import { historyDays } from "./sample-history.js";
import type { SampleRequest } from "./sample-requests.js";
import { dayMs } from "./sample-records.js";

const people = [
  ["Priya", "Nair", "Kestrel Architects"],
  ["Tom", "Walsh", null],
  ["Mei", "Chen", "Quartz Studios"],
  ["Jonas", "Lindqvist", null],
  ["Elena", "Petrova", "Meridian Law"],
  ["Kofi", "Mensah", "Pinecrest Hotels"],
  ["Sara", "Haddad", null],
  ["Luis", "Romero", "Lakeview Dental"],
] as const;
const sources = ["Website", "QR", "Referral", "SocialMedia", "Advertisement", "InPerson"];
const wishes = [
  "Looking for 12 reserved spaces from next month, close to the lifts.",
  "Is there a monthly rate for two cars?",
  "Night shift: we need access from 22:00 to 06:00.",
];
const worker = "operator@gatehouse.example";
const leadCount = 22;
/** The same form, submitted twice. */
const sentTwice = 7;
/** Leads that filled the honeypot field. */
const bots = new Set([5, 14]);

/** Stores leads in every state and returns the requests that sent them. */
export async function storeSampleLeads(
  pool: pg.Pool,
  chance: SeededRandom,
  input: { organizationId: string; apiKeyId: string; places: readonly Location[]; now: number },
): Promise<SampleRequest[]> {
  const { organizationId, apiKeyId, places, now } = input;
  const requests: SampleRequest[] = [];
  const worked: object[] = [];
  const step = (historyDays * dayMs) / leadCount;
  for (let index = 0; index < leadCount; index += 1) {
    const isSecond = index === sentTwice;
    const person = isSecond ? index - 1 : index;
    const at = isSecond
      ? (requests.at(-1) as SampleRequest).at + 40_000
      : now - (leadCount - index) * step + chance.between(0, 600) * 60_000;
    const lead = await readLead(Buffer.from(JSON.stringify(leadOf(person, places))), undefined, null);
    const uuid = idMadeAt(at);
    if (index < leadCount / 2 && !bots.has(index))
      worked.push({
        lead_id: uuid,
        state: index % 2 === 0 ? "closed" : "contacted",
        changed_at: new Date(at + dayMs),
      });
    const stored: NewLead = {
      ...{
        organizationId,
        apiKeyId,
        lead,
        captcha: undefined,
        idempotencyKey: undefined,
        bodyHash: undefined,
      },
      state: bots.has(index) ? "quarantined" : "accepted",
      address: `198.51.100.${20 + person}`,
      userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X)",
      past: { uuid, createdAt: new Date(at) },
    };
    await transactionAtOnce(pool, [leadInsert(stored).statement]);
    requests.push({
      at,
      apiKeyId,
      operation: "submitLead",
      status: 200,
      reason: null,
      runId: null,
      bodyBytes: 320,
      durationMs: 9,
      requestId: idMadeAt(at),
    });
  }
  await setStates(pool, organizationId, worked);
  return requests;
}

/** Marks the older leads as handled. */
async function setStates(pool: pg.Pool, organizationId: string, worked: readonly object[]): Promise<void> {
  await pool.query(
    `insert into lead_work (organization_id, lead_id, state, changed_by, changed_at)
     select $1::uuid, lead_id, state, $3, changed_at
     from json_to_recordset($2) as worked (lead_id uuid, state text, changed_at timestamptz)`,
    [organizationId, JSON.stringify(worked), worker],
  );
}

function leadOf(index: number, places: readonly Location[]): object {
  const [firstName, lastName, companyName] = people[index % people.length] as (typeof people)[number];
  return {
    email: `${firstName}.${lastName}${index}@mail.example`.toLowerCase(),
    locationUuid: places[index % places.length]?.uuid,
    firstName,
    lastName,
    source: sources[index % sources.length],
    formName: "Monthly parking",
    ...(companyName === null ? {} : { companyName, phone: `+1-55501001${20 + index}` }),
    ...(index % 3 === 0 ? { notes: wishes[(index / 3) % wishes.length] } : {}),
    ...(index % 4 === 0 ? { metadata: { spaces: 2 + index, budget: "2,400 a month" } } : {}),
    estimatedStartDateString: index % 2 === 0 ? "next month" : "as soon as possible",
  };
}
