/** How long a client may take. Slow or silent ones are cut, so they cannot hold a connection for ever. */
export const serverTimeouts = {
  /** The whole request, body included: 5 MB over a slow line. */
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
} as const;

/** The same for our own listeners, which have more to say. */
export const listenerTimeouts = {
  ...serverTimeouts,
  headersTimeout: 15_000,
  handshakeTimeout: 10_000,
  /** Node looks for requests that are too slow this often: they are cut by so much later than they could be. */
  connectionsCheckingInterval: 5_000,
  /** A connection that is closed before its request has arrived in full is read and thrown away for so long. */
  lingerTimeout: 5_000,
  /** An answer, or a piece of a streamed one, that the client has not taken after so long is given up. */
  unreadTimeout: 30_000,
};
export type ListenerTimeouts = { [Name in keyof typeof listenerTimeouts]: number };
