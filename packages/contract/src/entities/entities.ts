import { account } from "./account.js";
import { contact } from "./contact.js";
import type { EntityDescription, RelationDescription } from "./entity.js";
import { subscription } from "./subscription.js";
import { transaction } from "./transaction.js";
import { vehicle } from "./vehicle.js";

export * from "./account.js";
export * from "./contact.js";
export * from "./lead.js";
export * from "./location.js";
export * from "./organization.js";
export * from "./subscription.js";
export * from "./transaction.js";
export * from "./vehicle.js";

const described = [account, contact, vehicle, subscription, transaction] as const;

/** One entity, with the types of its description. */
export type DescribedEntity = (typeof described)[number];
export type EntityName = DescribedEntity["name"];
export type EntityPlural = DescribedEntity["plural"];
export type Entity = EntityDescription<EntityName>;
export type Relation = RelationDescription<EntityName>;

/** Every entity, in dependency order: referenced entities first. */
export const entities: readonly Entity[] = described;
