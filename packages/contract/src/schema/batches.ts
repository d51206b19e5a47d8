import { Type } from "./type.js";
import { importResources, type ImportResourceName } from "../operations.js";

const envelopeMetadata = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    type: ["object", "null"],
    additionalProperties: true,
    description: "Kept on the import run exactly as sent; not copied onto the records.",
  }),
);

function batch(id: string, resource: ImportResourceName, itemId: string) {
  return Type.Object(
    {
      [resource]: Type.Unsafe<unknown[]>({
        type: "array",
        minItems: 1,
        maxItems: importResources[resource].maxRecords,
        items: { $ref: itemId },
      }),
      metadata: envelopeMetadata,
    },
    { $id: id },
  );
}

export const TransactionBatch = batch("TransactionBatch", "transactions", "Transaction");
export const AccountBatch = batch("AccountBatch", "accounts", "Account");
export const SubscriptionBatch = batch("SubscriptionBatch", "subscriptions", "Subscription");
