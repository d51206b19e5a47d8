import { copyNull, copyText } from "../database/copy-text.js";
import type { Column } from "../entities/columns.js";
import { storedEntities } from "../entities/entities.js";
import type { MatchColumn, StoredEntity } from "../entities/stored-entity.js";
import { fieldsOf, idKey, type ComputedColumn, type Field, type FieldKind, type Section } from "./section.js";

const kinds: Record<Column["kind"], FieldKind> = {
  text: "text",
  choice: "integer",
  integer: "integer",
  flag: "flag",
  amount: "decimal",
  timestamp: "moment",
  json: "json",
};

/** What partners import, derived from the descriptions of the entities: a new field is in the export by itself. */
export const entitySections: Section[] = storedEntities.map((stored) => ({
  kind: stored.entity.name,
  table: stored.table,
  says: `${capitalized(stored.table)}, with the run and the position of the record that made each.`,
  key: idKey,
  fields: fieldsOfEntity(stored),
  isSettled: true,
  computed: stored.matches.filter(({ isDerived }) => isDerived).map(matchKey),
}));

function fieldsOfEntity(stored: StoredEntity): Field[] {
  const { entity, columns, links, hasFingerprint } = stored;
  return [
    ...fieldsOf({ uuid: ["uuid id"] }),
    ...columns.map(({ field, name, kind }) => ({ name: field, column: name, kind: kinds[kind] })),
    ...(entity.locationField === undefined ? [] : fieldsOf({ uuid: ["locationUuid location_id"] })),
    ...(entity.localTimeOf === undefined
      ? []
      : fieldsOf({ text: ["timeZone"], integer: ["utcOffsetSeconds"], date: ["localDate"] })),
    ...links.flatMap(({ relation, id, via }) => [
      ...fieldsOf({ uuid: [`${relation.name}Uuid ${id}`] }),
      ...(via === undefined ? [] : fieldsOf({ text: [`${relation.name}Via ${via}`] })),
    ]),
    ...(hasFingerprint ? fieldsOf({ bytes: ["fingerprint"] }) : []),
    ...fieldsOf({
      uuid: ["importReferenceUuid import_run_id"],
      integer: ["position"],
      moment: ["createdAt"],
    }),
  ];
}

/** The form that all spellings of a value share is made by the release that looks it up. */
function matchKey({ match, column }: MatchColumn): ComputedColumn {
  return {
    column,
    value: (values) => {
      const text = values.get(match.field) ?? null;
      if (text === null || text.trim() === "") return copyNull;
      return copyText(match.toKey?.(text) ?? text);
    },
  };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
