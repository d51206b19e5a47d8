import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeAuthority, writePem, type Issued, type PrivateAuthority } from "./private-authority.js";
import { startDatabase, type RigDatabase } from "./rigs/database.js";
import { until } from "./running-service.js";

/**
 * A PostgreSQL server that requires TLS: the user `tls_user` with a password, the user `certified` with a
 * client certificate. Its certificate is for `localhost`, from a private CA.
 */
export interface TlsDatabase extends RigDatabase {
  port: number;
  /** Contains the files of an operator: db-ca.pem, db-client.pem, db-client-key.pem. */
  clientFolder: string;
  /** A CA that has signed none of the certificates. */
  otherAuthorityFile: string;
  /** Connection parameters with a client certificate: of another user, and of the CA that signed none. */
  stranger: string;
  forged: string;
}

/** All characters with a meaning in a URL. */
export const password = "p/w@d+#?%:";

export async function startTlsDatabase(): Promise<TlsDatabase> {
  const database = await startDatabase();
  const clientFolder = await mkdtemp(path.join(tmpdir(), "gatehouse-database-tls-"));
  const authority = await makeAuthority("Acme databases");
  const other = await makeAuthority("Somebody else");
  await demandTls(database, authority);

  const clientFile = (name: string, pem: string): Promise<string> =>
    writePem(path.join(clientFolder, name), pem);
  const client = await authority.issueForClient("certified");
  await clientFile("db-ca.pem", authority.certificate);
  await clientFile("db-client.pem", client.certificate);
  await clientFile("db-client-key.pem", client.key);
  const parametersFor = async (name: string, { certificate, key }: Issued): Promise<string> =>
    `sslcert=${await clientFile(`${name}.pem`, certificate)}&sslkey=${await clientFile(`${name}-key.pem`, key)}`;
  return {
    ...database,
    port: Number(new URL(database.connectionString).port),
    clientFolder,
    otherAuthorityFile: await clientFile("other-ca.pem", other.certificate),
    stranger: await parametersFor("stranger", await authority.issueForClient("stranger")),
    forged: await parametersFor("forged", await other.issueForClient("certified")),
    leave: async () => {
      await database.leave();
      await rm(clientFolder, { recursive: true });
    },
  };
}

async function demandTls(database: RigDatabase, authority: PrivateAuthority): Promise<void> {
  const files = path.join(database.folder, "postgres");
  const { uid, gid } = await stat(path.join(files, "PG_VERSION"));
  const serverFile = async (name: string, pem: string): Promise<void> => {
    const file = await writePem(path.join(files, name), pem);
    await chown(file, uid, gid);
  };
  const { certificate, key } = await authority.issueForServer("localhost");
  await serverFile("server.crt", certificate);
  await serverFile("server.key", key);
  await serverFile("client-ca.crt", authority.certificate);
  await database.query(`create role tls_user login password '${password}'`);
  await database.query("create role certified login");
  for (const owner of ["tls_user", "certified"])
    await database.query(`create database of_${owner} owner ${owner}`);
  for (const setting of ["ssl = on", "ssl_ca_file = 'client-ca.crt'"])
    await database.query(`alter system set ${setting}`);
  // The keeper of the server connects without TLS.
  await writeFile(
    path.join(files, "pg_hba.conf"),
    `host all gatehouse 127.0.0.1/32 scram-sha-256
hostssl all tls_user 127.0.0.1/32 scram-sha-256
hostssl all certified 127.0.0.1/32 cert
`,
  );
  await database.query("select pg_reload_conf()");
  // The server reloads its files with a delay.
  await until(async () => (await database.query("show ssl"))[0].ssl === "on");
}
