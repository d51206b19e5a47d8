import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments, type Document } from "yaml";
import { buildProgram } from "../packages/service/src/cli/program.js";
import { readConfig } from "../packages/service/src/config.js";
import { environmentOf, readDockerfile } from "./testing/dockerfile.js";
import { unknownVariables } from "./testing/known-variables.js";

// Manifests are looked into freely; a wrong guess fails the test, not the compiler.
// oxlint-disable-next-line typescript/no-explicit-any
type Manifest = any;

const folder = fileURLToPath(new URL("kubernetes", import.meta.url));
const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
const documents = new Map(
  files.map((file) => {
    const [document, ...more] = parseAllDocuments(read(file)) as Document[];
    expect([file, document?.errors, more]).toEqual([file, [], []]);
    return [file, document?.toJS() as Manifest];
  }),
);
const manifest = (file: string): Manifest => documents.get(file);

const config = manifest("configmap.yaml").data as Record<string, string>;
const deployment = manifest("deployment.yaml").spec;
const pod = deployment.template.spec;
const [container] = pod.containers;
const job = manifest("migrate-job.yaml").spec.template.spec;
const pods = [
  { name: "deployment", spec: pod, container },
  { name: "job", spec: job, container: job.containers[0] },
];

/** The environment of a container: the image's, the ConfigMap's and its own. */
function environmentOfContainer({ env }: { env: { name: string; value: string }[] }): Record<string, string> {
  const dockerfile = readFileSync(path.join(folder, "../../Dockerfile"), "utf8");
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return { ...environmentOf(readDockerfile(dockerfile)), ...config, ...own };
}

/** The same with the Secret's files where this machine can read them. */
async function withSecrets(environment: Record<string, string>): Promise<Record<string, string>> {
  const mounted = await mkdtemp(path.join(tmpdir(), "gatehouse-secrets-"));
  onTestFinished(() => rm(mounted, { recursive: true, force: true }));
  await writeFile(path.join(mounted, "secret-key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  await writeFile(path.join(mounted, "database-password"), "p/a@s+s");
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace("/run/secrets/gatehouse", mounted),
    ]),
  );
}

test.each(pods)(
  "the variables of the $name exist, and make a configuration without a data folder",
  async (one) => {
    const environment = environmentOfContainer(one.container);
    expect(unknownVariables(environment)).toEqual([]);
    const config = readConfig(await withSecrets(environment));
    const { host, username, password } = new URL(config.databaseUrl ?? "");
    expect([host, username, decodeURIComponent(password)]).toEqual(["postgres:5432", "gatehouse", "p/a@s+s"]);
    expect(config).toMatchObject({
      https: false,
      publicUrl: "https://gatehouse.example.com",
      secretKey: Buffer.alloc(32, 7),
    });
  },
);

test.each(pods)("the $name reads secrets that the Secret has, from where it is mounted", (one) => {
  const keys = Object.keys(manifest("secret.example.yaml").stringData);
  const [{ mountPath }] = one.container.volumeMounts;
  const named = one.container.env.map(({ value }: { value: string }) => value);
  expect(named.toSorted()).toEqual(keys.map((key) => `${mountPath}/${key}`).toSorted());
  expect(one.spec.volumes[0].secret.secretName).toBe(manifest("secret.example.yaml").metadata.name);
});

test("the example of a Secret has no secret in it", () => {
  for (const value of Object.values(manifest("secret.example.yaml").stringData))
    expect(value).toBe("REPLACE-ME");
});

test.each(pods)("the $name runs with as few rights as it can", ({ spec, container }) => {
  expect(spec.enableServiceLinks).toBe(false);
  expect(spec.automountServiceAccountToken).toBe(false);
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(container.resources).toMatchObject({ requests: { memory: expect.any(String) }, limits: {} });
});

test("probes ask the plain port: traffic by readiness, restarts by liveness only", () => {
  const ports = new Map(
    container.ports.map((port: { name: string; containerPort: number }) => [port.name, port.containerPort]),
  );
  const { httpPort } = readConfig({});
  const probe = (name: string) => container[name].httpGet;
  for (const name of ["startupProbe", "readinessProbe", "livenessProbe"])
    expect(ports.get(probe(name).port), name).toBe(httpPort);
  expect(probe("readinessProbe").path).toBe("/readyz");
  expect(probe("startupProbe").path).toBe("/readyz");
  expect(probe("livenessProbe").path).toBe("/livez");
  expect(deployment.template.metadata.annotations["prometheus.io/port"]).toBe(String(httpPort));
});

test("a pod that ends has the time to drain and to finish, and is out of the Service before it stops taking requests", () => {
  const drain = Number(config["GATEHOUSE_DRAIN_SECONDS"]);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
    drain + Number(config["GATEHOUSE_SHUTDOWN_SECONDS"]),
  );
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  expect(drain).toBeGreaterThan(periodSeconds * failureThreshold);
});

test("Service, budget and spread mean the Deployment's pods, and not the Job's", () => {
  const labels = deployment.template.metadata.labels;
  const selectors = [
    deployment.selector.matchLabels,
    manifest("service.yaml").spec.selector,
    manifest("pod-disruption-budget.yaml").spec.selector.matchLabels,
    ...pod.topologySpreadConstraints.map((spread: Manifest) => spread.labelSelector.matchLabels),
  ];
  for (const selector of selectors) expect(selector).toEqual(labels);
  expect(manifest("migrate-job.yaml").spec.template.metadata.labels).not.toMatchObject(labels);
});

test("the Ingress leads to the Service, redirects nothing and leaves the 413 to the service", () => {
  const { metadata, spec } = manifest("ingress.example.yaml");
  const { service } = spec.rules[0].http.paths[0].backend;
  expect(service.name).toBe(manifest("service.yaml").metadata.name);
  const port = manifest("service.yaml").spec.ports.find(
    ({ name }: { name: string }) => name === service.port.name,
  );
  expect(container.ports.map(({ name }: { name: string }) => name)).toContain(port.targetPort);
  const prefix = "nginx.ingress.kubernetes.io";
  expect(metadata.annotations[`${prefix}/ssl-redirect`]).toBe("false");
  expect(Number.parseInt(metadata.annotations[`${prefix}/proxy-body-size`], 10)).toBeGreaterThan(5);
});

test("the Job runs a command that exists", async () => {
  const [program, subcommand] = job.containers[0].command;
  expect(program).toBe("gatehouse");
  const { commands } = await buildProgram([]);
  expect(commands.map((command) => command.name())).toContain(subcommand);
});

test("the kustomization names files that exist, and all of them run the release of the changelog", () => {
  const { resources, images } = manifest("kustomization.yaml");
  for (const file of resources) expect(files).toContain(file);
  const changelog = readFileSync(path.join(folder, "../../CHANGELOG.md"), "utf8");
  const [, version] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog) ?? [];
  expect(images[0].newTag).toBe(version);
  for (const one of pods) expect(one.container.image).toBe(`gatehouse:${version}`);
});
