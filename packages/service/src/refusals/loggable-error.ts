/**
 * An error as it may be logged. PostgreSQL quotes the refused values in its message, detail and context ("Failing row
 * contains ..."), and those values are people's names and addresses. What identifies the fault is kept, they are not.
 */
export function loggableError(error: unknown): unknown {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return error;
  const { code, severity, schema, table, column, constraint, routine } = error as unknown as Record<
    string,
    unknown
  >;
  const callers = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: "DatabaseError",
    message: `PostgreSQL refused a statement with code ${String(code)}`,
    stack: callers.join("\n"),
    code,
    severity,
    schema,
    table,
    column,
    constraint,
    routine,
  };
}
