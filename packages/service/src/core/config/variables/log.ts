/** How the log is formatted. */

export type LogFormat = "json" | "pretty";

export const logVariables = {
  logFormat: {
    name: "LOG_FORMAT",
    read: readLogFormat,
    whenUnset: undefined,
    shownDefault: "pretty at a terminal, otherwise json",
    description:
      'json: stdout is JSON lines and nothing else; where everything is, and what is shown only once, is in the line "ready". pretty: readable lines.',
  },
};

/** The requested format, for messages before the rest of the configuration has been read. */
export function givenLogFormat(environment: NodeJS.ProcessEnv): LogFormat | undefined {
  const format = environment["LOG_FORMAT"];
  return format === "json" || format === "pretty" ? format : undefined;
}

function readLogFormat(text: string): LogFormat {
  if (text === "json" || text === "pretty") return text;
  throw new Error(`must be json or pretty, not "${text}"`);
}
