import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "../running-service.js";
import { makeCertificate } from "./certificate.js";
import type { Program } from "./debian-programs.js";

/** The operator's proxy in front of two instances, with its configuration file from deploy/. */
export interface Front {
  secureAddress: string;
  plainAddress: string;
  /** The CA that clients have to trust. */
  ca: string;
  leave(): Promise<void>;
}

export type FrontName = "nginx" | "haproxy";

interface Places {
  folder: string;
  instances: [number, number];
  securePort: number;
  plainPort: number;
}

export async function startFront(
  name: FrontName,
  program: Program,
  instances: [number, number],
): Promise<Front> {
  const folder = await mkdtemp(path.join(tmpdir(), `gatehouse-front-${name}-`));
  const [securePort, plainPort] = [await freePort(), await freePort()];
  const { certificate, key } = await makeCertificate();
  await writeFile(path.join(folder, "gatehouse.pem"), name === "haproxy" ? certificate + key : certificate);
  await writeFile(path.join(folder, "gatehouse.key"), key);
  const words = await arrange[name]({ folder, instances, securePort, plainPort });
  const child = spawn(program.command, words, {
    env: { ...process.env, ...program.environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "close");
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${said}`);
    return (await answers(securePort)) && (await answers(plainPort));
  });
  return {
    secureAddress: `https://127.0.0.1:${securePort}`,
    plainAddress: `http://127.0.0.1:${plainPort}`,
    ca: certificate,
    async leave() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Only addresses, ports and paths are replaced; the rest is what operators get. Returns the program's arguments. */
const arrange: Record<FrontName, (places: Places) => Promise<string[]>> = {
  async nginx({ folder, instances, securePort, plainPort }) {
    const file = moved("nginx/gatehouse.conf", instances, [
      [/listen \[::\]:\d{1,5}[^;[]{0,20};/g, ""],
      [/listen 443 /g, `listen 127.0.0.1:${securePort} `],
      [/listen 80;/g, `listen 127.0.0.1:${plainPort};`],
      [/\/etc\/nginx\/tls/g, folder],
    ]);
    await writeFile(path.join(folder, "gatehouse.conf"), file);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(" ");
    // The usual content of a distribution's nginx.conf around the file.
    const main = `daemon off; pid ${folder}/pid; error_log stderr; ${process.getuid?.() === 0 ? "user root;" : ""}
      events {} http { access_log off; ${temporary} include ${folder}/gatehouse.conf; }`;
    await writeFile(path.join(folder, "nginx.conf"), main);
    return ["-c", path.join(folder, "nginx.conf"), "-p", folder, "-e", "stderr"];
  },
  async haproxy({ folder, instances, securePort, plainPort }) {
    const file = moved("haproxy/haproxy.cfg", instances, [
      [/^ +(?:log \/dev\/log|user|group) .*$/gm, ""],
      [/bind :443 /g, `bind 127.0.0.1:${securePort} `],
      [/bind :80$/gm, `bind 127.0.0.1:${plainPort}`],
      [/\/etc\/haproxy\/tls/g, folder],
    ]);
    await writeFile(path.join(folder, "haproxy.cfg"), file);
    return ["-db", "-f", path.join(folder, "haproxy.cfg")];
  },
};

function moved(file: string, instances: [number, number], changes: [RegExp, string][]): string {
  let text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), "utf8");
  const addresses: [RegExp, string][] = [
    [/10\.0\.0\.11:8080/g, `127.0.0.1:${instances[0]}`],
    [/10\.0\.0\.12:8080/g, `127.0.0.1:${instances[1]}`],
  ];
  for (const [pattern, replacement] of [...addresses, ...changes]) {
    if (text.search(pattern) === -1) throw new Error(`${file} has nothing like ${pattern}`);
    text = text.replaceAll(pattern, replacement);
  }
  return text;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
