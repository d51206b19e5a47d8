/** Why the database and this release do not fit together, and what to do about it; meant for people. */
export class SchemaError extends Error {
  override name = "SchemaError";
}
