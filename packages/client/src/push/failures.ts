import {
  CertificateError,
  ConnectionError,
  GatehouseError,
  PlainServerError,
  RateLimitedError,
  ServerError,
  SetupError,
} from "../errors.js";

/** Whether the same command may succeed later without a change: the service was away, in trouble or busy. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof SetupError) return false;
  return (
    error instanceof ConnectionError ||
    error instanceof ServerError ||
    error instanceof RateLimitedError ||
    (error instanceof GatehouseError && error.status === 408)
  );
}

/** What is wrong, and what to do about it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = error instanceof GatehouseError ? [...error.details] : [];
  if (error instanceof CertificateError) details.push(certificateAdvice(error));
  if (error instanceof PlainServerError)
    details.push("The port speaks plain HTTP; give --url the port that speaks HTTPS");
  return [error.message, ...details.filter((detail) => !error.message.includes(detail))].join("\n  ");
}

function certificateAdvice({ code }: CertificateError): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return "The service needs a new certificate, or the clock of this machine is wrong";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "Give --url a name that the certificate is for";
    default:
      return "If it is a certificate of your own, add --ca FILE with its authority, or set NODE_EXTRA_CA_CERTS";
  }
}
