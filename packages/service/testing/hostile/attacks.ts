import type { Random } from "../../../../testing/rig.js";
import { addressTexts, jsonFragments, longStrings, wholeBodies } from "./values.js";

/** A route with a request that succeeds, and everything in it that a client controls. */
export interface Target {
  name: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path as the router knows it, such as /integrations/imports/:referenceUuid. */
  path: string;
  parameters: Record<string, string>;
  query: Record<string, string>;
  queryNames: readonly string[];
  body: Record<string, unknown> | undefined;
  /** Fields of the body or of a record in it; nested ones with dots. */
  bodyFields: readonly string[];
  /** Fields that accept any object. */
  openFields?: readonly string[];
  /** The array of records, if the body is a batch. Then one request has many hostile records. */
  batch: { field: string; keyField: string; maxRecords: number } | undefined;
  headerNames: readonly string[];
  /** The media type of the body, if it is not JSON. */
  mediaType?: string;
  maxBytes: number;
}

export interface Attack {
  what: string;
  url: string;
  /** Created when sent, because there are many and some are large. */
  payload: (() => string | Buffer) | undefined;
  headers: Record<string, string>;
}

const marker = "\u0001here\u0001";
const manyParameters = 500;
/** Random targets. */
const spoiltShare = 0.3;

/** One hostile value at a time: every parameter and field with every value. */
export function attacksOn(target: Target): Attack[] {
  return [
    ...placesIn(target.path).flatMap((name) =>
      addressTexts.map((text) => attackOn(target, { path: { [name]: text } })),
    ),
    ...target.queryNames.flatMap((name) => [
      ...addressTexts.map((text) => attackOn(target, { query: { [name]: text } })),
      attackOn(target, { query: { [`${name}[]`]: "1", [`${name}[a]`]: "1" } }),
      attackOn(target, { query: { [name]: "1".concat(`&${name}=2`.repeat(manyParameters)) } }),
    ]),
    attackOn(target, {
      query: Object.fromEntries(Array.from({ length: manyParameters }, (_, index) => [`q${index}`, "1"])),
    }),
    ...target.headerNames.flatMap((name) =>
      jsonFragments
        .filter((fragment) => /^"[\u0020-\u007e]*"$/.test(fragment))
        .map((fragment) => attackOn(target, { headers: { [name]: JSON.parse(fragment) } })),
    ),
    ...(target.body ? bodyAttacks(target) : []),
  ];
}

function bodyAttacks(target: Target): Attack[] {
  const { batch } = target;
  const whole = wholeBodies(target.maxBytes).map((payload, index) => ({
    ...attackOn(target, {}),
    what: `${target.name} whole body ${index}`,
    payload,
  }));
  if (!batch)
    return [
      ...whole,
      ...target.bodyFields.flatMap((field) => [
        ...jsonFragments.map((fragment) => attackOn(target, { body: { [field]: fragment } })),
        ...longStrings(target.maxBytes).map((fragment, index) => ({
          ...attackOn(target, {}),
          what: `${target.name} ${field} as long as it may be, ${index}`,
          payload: () => spoilt(target.body as object, { [field]: fragment() }),
        })),
      ]),
    ];
  const envelopes = [batch.field, "metadata"].flatMap((field) =>
    jsonFragments.map((fragment) => ({
      ...attackOn(target, {}),
      what: `${target.name} envelope ${field}=${fragment.slice(0, 60)}`,
      payload: () => spoilt(target.body as object, { [field]: fragment }),
    })),
  );
  return [...whole, ...envelopes, ...target.bodyFields.flatMap((field) => batchAttacks(target, field))];
}

/** One record for every value of the field, as many per batch as allowed. */
function batchAttacks(target: Target, field: string): Attack[] {
  const { field: list, keyField, maxRecords } = target.batch as NonNullable<Target["batch"]>;
  const [sample] = (target.body as Record<string, object[]>)[list] as [object];
  const record = (fragment: string, index: number): string =>
    spoilt({ ...sample, [keyField]: `${field}-${index}` }, { [field]: fragment });
  const attacks: Attack[] = [];
  for (let begin = 0; begin < jsonFragments.length; begin += maxRecords) {
    const part = jsonFragments.slice(begin, begin + maxRecords);
    attacks.push({
      ...attackOn(target, {}),
      what: `${target.name} ${field} of ${part.length} records from ${begin}`,
      payload: () => `{${JSON.stringify(list)}:[${part.map(record).join(",")}]}`,
    });
  }
  return attacks;
}

/** The sample request with replacements: texts for the URL as they are sent, JSON fragments for fields. */
export function attackOn(
  target: Target,
  instead: {
    path?: Record<string, string>;
    query?: Record<string, string>;
    body?: Record<string, string>;
    headers?: Record<string, string>;
  },
): Attack {
  const parameters = { ...target.parameters, ...instead.path };
  const path = target.path.replaceAll(/:(\w+)/g, (_part, name: string) => parameters[name] ?? "");
  const query = Object.entries({ ...target.query, ...instead.query }).map((pair) => pair.join("="));
  const { body } = target;
  const changed = [instead.path, instead.query, instead.body, instead.headers].flatMap((part) =>
    Object.entries(part ?? {}).map(([name, value]) => `${name}=${value.slice(0, 60)}`),
  );
  return {
    what: `${target.name} ${changed.slice(0, 8).join(" ")}`,
    url: path.replace("*", parameters["*"] ?? "") + (query.length > 0 ? `?${query.join("&")}` : ""),
    payload: body && (() => spoilt(body, instead.body ?? {})),
    headers: { ...(target.mediaType ? { "content-type": target.mediaType } : {}), ...instead.headers },
  };
}

/** Several hostile values at once. */
export function randomAttack(target: Target, random: Random): Attack {
  const draw = (names: readonly string[], values: readonly string[]): Record<string, string> => {
    const chosen = names.filter(() => random.fraction() < spoiltShare);
    return Object.fromEntries(chosen.map((name) => [name, random.pick(values)]));
  };
  return attackOn(target, {
    path: draw(placesIn(target.path), addressTexts),
    query: draw(target.queryNames, addressTexts),
    ...(target.batch ? {} : { body: draw(target.bodyFields, jsonFragments) }),
  });
}

export function placesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)|(\*)/g)].map(([, name]) => name ?? "*");
}

/** The JSON text of an object in which some values are raw JSON fragments. */
function spoilt(sample: object, fields: Record<string, string>): string {
  const copy = structuredClone(sample) as Record<string, unknown>;
  const names = Object.keys(fields);
  for (const [index, name] of names.entries()) {
    const parts = name.split(".");
    let place = copy;
    for (const part of parts.slice(0, -1)) {
      if (typeof place[part] !== "object" || place[part] === null) place[part] = {};
      place = place[part] as Record<string, unknown>;
    }
    place[parts.at(-1) as string] = marker + index;
  }
  let text = JSON.stringify(copy);
  for (const [index, name] of names.entries())
    text = text.replace(JSON.stringify(marker + index), () => fields[name] as string);
  return text;
}
