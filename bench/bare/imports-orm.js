/**
 * The route as it is usually written: a loop with ORM models. For each record, a nested transaction, find-or-create for
 * each relation, and create. It computes the local day here, because a model cannot leave it to SQL.
 */
import { randomUUID } from "node:crypto";
import { DataTypes, Sequelize } from "sequelize";
import { listenBare, organizationsByKey, workConnections } from "./listen.js";

const organizations = organizationsByKey();
const sequelize = new Sequelize(process.env.DATABASE_URL ?? "", {
  logging: false,
  pool: { max: workConnections },
});

const { UUID, TEXT, INTEGER, BOOLEAN, DATE, DATEONLY, DECIMAL, JSON: JSON_TEXT } = DataTypes;

/**
 * @param {string} table
 * @param {import("sequelize").ModelAttributes} fields
 */
function defineModel(table, fields) {
  const key = { type: UUID, primaryKey: true };
  const origin = { importRunId: UUID, position: INTEGER, createdAt: DATE };
  return sequelize.define(
    table,
    { organizationId: key, id: { ...key, defaultValue: () => randomUUID() }, ...fields, ...origin },
    { tableName: table, underscored: true, timestamps: false },
  );
}

const Location = sequelize.define(
  "locations",
  { organizationId: { type: UUID, primaryKey: true }, id: { type: UUID, primaryKey: true }, timeZone: TEXT },
  { tableName: "locations", underscored: true, timestamps: false },
);
const Account = defineModel("accounts", {
  tpReferenceId: TEXT,
  name: TEXT,
  type: INTEGER,
  isActive: BOOLEAN,
});
const Contact = defineModel("contacts", {
  ...{ email: TEXT, emailKey: TEXT, phoneNumber: TEXT, phoneKey: TEXT },
  ...{ firstName: TEXT, lastName: TEXT },
});
const Vehicle = defineModel("vehicles", {
  ...{ licensePlate: TEXT, plateKey: TEXT, state: TEXT, make: TEXT, model: TEXT },
});
const Transaction = defineModel("transactions", {
  ...{ transactionId: TEXT, locationId: UUID, type: INTEGER, transactionDate: DATE, timeZone: TEXT },
  ...{ utcOffsetSeconds: INTEGER, localDate: DATEONLY, amountTotal: DECIMAL, netAmount: DECIMAL },
  ...{ convenienceFee: DECIMAL, processingFee: DECIMAL, promotionAmount: DECIMAL, cardType: TEXT },
  ...{ isRefunded: BOOLEAN, sessionStart: DATE, sessionEnd: DATE, bookingSource: INTEGER },
  ...{ metadata: JSON_TEXT, accountId: UUID, contactId: UUID, vehicleId: UUID },
});

await listenBare((app) => {
  app.post(
    "/integrations/transactions",
    { bodyLimit: 5 * 1024 * 1024 },
    async (/** @type {any} */ request, reply) => {
      const organizationId = organizations.get(request.headers["x-api-key"]);
      if (!organizationId) return reply.code(401).send({ error: "unknown key" });
      return importBatch(organizationId, request.body.transactions);
    },
  );
  app.addHook("onClose", () => sequelize.close());
});

/**
 * @typedef {Record<"account" | "contact" | "vehicle", any> & { transactionId: string, locationUuid: string, transactionDate: string }} Submitted
 */

/**
 * @param {string} organizationId
 * @param {Submitted[]} transactions
 */
async function importBatch(organizationId, transactions) {
  const run = randomUUID();
  /** @type {object[]} */
  const results = [];
  await sequelize.transaction(async (transaction) => {
    for (const [position, record] of transactions.entries()) {
      try {
        const result = await sequelize.transaction({ transaction }, (nested) =>
          importRecord({ organizationId, importRunId: run, position, createdAt: new Date() }, record, nested),
        );
        results.push(result);
      } catch (error) {
        results.push({ reference: record.transactionId, status: 4, errorDetail: String(error) });
      }
    }
  });
  return { referenceUuid: run, totalSubmitted: transactions.length, results };
}

/**
 * @param {{ organizationId: string, importRunId: string, position: number, createdAt: Date }} origin
 * @param {Submitted} record
 * @param {import("sequelize").Transaction} transaction
 */
async function importRecord(origin, record, transaction) {
  const { organizationId } = origin;
  const { transactionId, locationUuid, account, contact, vehicle, ...fields } = record;
  const found = await Transaction.findOne({ where: { organizationId, transactionId }, transaction });
  if (found) return { reference: transactionId, status: 3, uuid: found.get("id") };
  const location = await Location.findOne({ where: { organizationId, id: locationUuid }, transaction });
  if (!location) throw new Error("unknown location");

  const emailKey = contact.email.trim().toLowerCase();
  const phoneKey = contact.phoneNumber.replaceAll(/\D/g, "");
  const plateKey = vehicle.licensePlate.toUpperCase();
  const ofAccount =
    (await Account.findOne({
      where: { organizationId, tpReferenceId: account.tpReferenceId },
      transaction,
    })) ?? (await Account.create({ ...origin, ...account, type: 1, isActive: true }, { transaction }));
  const ofContact =
    (await Contact.findOne({ where: { organizationId, emailKey }, transaction })) ??
    (await Contact.findOne({ where: { organizationId, phoneKey }, transaction })) ??
    (await Contact.create({ ...origin, ...contact, emailKey, phoneKey }, { transaction }));
  const ofVehicle =
    (await Vehicle.findOne({ where: { organizationId, plateKey }, transaction })) ??
    (await Vehicle.create({ ...origin, ...vehicle, plateKey }, { transaction }));
  const created = await Transaction.create(
    {
      ...{ ...origin, ...fields, transactionId, locationId: location.get("id") },
      ...localDay(new Date(record.transactionDate), String(location.get("timeZone"))),
      ...{ accountId: ofAccount.get("id"), contactId: ofContact.get("id"), vehicleId: ofVehicle.get("id") },
    },
    { transaction },
  );
  return { reference: transactionId, status: 1, uuid: created.get("id") };
}

/**
 * @param {Date} moment
 * @param {string} timeZone
 */
function localDay(moment, timeZone) {
  const local = new Date(`${moment.toLocaleString("sv-SE", { timeZone }).replace(" ", "T")}Z`);
  return {
    timeZone,
    localDate: local.toISOString().slice(0, 10),
    utcOffsetSeconds: Math.round((local.getTime() - moment.getTime()) / 1000),
  };
}
