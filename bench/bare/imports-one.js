/** The reference for a batch of one record: no key, limit, checks or run; the record becomes one row. */
import { uuidv7 } from "../../packages/service/dist/core/uuidv7.js";
import { listenBare } from "./listen.js";

const { ORGANIZATION_UUID, LOCATION_UUID } = process.env;

const insert = `
  insert into transactions (
    organization_id, id, transaction_id, location_id, type, transaction_date, time_zone, utc_offset_seconds, local_date,
    amount_total, booking_source, import_run_id, position, created_at
  )
  values ($1, $2, $3, $4, $5, $6::timestamptz, 'America/New_York', -14400, ($6::timestamptz)::date, $7, 1, $2, 0, $8)`;

await listenBare((app, pool) => {
  app.post("/integrations/transactions", async (/** @type {{ body: any }} */ request) => {
    const [record] = request.body.transactions;
    const id = uuidv7();
    const { transactionId, type, transactionDate, amountTotal } = record;
    await pool.query({
      name: "insert-one",
      text: insert,
      values: [
        ...[ORGANIZATION_UUID, id, transactionId, LOCATION_UUID],
        ...[type, transactionDate, amountTotal, new Date()],
      ],
    });
    return { totalSubmitted: 1, results: [{ reference: transactionId, status: 1, uuid: id }] };
  });
});
