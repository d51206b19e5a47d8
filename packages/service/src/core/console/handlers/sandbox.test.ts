import { errors, reasons } from "@gatehouse-parking/contract";
import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";
import { sampleOrganization, type SampleOrganization } from "../../../../testing/sample-organization.js";
import type { Sample, SampleRun } from "@gatehouse-parking/contract/console";

// Uses the published limits, so that the sample that shows one reaches it. It trusts no proxy, because
// samples do not depend on one.
const gatehouse = useApp({ limits: {} });
let organization: SampleOrganization;
let operator: Visitor;
let root: string;
let samples: Sample[];

beforeAll(async () => {
  organization = await sampleOrganization(gatehouse, { isDemo: true });
  operator = await signedIn(gatehouse, "operator");
  root = `/organizations/${organization.organizationId}/sandbox`;
  samples = (await operator.get(root)).json.samples;
});

test("there is a sample for every reason code and every API error", () => {
  const names = new Set(samples.map(({ name }) => name));
  for (const { code } of reasons) expect(names).toContain(`reason-${code}`);
  for (const name of Object.keys(errors).filter((error) => error !== "loopbackOnly"))
    expect(names).toContain(`error-${name}`);
  expect(names.size).toBe(samples.length);
});

test("every runnable sample gets the promised answer from the live service", async () => {
  const wrong: string[] = [];
  for (const { name, notRunnable, expectedStatus, reasonCode } of samples) {
    const answer = await operator.post(`${root}/samples/${name}/run`);
    if (notRunnable !== undefined) {
      expect(answer.json).toMatchObject({ code: "conflict", errors: [notRunnable] });
      continue;
    }
    const last = (answer.json as SampleRun).exchanges.at(-1)?.answer;
    const code =
      reasonCode === undefined ? undefined : JSON.parse(last?.body ?? "{}").results.at(-1).reasonCode;
    if (last?.status !== expectedStatus || code !== reasonCode)
      wrong.push(`${name}: ${last?.status} ${code} ${last?.body.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
});

test("only samples that need a fault, a broken client, a quota or an upload cannot be run", () => {
  const idle = samples.filter(({ notRunnable }) => notRunnable !== undefined).map(({ name }) => name);
  expect(idle.toSorted()).toEqual(
    [
      "error-captchaUnavailable",
      "error-conflict",
      "error-databaseUnavailable",
      "error-expectationFailed",
      "error-headersTooLarge",
      "error-internal",
      "error-openQuestions",
      "error-overloaded",
      "error-quotaExceeded",
      "error-requestMalformed",
      "error-requestTimeout",
      "error-runNotReadable",
      "error-shuttingDown",
      "error-transferCodingUnknown",
      "reason-3",
      "reason-99",
    ].toSorted(),
  );
});

test("request and answer are shown side by side, without the key", async () => {
  const answer = await operator.post(`${root}/samples/reason-1/run`);
  const { exchanges } = answer.json as SampleRun;
  expect(exchanges).toHaveLength(2);
  expect(exchanges[0]?.request).toMatchObject({ method: "POST", path: "/integrations/transactions" });
  expect(exchanges[0]?.request.headers["X-API-KEY"]).toMatch(/^ghk_\w{6}\.\.\.$/);
  expect(JSON.parse(exchanges[1]?.answer.body ?? "")).toMatchObject({ skippedCount: 1 });
  expect(answer.text).not.toMatch(/ghk_\w{30}/);
  const keys = (await operator.get(`/organizations/${organization.organizationId}/api-keys`)).json.data;
  const own = keys.filter((key: { name: string }) => key.name.startsWith("Sandbox"));
  expect(own).toHaveLength(2);
  for (const { expiresAt } of own) expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
});

test("a reset replaces all records by sample data, keeps locations, keys and users, and does not affect other organizations", async () => {
  const other = await sampleOrganization(gatehouse);
  const own = [organization.runUuid, organization.transactionUuid, organization.leadUuid];
  const { json } = await operator.post(`${root}/reset`);
  expect(json.deleted.transactions).toBeGreaterThan(0);
  const view = async (id: string, path: string) =>
    (await operator.get(`/organizations/${id}${path}`)).json.data;
  for (const path of ["/runs", "/records/transactions", "/records/contacts", "/leads", "/uploads"])
    expect(await view(organization.organizationId, path), path).not.toEqual([]);
  for (const uuid of own) {
    const { hits } = (await operator.get(`/organizations/${organization.organizationId}/search?q=${uuid}`))
      .json;
    expect(hits).toEqual([]);
  }
  for (const path of ["/runs", "/records/transactions", "/leads"])
    expect(await view(other.organizationId, path), path).toHaveLength(1);
  expect(await view(organization.organizationId, "/locations")).toHaveLength(1);
  expect(await view(organization.organizationId, "/api-keys")).not.toEqual([]);
  const listed = await gatehouse.send({
    method: "GET",
    url: "/integrations/imports",
    key: organization.apiKey,
  });
  expect(listed.json.totalCount).toBeGreaterThan(30);
});

test("only the sandbox organization has a sandbox and can be reset", async () => {
  const other = await sampleOrganization(gatehouse);
  const path = `/organizations/${other.organizationId}/sandbox`;
  expect((await operator.get(path)).status).toBe(404);
  expect((await operator.post(`${path}/reset`)).status).toBe(404);
  expect((await operator.post(`${path}/samples/reason-1/run`)).status).toBe(404);
  expect(
    (await operator.get(`/organizations/${other.organizationId}/records/transactions`)).json.data,
  ).toHaveLength(1);
});
