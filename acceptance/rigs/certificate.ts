import { KeyObject, webcrypto } from "node:crypto";
import { ExtendedKeyUsage, ExtendedKeyUsageExtension, SubjectAlternativeNameExtension } from "@peculiar/x509";
import { X509CertificateGenerator } from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const lifetimeMs = 24 * 60 * 60 * 1000;

/** A certificate for this machine that clients trust as a CA; both in PEM. */
export async function makeCertificate(): Promise<{ certificate: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=gatehouse.example.com",
    keys,
    notBefore: new Date(Date.now() - lifetimeMs),
    notAfter: new Date(Date.now() + lifetimeMs),
    signingAlgorithm: algorithm,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }]),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" }) as string;
  return { certificate: `${certificate.toString("pem").trimEnd()}\n`, key };
}
