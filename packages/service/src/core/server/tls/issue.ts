import { createPrivateKey, createPublicKey, KeyObject, randomBytes, webcrypto } from "node:crypto";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { CertificateNames } from "./certificates.js";

const dayMs = 24 * 60 * 60 * 1000;
const authorityLifetimeMs = 10 * 365 * dayMs;
/** Clients of Apple and others reject server certificates that are valid for more than 398 days. */
const leafLifetimeMs = 397 * dayMs;
/** Clients whose clocks are slightly slow accept a new certificate too. */
const clockToleranceMs = 60 * 60 * 1000;

const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" };
const signingAlgorithm = { name: "ECDSA", hash: "SHA-256" };

/** An elliptic curve key (P-256), in PEM. */
export async function makeKey(): Promise<string> {
  const { privateKey } = await webcrypto.subtle.generateKey(keyAlgorithm, true, ["sign", "verify"]);
  return KeyObject.from(privateKey).export({ type: "pkcs8", format: "pem" }) as string;
}

/** A CA that may sign server certificates but no other CAs. */
export async function makeAuthority(): Promise<{ certificate: string; key: string }> {
  const key = await makeKey();
  const keys = await importKeys(key);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // The name distinguishes several CAs in one trust store.
    name: `CN=Gatehouse local authority ${randomBytes(4).toString("hex")}`,
    keys,
    ...validFor(authorityLifetimeMs),
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pem(certificate), key };
}

export interface LeafRequest {
  ca: string;
  caKey: string;
  key: string;
  names: CertificateNames;
}

/** A server certificate signed by the CA. */
export async function issueLeaf({ ca, caKey, key, names }: LeafRequest): Promise<string> {
  const authority = new X509Certificate(ca);
  const authorityKeys = await importKeys(caKey);
  const { publicKey } = await importKeys(key);
  const certificate = await X509CertificateGenerator.create({
    subject: "CN=Gatehouse",
    issuer: authority.subject,
    publicKey,
    signingKey: authorityKeys.privateKey,
    ...validFor(leafLifetimeMs),
    signingAlgorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        ...names.dns.map((value) => ({ type: "dns" as const, value })),
        ...names.addresses.map((value) => ({ type: "ip" as const, value })),
      ]),
      // Strict clients, such as Python from 3.13 on, reject a chain without both key identifiers.
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  return pem(certificate);
}

function validFor(lifetimeMs: number): { notBefore: Date; notAfter: Date } {
  const notBefore = Date.now() - clockToleranceMs;
  return { notBefore: new Date(notBefore), notAfter: new Date(notBefore + lifetimeMs) };
}

function pem(certificate: X509Certificate): string {
  return `${certificate.toString("pem").trimEnd()}\n`;
}

async function importKeys(privateKeyPem: string): Promise<webcrypto.CryptoKeyPair> {
  const { subtle } = webcrypto;
  const key = createPrivateKey(privateKeyPem);
  const privateDer = key.export({ type: "pkcs8", format: "der" });
  const publicDer = createPublicKey(key).export({ type: "spki", format: "der" });
  return {
    privateKey: await subtle.importKey("pkcs8", privateDer, keyAlgorithm, true, ["sign"]),
    publicKey: await subtle.importKey("spki", publicDer, keyAlgorithm, true, ["verify"]),
  };
}
