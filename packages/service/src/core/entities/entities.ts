import {
  lead,
  location,
  organization,
  type Entity,
  type EntityName,
  type EntityPlural,
} from "@gatehouse-parking/contract";
import { storedAccount } from "./account.js";
import { storedContact } from "./contact.js";
import { storeTable, type StoredEntity } from "./stored-entity.js";
import { storedSubscription } from "./subscription.js";
import { storedTransaction } from "./transaction.js";
import { storedVehicle } from "./vehicle.js";

const byName: Record<EntityName, StoredEntity> = {
  account: storedAccount,
  contact: storedContact,
  vehicle: storedVehicle,
  subscription: storedSubscription,
  transaction: storedTransaction,
};

/** Entities come before those that link to them. */
export const storedEntities: readonly StoredEntity[] = Object.values(byName);

export function storedEntity({ name }: Pick<Entity, "name">): StoredEntity {
  return byName[name];
}

export function storedTable(table: EntityPlural): StoredEntity {
  return storedEntities.find((stored) => stored.table === table) as StoredEntity;
}

export const storedLead = storeTable(lead, { email: "email_key" });
export const storedLocation = storeTable(location);
export const storedOrganization = storeTable(organization);
