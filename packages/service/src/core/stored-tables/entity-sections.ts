import { copyNull, copyText } from "../database/copy-text.js";
import { storedEntities } from "../entities/entities.js";
import type { LinkColumns, MatchColumn, StoredEntity, StoredTable } from "../entities/stored-entity.js";
import {
  bytes,
  count,
  date,
  integer,
  moment,
  nullable,
  timeOrderedUuid,
  timeZone,
  uuid,
  word,
} from "./domains.js";
import { domainOfField } from "./schema-domains.js";
import { fieldsOf, idKey, type ComputedColumn, type Field, type Section } from "./section.js";

const fingerprintBytes = 16;
/** More than the offset of any zone. */
const maxOffsetSeconds = 24 * 60 * 60;

/** The imported entities, derived from their descriptions. */
export const entitySections: Section[] = storedEntities.map((stored) => ({
  kind: stored.entity.name,
  table: stored.table,
  says: `${capitalized(stored.table)}, with the run and the position of the record that created each.`,
  key: idKey,
  fields: fieldsOfEntity(stored),
  isSettled: true,
  computed: matchKeysOf(stored),
}));

/** The fields that were sent with an entity. */
export function sentFields({ entity, columns }: StoredTable): Field[] {
  const { personalFields = [], locationField, schema } = entity;
  const isErasable = (field: string) => personalFields === "all" || personalFields.includes(field);
  return [
    ...columns.map(({ field, name }) => {
      const domain = domainOfField(schema, field);
      const isRequired = schema.required?.includes(field);
      return { ...(isErasable(field) && !isRequired ? nullable(domain) : domain), name: field, column: name };
    }),
    ...(locationField === undefined
      ? []
      : fieldsOf({ "locationUuid location_id": domainOfField(schema, locationField) })),
  ];
}

export function matchKeysOf({ matches }: StoredTable): ComputedColumn[] {
  return matches.filter(({ isDerived }) => isDerived).map(matchKey);
}

function fieldsOfEntity(stored: StoredEntity): Field[] {
  const { entity, links, hasFingerprint } = stored;
  return [
    ...fieldsOf({ "uuid id": timeOrderedUuid }),
    ...sentFields(stored),
    ...(entity.localTimeOf === undefined
      ? []
      : fieldsOf({
          timeZone,
          utcOffsetSeconds: integer(-maxOffsetSeconds, maxOffsetSeconds),
          localDate: date,
        })),
    ...links.flatMap(fieldsOfLink),
    ...(hasFingerprint ? fieldsOf({ fingerprint: nullable(bytes(fingerprintBytes)) }) : []),
    ...fieldsOf({ "importReferenceUuid import_run_id": uuid, position: count, createdAt: moment }),
  ];
}

function fieldsOfLink({ relation, id, via }: LinkColumns): Field[] {
  const link = relation.isRequired ? uuid : nullable(uuid);
  const vias = [...relation.to.matchedBy.map((match) => match.via), "uuid", "created", "dropped"];
  return [
    ...fieldsOf({ [`${relation.name}Uuid ${id}`]: link }),
    ...(via === undefined ? [] : fieldsOf({ [`${relation.name}Via ${via}`]: nullable(word(vias)) })),
  ];
}

/** The importing release computes the normalized form, because it looks it up. */
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
