import type { ClientOptions } from "../client.js";
import type { Pause } from "../request.js";
import { readApiKey } from "./api-key.js";
import { urlVariable, type ServiceOptions } from "./command-line.js";
import { openTransport, readUrl, type Transport } from "./https-fetch.js";
import { durationText } from "./output/estimate.js";
import type { Progress } from "./output/progress.js";
import { proxyFor } from "./proxy.js";
import type { Surroundings } from "./surroundings.js";

/** The short waits that keep the pace are not worth a word. */
const notedPauseMs = 3_000;

/** The connection to the service that the command line asks for. */
export interface Service {
  transport: Transport;
  client: ClientOptions;
  /** Shows pauses of the client where the progress is shown. */
  showPausesIn(progress: Progress): void;
}

export async function openService(
  options: ServiceOptions,
  { environment, errorStream }: Pick<Surroundings, "environment" | "errorStream">,
): Promise<Service> {
  const url = options.url ?? environment[urlVariable];
  if (!url)
    throw new Error(`The address of the service is missing: add --url https://..., or set ${urlVariable}`);
  const apiKey = await readApiKey(options.keyFile, environment);
  const address = readUrl(url);
  const proxy = proxyFor(new URL(address), environment);
  const transport = await openTransport({ caFile: options.ca, proxy });
  // Before there is a bar or a line to show it in, a pause gets a line of its own.
  let show = (message: string): void => void errorStream.write(`${message}\n`);
  return {
    transport,
    client: {
      url: address,
      apiKey,
      fetch: transport.fetch,
      retry: { keepTryingMs: options.keepTryingMs ?? 0 },
      onPause: (pause) => {
        if (pause.error || pause.durationMs >= notedPauseMs) show(pauseText(pause));
      },
    },
    showPausesIn(progress) {
      show = (message) => progress.wait(message);
    },
  };
}

function pauseText({ reason, durationMs, error }: Pause): string {
  const time = durationText(durationMs);
  return reason === "rate limit"
    ? `waiting ${time} for the rate limit`
    : `trying again in ${time}: ${error?.message ?? ""}`;
}
