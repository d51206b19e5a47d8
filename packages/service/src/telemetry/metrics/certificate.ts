import { X509Certificate } from "node:crypto";
import client from "@platformatic/prom-client";

export interface CertificateMetrics {
  /** Called with the certificate (PEM, its chain behind it) that new connections get from now on. */
  useCertificate(pem: string | Buffer): void;
}

/** Where TLS ends elsewhere there is no certificate, and then no such metric: 0 would look long expired. */
export function certificateMetrics(registry: client.Registry): CertificateMetrics {
  let expiry: client.Gauge | undefined;
  return {
    useCertificate(pem) {
      expiry ??= new client.Gauge({
        name: "gatehouse_certificate_expiry_timestamp_seconds",
        help: "When the certificate in use runs out, in Unix seconds",
        registers: [registry],
      });
      expiry.set(Date.parse(new X509Certificate(pem).validTo) / 1_000);
    },
  };
}
