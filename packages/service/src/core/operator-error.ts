interface OperatorErrorOptions extends ErrorOptions {
  /** One by one, if the message lists them. */
  problems?: readonly string[];
  /** Waiting helps. "later": each attempt blocks others, so the pauses between attempts grow. */
  retry?: "soon" | "later" | undefined;
}

/**
 * The operator must change something before the service or a command can go on: the configuration, the database or its
 * schema. The message says what to do.
 */
export class OperatorError extends Error {
  override name = "OperatorError";
  readonly problems: readonly string[];
  readonly retry: OperatorErrorOptions["retry"];

  constructor(message: string | undefined, { problems = [], retry, ...options }: OperatorErrorOptions = {}) {
    super(message, options);
    this.problems = problems;
    this.retry = retry;
  }
}

export function configError(problems: readonly string[]): OperatorError {
  const lines = problems.map((problem) => `  - ${problem}`).join("\n");
  return new OperatorError(`The configuration is not usable:\n${lines}`, { problems });
}
