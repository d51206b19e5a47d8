/**
 * Why a database server and we do not come together although it answers: TLS, certificates, passwords. Waiting changes
 * nothing about these, so each comes with what to do.
 */
interface Refusal {
  /** By what the error is known: its code, the words in its message, or both. */
  code?: RegExp;
  message?: RegExp;
  /** For the operator. `reason` is the error's own message. */
  advice(reason: string): string;
}

/** The first that fits counts. */
const refusals: Refusal[] = [
  {
    code: /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/,
    advice: (reason) =>
      `The database's certificate was signed by an authority that is not trusted here (${reason}). ` +
      "Name the file with that authority's certificate in DATABASE_URL: sslrootcert=/path/to/ca.pem.",
  },
  {
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    advice: (reason) =>
      `The database's certificate is for another host than DATABASE_URL names (${reason}). ` +
      "Use a name that is in the certificate, or have it issued for this one.",
  },
  {
    code: /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
    advice: (reason) =>
      `The database's certificate is not valid now (${reason}). Renew it, or set the clock of this machine.`,
  },
  {
    message: /^The server does not support SSL connections$/,
    advice: () =>
      "The database server does not speak TLS, and DATABASE_URL asks for it. " +
      "Turn it on there (ssl = on), or, on a network that you trust, use sslmode=disable.",
  },
  {
    code: /^ERR_OSSL_/,
    advice: (reason) =>
      `The client certificate or the key of DATABASE_URL (sslcert, sslkey) cannot be used: ${reason}. ` +
      "Both must be PEM files, and the key that of the certificate.",
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
      `Between the service and its database is a pooler that keeps no settings (${reason}). ` +
      "Set GATEHOUSE_DATABASE_POOLER=transaction.",
  },
  {
    code: /^28000$/,
    message: /no encryption/,
    advice: (reason) =>
      `The database wants TLS (${reason}). Add sslmode=verify-full to DATABASE_URL, ` +
      "and sslrootcert=/path/to/ca.pem if its authority is a private one.",
  },
  {
    code: /^28000$/,
    message: /valid client certificate/,
    advice: (reason) =>
      `The database wants a client certificate (${reason}). ` +
      "Name it in DATABASE_URL: sslcert=/path/to/client.pem&sslkey=/path/to/client-key.pem.",
  },
  {
    code: /^28000$/,
    message: /certificate authentication failed/,
    advice: (reason) =>
      `The database does not take the client certificate (${reason}). ` +
      "Its common name (CN) must be the user of DATABASE_URL, or be mapped to it in the server's pg_ident.conf.",
  },
  {
    code: /^28000$/,
    advice: (reason) =>
      `The database does not let us in (${reason}). ` +
      "Allow the user of DATABASE_URL, the database and this machine's address in its pg_hba.conf.",
  },
  {
    code: /^28P01$/,
    advice: (reason) =>
      `The database refused the password (${reason}). ` +
      "Check it and the user in DATABASE_URL; or give the password, as it is, in GATEHOUSE_DATABASE_PASSWORD.",
  },
  {
    message: /client password must be a (?:non-empty )?string/,
    advice: () =>
      "The database wants a password, and DATABASE_URL has none. Give it in GATEHOUSE_DATABASE_PASSWORD.",
  },
];

/** A sentence for the operator; undefined if the error is of another kind. */
export function connectionAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const refusal = refusals.find(
    (known) => (known.code?.test(code) ?? true) && (known.message?.test(message) ?? true),
  );
  // Some end with a list that is empty.
  return refusal?.advice(message.trim().replace(/:$/, ""));
}
