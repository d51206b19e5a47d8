/** Parses the answers that a client reads from a connection, with any kind of body length. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
}

/** The complete answers to requests with these methods. Interim answers (100) are omitted. */
export function rawAnswers(received: Buffer, methods: readonly string[]): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; ;) {
    const headEnd = received.indexOf("\r\n\r\n", at);
    if (headEnd === -1) return answers;
    const [first = "", ...lines] = received.toString("latin1", at, headEnd).split("\r\n");
    const status = Number(first.split(" ")[1]);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const isInterim = status < 200;
    const hasBody = !isInterim && status !== 204 && status !== 304 && methods[answers.length] !== "HEAD";
    const end = hasBody ? bodyEnd(received, headEnd + 4, headers) : headEnd + 4;
    if (end === undefined) return answers;
    if (!isInterim) answers.push({ status, headers });
    at = end;
  }
}

/** Undefined: the answer is incomplete. */
function bodyEnd(received: Buffer, begin: number, headers: Record<string, string>): number | undefined {
  if (headers["transfer-encoding"] !== "chunked") {
    const end = begin + Number(headers["content-length"] ?? 0);
    return end <= received.length ? end : undefined;
  }
  for (let at = begin; ;) {
    const lineEnd = received.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(received.toString("latin1", at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (at > received.length) return undefined;
    if (size === 0) return at;
  }
}
