import { request as secureRequest, type RequestOptions } from "node:https";
import { request as plainRequest, type ClientRequest, type IncomingMessage } from "node:http";

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** `body` is sent as JSON, `text` unchanged. */
export type Sending = RequestOptions & { key?: string; body?: unknown; text?: string };

const timeoutMs = 120_000;

/** Starts a request and leaves its body to the caller. */
export function begin(
  address: string,
  { key, body: _body, text: _text, ...options }: Sending = {},
): ClientRequest {
  const url = new URL(address);
  const send = url.protocol === "https:" ? secureRequest : plainRequest;
  return send(url, {
    timeout: timeoutMs,
    ...options,
    headers: { ...(key ? { "x-api-key": key } : {}), ...options.headers },
  });
}

export async function send(address: string, sending: Sending = {}): Promise<Answer> {
  const text = sending.text ?? (sending.body === undefined ? undefined : JSON.stringify(sending.body));
  const hasBody = text !== undefined;
  const request = begin(address, {
    method: hasBody ? "POST" : "GET",
    ...sending,
    headers: { ...(hasBody ? { "content-type": "application/json" } : {}), ...sending.headers },
  });
  request.end(text);
  return answerTo(request);
}

export function answerTo(request: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.once("error", reject).once("timeout", () => request.destroy(new Error("no answer in time")));
    request.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("error", reject).once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          get json() {
            return JSON.parse(text);
          },
        }),
      );
    });
  });
}
