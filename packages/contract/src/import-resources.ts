import type { Static } from "typebox";
import { entities, type DescribedEntity } from "./entities/entities.js";
import type { ImportDescription } from "./entities/entity.js";

/** An entity that can be imported separately. Its endpoints derive from its description. */
type ImportedEntity = Extract<DescribedEntity, { imported: ImportDescription }>;

export type ImportResourceName = ImportedEntity["plural"];

/** A record of each resource. */
export type ImportRecords = {
  [Imported in ImportedEntity as Imported["plural"]]: Static<Imported["schema"]>;
};

type ImportResources = {
  readonly [Imported in ImportedEntity as Imported["plural"]]: {
    readonly resource: Imported["imported"]["resource"];
    readonly importOperation: `import${Capitalize<Imported["plural"]>}`;
    readonly validateOperation: `validate${Capitalize<Imported["plural"]>}`;
    readonly maxRecords: Imported["imported"]["maxRecords"];
    readonly entity: Imported;
    readonly keyField: Imported["key"];
  };
};

/** The differences between the import endpoints, in the order of their resource numbers. */
export const importResources = Object.fromEntries(
  (entities as readonly DescribedEntity[])
    .filter((entity): entity is ImportedEntity => "imported" in entity)
    .toSorted((one, other) => one.imported.resource - other.imported.resource)
    .map((entity) => [
      entity.plural,
      {
        ...entity.imported,
        importOperation: `import${capitalized(entity.plural)}`,
        validateOperation: `validate${capitalized(entity.plural)}`,
        entity,
        keyField: entity.key,
      },
    ]),
) as ImportResources;
export const importResourceNames = Object.keys(importResources) as ImportResourceName[];

type ImportResourceNumbers = {
  readonly [Imported in ImportedEntity as Capitalize<Imported["plural"]>]: Imported["imported"]["resource"];
};
/** An enumeration like those in enums.ts. */
export const ImportResource = Object.fromEntries(
  importResourceNames.map((name) => [capitalized(name), importResources[name].resource]),
) as ImportResourceNumbers;
export type ImportResource = ImportResourceNumbers[keyof ImportResourceNumbers];

export function capitalized<Text extends string>(text: Text): Capitalize<Text> {
  return (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<Text>;
}
