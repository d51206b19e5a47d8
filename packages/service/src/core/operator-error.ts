interface OperatorErrorOptions extends ErrorOptions {
  /** The individual problems, if the message lists several. */
  problems?: readonly string[];
  /** Retrying can help. "later": each attempt blocks others, so the delays grow. */
  retry?: "soon" | "later" | undefined;
}

/**
 * The operator must change the configuration, the database or its schema before the service or a command can continue.
 * The message says what to do.
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
  return new OperatorError(`The configuration is invalid:\n${lines}`, { problems });
}
