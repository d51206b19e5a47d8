/**
 * How a command for this service begins. On this machine it has its certificate from an authority of its own, which curl
 * has to be told of; the path is the one from the folder in which the service runs.
 */
export function curl(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return protocol === "https:" && isLocal ? "curl --cacert data/tls/ca.pem" : "curl";
}
