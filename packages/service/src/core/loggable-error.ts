/**
 * The one rule for what the log says of an error, which every line with an `err` goes through. PostgreSQL quotes the refused
 * values in its message, detail and context ("Failing row contains ..."), and those values are people's names and
 * addresses. What identifies the fault is kept, they are not. Of other errors, what libraries hang on them stays out.
 *
 * Where the trouble is with the server and not with a value, its message is what an operator needs: no space left, too many
 * connections, a right that the role lacks.
 */
export function loggableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack } = error;
  const { code } = error as NodeJS.ErrnoException;
  const cause = error.cause === undefined ? {} : { cause: loggableError(error.cause) };
  return isOfPostgres(error) ? { ...partsOf(error), ...cause } : { type, message, code, stack, ...cause };
}

/** What PostgreSQL says of an error of its own, by the names that the driver gives it. */
type PostgresError = Error & Record<"code" | "severity", unknown>;

function isOfPostgres(error: Error): error is PostgresError {
  return "severity" in error && "code" in error;
}

/**
 * Connections (08), transactions (25, 40), roles and rights (28, 42501), unknown databases (3D), resources (53), locks (55), an
 * operator's own doing (57), the system (58).
 */
const aboutTheServer = /^(?:08|25|28|3D|40|42501|53|55|57|58)/;

/** Only parts that name things of ours. */
function partsOf(error: PostgresError): Record<string, unknown> {
  const { code, severity, schema, table, column, constraint, routine } = error as PostgresError &
    Record<string, unknown>;
  const callers = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: "DatabaseError",
    message: aboutTheServer.test(String(code))
      ? error.message
      : `PostgreSQL reported an error with code ${String(code)}`,
    stack: callers.join("\n"),
    ...{ code, severity, schema, table, column, constraint, routine },
  };
}
