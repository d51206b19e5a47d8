import type { Logger } from "pino";
import { announcementText, type Announcement } from "./announcement.js";
import type { LogFormat } from "./core/config/variables/log.js";

export interface AnnounceOptions {
  /** One JSON document on stdout and the log on stderr. */
  json: boolean;
  format: LogFormat;
  emphasis: (text: string) => string;
  logger: Logger;
}

/** Tells whoever started the service where it is, in the form in which they read it. */
export function announce(announced: Announcement, { json, format, emphasis, logger }: AnnounceOptions): void {
  const { demo, signIn, ...addresses } = announced;
  if (json) {
    process.stdout.write(`${JSON.stringify(announced, null, 2)}\n`);
    if (!process.stdout.isTTY) logger.info(addresses, "ready");
  } else if (format === "pretty") {
    process.stdout.write(`${announcementText(announced, emphasis)}\n`);
  } else {
    // What is shown only now is part of the line, however little is logged: it would be lost otherwise.
    const isShownOnce = demo !== null || signIn !== null;
    const log = isShownOnce ? logger.child({}, { level: "info" }) : logger;
    log.info({ ...addresses, signIn: signIn ?? undefined, demo: demo ?? undefined }, "ready");
  }
}
