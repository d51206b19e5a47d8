/** The reference for leads: no key, no limit, no checks; the body goes straight into the same table. */
// Keys in the order of time, as the service makes them.
import { uuidv7 } from "../../packages/service/dist/uuidv7.js";
import { listenBare } from "./listen.js";

const insert = `
  insert into leads (
    organization_id, id, location_id, email, email_key, first_name, last_name, company_name, phone,
    estimated_start_date, estimated_start_date_string, source, source_details, notes, form_name, slug, referrer_url,
    metadata, state, captcha_type, captcha_result, api_key_id, address, user_agent, idempotency_key, body_hash,
    created_at, duplicate_of
  )
  values (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
    $26, $27, $28
  )`;

const { ORGANIZATION_UUID, KEY_UUID } = process.env;

await listenBare((app, pool) => {
  app.post("/lead/submit", async (request) => {
    const lead = request.body;
    const leadUuid = uuidv7();
    const now = new Date();
    await pool.query({
      name: "insert-lead",
      text: insert,
      values: [
        ORGANIZATION_UUID,
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
        KEY_UUID,
        request.ip,
        request.headers["user-agent"],
        null,
        null,
        now,
        null,
      ],
    });
    return { success: true, message: "The lead was submitted", leadUuid, timestamp: now.toISOString() };
  });
});
