import { account } from "./account.js";
import { contact } from "./contact.js";
import type { Entity } from "./entity.js";
import { subscription } from "./subscription.js";
import { transaction } from "./transaction.js";
import { vehicle } from "./vehicle.js";

/** Every entity, those that others refer to before the ones that refer to them. */
export const entities: readonly Entity[] = [account, contact, vehicle, subscription, transaction];
