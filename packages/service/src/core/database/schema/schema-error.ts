interface SchemaErrorOptions extends ErrorOptions {
  retry?: "soon" | "later";
}

/** Why the database and this release do not fit together, and what to do about it. The message is meant for operators. */
export class SchemaError extends Error {
  override name = "SchemaError";
  /** Undefined: waiting does not help. Later: each attempt hinders others, so the pauses between them grow. */
  readonly retry: "soon" | "later" | undefined;

  constructor(message?: string, { retry, ...options }: SchemaErrorOptions = {}) {
    super(message, options);
    this.retry = retry;
  }
}

export function schemaIsLocked(): SchemaError {
  return new SchemaError("another process changes the schema of this database", { retry: "soon" });
}
