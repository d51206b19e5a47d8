/** The reference for leads: no key, limit or checks; the body goes straight into a row. */
import { uuidv7 } from "../../packages/service/dist/core/uuidv7.js";
import { listenBare, organizationsByKey } from "./listen.js";

/** The columns that the service stores for a lead, and the queries that it runs. */
const insertLead = `
  insert into leads (
    organization_id, id, location_id, email, email_key, first_name, last_name, company_name, phone,
    estimated_start_date, estimated_start_date_string, source, source_details, notes, form_name, slug, referrer_url,
    metadata, state, captcha_type, captcha_result, api_key_id, address, user_agent, idempotency_key, body_hash,
    created_at, duplicate_of
  )
  select
    location.organization_id, $2, location.id, $4, $5, $6, $7, $8, $9,
    $10, $11, $12, $13, $14, $15, $16, $17,
    $18, $19, $20, $21, $22, $23, $24, $25, $26,
    $27, (
      select coalesce(earlier.duplicate_of, earlier.id)
      from leads as earlier
      where earlier.organization_id = $1 and earlier.email_key = $5 and earlier.location_id = $3
        and earlier.created_at > $27::timestamptz - interval '10 minutes'
        and earlier.state = 'accepted'
      order by earlier.created_at desc
      limit 1
    )
  from locations as location
  where location.organization_id = $1 and location.id = $3
  on conflict (organization_id, idempotency_key) where idempotency_key is not null do nothing
  returning id`;

const tenants = organizationsByKey();

await listenBare((app, pool) => {
  app.post("/lead/submit", async (/** @type {any} */ request) => {
    const { organizationUuid, keyUuid } = tenants.get(request.headers["x-api-key"]);
    const lead = request.body;
    const leadUuid = uuidv7();
    const now = new Date();
    await pool.query({
      name: "insert-lead",
      text: insertLead,
      values: [
        organizationUuid,
        leadUuid,
        lead.locationUuid,
        lead.email,
        lead.email.toLowerCase(),
        lead.firstName,
        lead.lastName,
        lead.companyName,
        lead.phone,
        lead.estimatedStartDate,
        lead.estimatedStartDateString,
        lead.source,
        lead.sourceDetails,
        lead.notes,
        lead.formName,
        lead.slug,
        lead.referrerUrl,
        JSON.stringify(lead.metadata),
        "accepted",
        null,
        null,
        keyUuid,
        request.ip,
        request.headers["user-agent"],
        null,
        null,
        now,
      ],
    });
    return { success: true, message: "The lead was submitted", leadUuid, timestamp: now.toISOString() };
  });
});
