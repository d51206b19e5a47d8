/**
 * How an import is usually written: for each record a savepoint, a look for its key, find-or-create for each relation,
 * an insert and a row for its outcome. It does less than the service (no metadata kept exactly, no trace, no limits).
 */
import { randomUUID } from "node:crypto";
import { listenBare, organizationsByKey } from "./listen.js";

const organizations = organizationsByKey();

await listenBare((app, pool) => {
  app.post("/integrations/transactions", { bodyLimit: 5 * 1024 * 1024 }, async (request, reply) => {
    const organization = organizations.get(request.headers["x-api-key"]);
    if (!organization) return reply.code(401).send({ error: "unknown key" });
    return importBatch(pool, organization, request.body.transactions);
  });
});

async function importBatch(pool, organization, transactions) {
  const run = randomUUID();
  const results = [];
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const [position, record] of transactions.entries()) {
      await client.query("savepoint record");
      try {
        results.push(await importRecord(client, organization, run, position, record));
        await client.query("release savepoint record");
      } catch (error) {
        await client.query("rollback to savepoint record");
        results.push({ reference: record.transactionId, status: 4, errorDetail: String(error) });
      }
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
  return { referenceUuid: run, totalSubmitted: transactions.length, results };
}

async function importRecord(client, organization, run, position, record) {
  const found = await one(
    client,
    "select id from transactions where organization_id = $1 and transaction_id = $2",
    [organization, record.transactionId],
  );
  if (found) return { reference: record.transactionId, status: 3, uuid: found.id };
  const location = await one(
    client,
    "select time_zone from locations where organization_id = $1 and id = $2",
    [organization, record.locationUuid],
  );
  if (!location) throw new Error("unknown location");

  const origin = [run, position];
  const account = await findOrCreateAccount(client, organization, record.account, origin);
  const contact = await findOrCreateContact(client, organization, record.contact, origin);
  const vehicle = await findOrCreateVehicle(client, organization, record.vehicle, origin);
  const id = randomUUID();
  await client.query(
    `insert into transactions (organization_id, id, transaction_id, location_id, type, transaction_date, time_zone,
       utc_offset_seconds, local_date, amount_total, net_amount, convenience_fee, processing_fee, promotion_amount,
       card_type, is_refunded, session_start, session_end, booking_source, metadata, account_id, contact_id, vehicle_id,
       import_run_id, position, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, extract(epoch from ($6::timestamptz at time zone $7) - ($6::timestamptz at time zone 'UTC')),
       ($6::timestamptz at time zone $7)::date, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, now())`,
    [
      ...[organization, id, record.transactionId, record.locationUuid, record.type, record.transactionDate],
      ...[
        location.time_zone,
        record.amountTotal,
        record.netAmount,
        record.convenienceFee,
        record.processingFee,
      ],
      ...[record.promotionAmount, record.cardType, record.isRefunded, record.sessionStart, record.sessionEnd],
      ...[record.bookingSource, record.metadata, account, contact, vehicle, run, position],
    ],
  );
  return { reference: record.transactionId, status: 1, uuid: id };
}

async function findOrCreateAccount(client, organization, account, origin) {
  const found = await one(
    client,
    "select id from accounts where organization_id = $1 and tp_reference_id = $2",
    [organization, account.tpReferenceId],
  );
  if (found) return found.id;
  const id = randomUUID();
  await client.query(
    `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, import_run_id, position, created_at)
     values ($1, $2, $3, $4, 1, true, $5, $6, now())`,
    [organization, id, account.tpReferenceId, account.name, ...origin],
  );
  return id;
}

async function findOrCreateContact(client, organization, contact, origin) {
  const email = contact.email.trim().toLowerCase();
  const phone = contact.phoneNumber.replaceAll(/\D/g, "");
  const found =
    (await one(client, "select id from contacts where organization_id = $1 and email_key = $2", [
      organization,
      email,
    ])) ??
    (await one(client, "select id from contacts where organization_id = $1 and phone_key = $2", [
      organization,
      phone,
    ]));
  if (found) return found.id;
  const id = randomUUID();
  await client.query(
    `insert into contacts (organization_id, id, email, email_key, phone_number, phone_key, first_name, last_name,
       import_run_id, position, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())`,
    [
      organization,
      id,
      contact.email,
      email,
      contact.phoneNumber,
      phone,
      contact.firstName,
      contact.lastName,
      ...origin,
    ],
  );
  return id;
}

async function findOrCreateVehicle(client, organization, vehicle, origin) {
  const plate = vehicle.licensePlate.toUpperCase();
  const found = await one(client, "select id from vehicles where organization_id = $1 and plate_key = $2", [
    organization,
    plate,
  ]);
  if (found) return found.id;
  const id = randomUUID();
  await client.query(
    `insert into vehicles (organization_id, id, license_plate, plate_key, state, make, model, import_run_id, position, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())`,
    [organization, id, vehicle.licensePlate, plate, vehicle.state, vehicle.make, vehicle.model, ...origin],
  );
  return id;
}

async function one(client, statement, values) {
  return (await client.query(statement, values)).rows[0];
}
