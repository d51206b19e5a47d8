import * as contract from "@gatehouse-parking/contract";
import { publishFormats } from "../../operations/openapi-document.js";

type Schema = Record<string, unknown>;

/** The schemas of a document. Named schemas are components of the document, and other schemas refer to them. */
export class ComponentSchemas {
  readonly #named = new Map<string, unknown>();

  /** A schema as it is written at its use. */
  inline(schema: object): unknown {
    return this.#write(schema);
  }

  all(): Schema {
    return Object.fromEntries([...this.#named].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #write(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#write(item));
    if (typeof part !== "object" || part === null) return part;
    const schema = part as Schema;
    if (typeof schema["$ref"] === "string") return this.#refer(schemaNamed(schema["$ref"]));
    return typeof schema["$id"] === "string" ? this.#refer(schema) : this.#publish(schema);
  }

  #refer(schema: Schema): Schema {
    const name = schema["$id"] as string;
    if (!this.#named.has(name)) {
      // Registered before it is written, in case it refers to itself.
      this.#named.set(name, {});
      this.#named.set(name, this.#publish(schema));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #publish({ $id: _name, "x-media-types": _types, ...schema }: Schema): unknown {
    const written = Object.entries(schema).map(([name, part]) => [name, this.#write(part)]);
    return publishFormats(Object.fromEntries(written));
  }
}

/** A schema that the public interface's schemas refer to by name. */
function schemaNamed(name: string): Schema {
  const found = (Object.values(contract) as unknown[]).find(
    (value) => typeof value === "object" && value !== null && (value as Schema)["$id"] === name,
  );
  if (!found) throw new Error(`The contract has no schema ${name}`);
  return found as Schema;
}
