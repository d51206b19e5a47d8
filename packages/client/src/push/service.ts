import type { ClientOptions } from "../client.js";
import type { Pause } from "../request.js";
import { readApiKey } from "./api-key.js";
import { urlVariable, type ServiceOptions } from "./command-line.js";
import { openTransport, readUrl, type Transport } from "./https-fetch.js";
import { durationText } from "./output/estimate.js";
import type { Progress } from "./output/progress.js";

/** The connection to the service that the command line asks for. */
export interface Service {
  transport: Transport;
  client: ClientOptions;
  /** Shows pauses of the client where the progress is shown. */
  showPausesIn(progress: Progress): void;
}

export async function openService(options: ServiceOptions, environment: NodeJS.ProcessEnv): Promise<Service> {
  const url = options.url ?? environment[urlVariable];
  if (!url)
    throw new Error(`The address of the service is needed: add --url https://..., or set ${urlVariable}`);
  const apiKey = await readApiKey(options.keyFile, environment);
  const transport = await openTransport({ caFile: options.ca });
  let progress: Progress | undefined;
  return {
    transport,
    client: {
      url: readUrl(url),
      apiKey,
      fetch: transport.fetch,
      onPause: (pause) => progress?.note(pauseText(pause)),
    },
    showPausesIn(shown) {
      progress = shown;
    },
  };
}

function pauseText({ reason, durationMs, error }: Pause): string {
  const time = durationText(durationMs);
  return reason === "rate limit"
    ? `waiting ${time} for the rate limit`
    : `trying again in ${time}: ${error?.message ?? ""}`;
}
