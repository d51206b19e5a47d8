import { errors } from "@gatehouse-parking/contract";
import { afterEach, expect, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { generateApiKey } from "./api-key-format.js";

const oneAMinute = { requests: 1, windowSeconds: 60 };
const gatehouse = useApp({
  limits: { listLocations: oneAMinute, submitLead: { requests: 100, windowSeconds: 60 } },
});
const list = (url: string, key?: string) =>
  gatehouse.send({ method: "GET", url, ...(key === undefined ? {} : { key }) });

afterEach(() => {
  vi.restoreAllMocks();
});

test("missing and wrong keys get different errors, and a malformed key is not looked up", async () => {
  const asked = vi.spyOn(gatehouse.database.gate, "query");
  for (const key of [undefined, ""])
    expect((await list("/integrations/locations", key)).json.message).toBe(errors.keyMissing.message);
  const flipped = generateApiKey().replace(/.$/, (last) => (last === "a" ? "b" : "a"));
  for (const key of ["bad", flipped])
    expect((await list("/integrations/locations", key)).json.message).toBe(errors.keyInvalid.message);
  expect(asked).not.toHaveBeenCalled();
  expect((await list("/integrations/locations", generateApiKey())).json.message).toBe(
    errors.keyInvalid.message,
  );
  expect(asked).toHaveBeenCalledOnce();
});

test("a used-up limit is rejected from the cache, and other operations are served", async () => {
  const { apiKey } = await gatehouse.tenant();
  const statuses = async (url: string, count: number) => {
    const answers = [];
    for (let index = 0; index < count; index += 1) answers.push((await list(url, apiKey)).status);
    return answers;
  };
  expect(await statuses("/integrations/locations", 3)).toEqual([200, 429, 429]);
  expect(await statuses("/integrations/imports", 2)).toEqual([200, 200]);
  const asked = vi.spyOn(gatehouse.database.gate, "query");
  expect(await statuses("/integrations/locations", 1)).toEqual([429]);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(1);
});

test("key usage counts leads and lists, and rejections by rate limit separately from others", async () => {
  const { apiKey, organizationId, locationUuid } = await gatehouse.tenant();
  for (let count = 0; count < 3; count += 1) await list("/integrations/locations", apiKey);
  const lead = await gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid });
  expect(lead.status).toBe(200);
  expect((await gatehouse.post("/integrations/accounts", apiKey, "{")).status).toBe(400);
  await expect
    .poll(async () => {
      const { rows } = await gatehouse.database.work.query(
        `select operation, sum(accepted)::int as accepted, sum(limited)::int as limited,
                sum(refused)::int as refused
         from api_key_usage where organization_id = $1 group by 1 order by 1`,
        [organizationId],
      );
      return rows;
    })
    .toEqual([
      { operation: "importAccounts", accepted: 0, limited: 0, refused: 1 },
      { operation: "listLocations", accepted: 1, limited: 2, refused: 0 },
      { operation: "submitLead", accepted: 1, limited: 0, refused: 0 },
    ]);
});

test("the log says why the key of a lead was rejected", async () => {
  const reasonOf = async (key?: string) => {
    const answer = await gatehouse.send({
      method: "POST",
      url: "/lead/submit",
      ...(key === undefined ? {} : { key }),
      headers: { "content-type": "application/json" },
      payload: "{}",
    });
    expect(answer.status).toBe(403);
    return gatehouse.logged.find(({ reqId }) => reqId === answer.headers["x-request-id"])?.["keyProblem"];
  };
  expect(await reasonOf()).toEqual({ reason: "missing" });
  expect(await reasonOf("bad")).toEqual({ reason: "malformed" });
  expect(await reasonOf(generateApiKey())).toEqual({ reason: "unknown" });
});
