/** How long a client may take. Slow or silent ones are cut, so they cannot hold a connection for ever. */
export const serverTimeouts = {
  /** The whole request, body included: 5 MB over a slow line. */
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
} as const;
export const headersTimeoutMs = 15_000;
export const handshakeTimeoutMs = 10_000;
