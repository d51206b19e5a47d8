/**
 * Errors of a server that answers but rejects the connection: TLS, certificates, passwords. A retry does not help, so
 * each message says what to change.
 */
interface Refusal {
  /** Matches the error's code, its message, or both. */
  code?: RegExp;
  message?: RegExp;
  /** For the operator. `reason` is the error's message. */
  advice(reason: string): string;
}

/** The first match counts. */
const refusals: Refusal[] = [
  {
    code: /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/,
    advice: (reason) =>
      `The database's certificate is signed by a certificate authority that is not trusted (${reason}). ` +
      "Add that authority's certificate file to DATABASE_URL: sslrootcert=/path/to/ca.pem.",
  },
  {
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    advice: (reason) =>
      `The database's certificate is for another host than the one in DATABASE_URL (${reason}). ` +
      "Use a host name from the certificate, or issue a certificate for this host.",
  },
  {
    code: /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
    advice: (reason) =>
      `The database's certificate is expired or not yet valid (${reason}). Renew it, or correct this machine's clock.`,
  },
  {
    message: /^The server does not support SSL connections$/,
    advice: () =>
      "The database server does not support TLS, but DATABASE_URL requires it. " +
      "Enable TLS on the server (ssl = on), or use sslmode=disable on a trusted network.",
  },
  {
    code: /^ERR_OSSL_/,
    advice: (reason) =>
      `The client certificate or the key of DATABASE_URL (sslcert, sslkey) cannot be used: ${reason}. ` +
      "Both must be PEM files, and the key must match the certificate.",
  },
  {
    code: /^ERR_SSL_.*ALERT/,
    advice: (reason) =>
      `The database refused the TLS handshake (${reason}). ` +
      "If DATABASE_URL names a client certificate (sslcert), it must be signed by the authority in the server's ssl_ca_file.",
  },
  {
    message: /^unsupported startup parameter/,
    advice: (reason) =>
      `The connection leads through a pooler that does not keep session settings (${reason}). ` +
      "Set GATEHOUSE_DATABASE_POOLER=transaction.",
  },
  {
    code: /^28000$/,
    message: /no encryption/,
    advice: (reason) =>
      `The database requires TLS (${reason}). Add sslmode=verify-full to DATABASE_URL, ` +
      "and sslrootcert=/path/to/ca.pem if its certificate authority is private.",
  },
  {
    code: /^28000$/,
    message: /valid client certificate/,
    advice: (reason) =>
      `The database requires a client certificate (${reason}). ` +
      "Add it to DATABASE_URL: sslcert=/path/to/client.pem&sslkey=/path/to/client-key.pem.",
  },
  {
    code: /^28000$/,
    message: /certificate authentication failed/,
    advice: (reason) =>
      `The database rejected the client certificate (${reason}). ` +
      "Its common name (CN) must be the user of DATABASE_URL, or be mapped to it in the server's pg_ident.conf.",
  },
  {
    code: /^28000$/,
    advice: (reason) =>
      `The database rejected the connection (${reason}). ` +
      "Allow the user of DATABASE_URL, the database and this machine's address in its pg_hba.conf.",
  },
  {
    code: /^28P01$/,
    advice: (reason) =>
      `The database refused the password (${reason}). ` +
      "Check the user and the password in DATABASE_URL, or set GATEHOUSE_DATABASE_PASSWORD to the unencoded password.",
  },
  {
    message: /client password must be a (?:non-empty )?string/,
    advice: () =>
      "The database requires a password, and DATABASE_URL has none. Set GATEHOUSE_DATABASE_PASSWORD.",
  },
];

/** A message for the operator. Undefined: another kind of error. */
export function connectionAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const refusal = refusals.find(
    (known) => (known.code?.test(code) ?? true) && (known.message?.test(message) ?? true),
  );
  // Some messages end with an empty list.
  return refusal?.advice(message.trim().replace(/:$/, ""));
}
