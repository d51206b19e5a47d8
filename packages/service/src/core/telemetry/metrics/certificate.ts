import { X509Certificate } from "node:crypto";
import client from "@platformatic/prom-client";

export interface CertificateMetrics {
  /** Called with the certificate (PEM, its chain behind it) that new connections get from now on. */
  useCertificate(pem: string | Buffer): void;
  /** When that one runs out; undefined: there is none. */
  certificateExpiry(): Date | undefined;
}

/** Where TLS ends elsewhere there is no certificate, and then no such metric: 0 would look long expired. */
export function certificateMetrics(registry: client.Registry): CertificateMetrics {
  let expiry: client.Gauge | undefined;
  let runsOutAt: Date | undefined;
  return {
    useCertificate(pem) {
      expiry ??= new client.Gauge({
        name: "gatehouse_certificate_expiry_timestamp_seconds",
        help: "When the certificate in use runs out, in Unix seconds",
        registers: [registry],
      });
      runsOutAt = new Date(new X509Certificate(pem).validTo);
      expiry.set(runsOutAt.getTime() / 1_000);
    },
    certificateExpiry: () => runsOutAt,
  };
}
