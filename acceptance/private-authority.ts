import { KeyObject, webcrypto } from "node:crypto";
import { writeFile } from "node:fs/promises";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** A private certificate authority, as many databases use. */
export interface PrivateAuthority {
  /** PEM. */
  certificate: string;
  /** For a server with this hostname. */
  issueForServer(name: string): Promise<Issued>;
  /** For a client with this user name. */
  issueForClient(user: string): Promise<Issued>;
}

export interface Issued {
  /** Both in PEM. */
  certificate: string;
  key: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 86_400_000;

export async function makeAuthority(name: string): Promise<PrivateAuthority> {
  const keys = await makeKeys();
  const root = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    ...validity(),
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });

  async function issue(commonName: string, usage: ExtendedKeyUsage, names: string[]): Promise<Issued> {
    const { publicKey, privateKey } = await makeKeys();
    const certificate = await X509CertificateGenerator.create({
      subject: `CN=${commonName}`,
      issuer: root.subject,
      publicKey,
      signingKey: keys.privateKey,
      ...validity(),
      signingAlgorithm: algorithm,
      extensions: [
        new ExtendedKeyUsageExtension([usage]),
        new SubjectAlternativeNameExtension(names.map((value) => ({ type: "dns", value }))),
      ],
    });
    const key = KeyObject.from(privateKey).export({ type: "pkcs8", format: "pem" }) as string;
    return { certificate: certificate.toString("pem"), key };
  }

  return {
    certificate: root.toString("pem"),
    issueForServer: (server) => issue(server, ExtendedKeyUsage.serverAuth, [server]),
    issueForClient: (user) => issue(user, ExtendedKeyUsage.clientAuth, []),
  };
}

/** PostgreSQL's tools require that only the owner can read a key. */
export async function writePem(file: string, pem: string): Promise<string> {
  await writeFile(file, pem, { mode: 0o600 });
  return file;
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

function validity(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
}
