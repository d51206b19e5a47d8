import { errors } from "@gatehouse-parking/contract";
import { afterEach, expect, test, vi } from "vitest";
import { useApp } from "../../testing/harness.js";
import { generateApiKey } from "../organizations/api-key-format.js";

const oneAMinute = { requests: 1, windowSeconds: 60 };
const gatehouse = useApp({ limits: { listLocations: oneAMinute } });
const list = (url: string, key?: string) =>
  gatehouse.send({ method: "GET", url, ...(key === undefined ? {} : { key }) });

afterEach(() => {
  vi.restoreAllMocks();
});

test("a missing key and a wrong one are told apart, and one that cannot be a key is not looked up", async () => {
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

test("who has used up one operation is refused it from memory, and served the others", async () => {
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
