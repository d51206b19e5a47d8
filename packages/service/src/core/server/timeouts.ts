/** How long a client may take. Slow or silent ones are cut, so they cannot hold a connection for ever. */
export const serverTimeouts = {
  /** The whole request, body included: 5 MB over a slow line. */
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
} as const;

/** The same for our own listeners, with further limits. */
export const listenerTimeouts = {
  ...serverTimeouts,
  headersTimeout: 15_000,
  handshakeTimeout: 10_000,
  /** How often Node looks for requests that are too slow. They may be cut this much later than their limit. */
  connectionsCheckingInterval: 5_000,
  /** How long the rest of a request is read and thrown away after its connection was ended early. */
  lingerTimeout: 5_000,
  /** How long the client may take to accept an answer, or a piece of a streamed one, before it is given up. */
  unreadTimeout: 30_000,
};
export type ListenerTimeouts = { [Name in keyof typeof listenerTimeouts]: number };
