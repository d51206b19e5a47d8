import { Type } from "./type.js";
import type { Entity } from "../entities/entities.js";
import { importResourceNames, importResources } from "../import-resources.js";

const envelopeMetadata = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    type: ["object", "null"],
    additionalProperties: true,
    description: "Kept on the import run exactly as sent; not copied onto the records.",
  }),
);

/** The body of each import endpoint. */
export const batches = importResourceNames.map((name) => {
  const { entity, maxRecords }: { entity: Entity; maxRecords: number } = importResources[name];
  return Type.Object(
    {
      [name]: Type.Unsafe<unknown[]>({
        type: "array",
        minItems: 1,
        maxItems: maxRecords,
        items: { $ref: entity.schema.$id },
      }),
      metadata: envelopeMetadata,
    },
    { $id: `${entity.schema.$id}Batch` },
  );
});
