/** The reference for leads: no key, no limit, no checks; the body goes straight into the service's own statement. */
import { insertLead } from "../../packages/service/dist/leads/store-lead.js";
import { uuidv7 } from "../../packages/service/dist/uuidv7.js";
import { listenBare } from "./listen.js";

const { ORGANIZATION_UUID, KEY_UUID } = process.env;

await listenBare((app, pool) => {
  app.post("/lead/submit", async (request) => {
    const lead = request.body;
    const leadUuid = uuidv7();
    const now = new Date();
    await pool.query({
      name: "insert-lead",
      text: insertLead,
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
      ],
    });
    return { success: true, message: "The lead was submitted", leadUuid, timestamp: now.toISOString() };
  });
});
