import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";

const gatehouse = useApp();
const organizationCount = 230;
let operator: Visitor;
let lastId: string;

beforeAll(async () => {
  operator = await signedIn(gatehouse, "operator");
  const { rows } = await gatehouse.database.work.query<{ id: string }>(
    `insert into organizations (id, name)
     select gen_random_uuid(), 'Parking ' || to_char(number, 'FM000') from generate_series(1, $1) as number
     returning id`,
    [organizationCount],
  );
  lastId = rows.at(-1)?.id as string;
});

const list = async (query: string) => (await operator.get(`/organizations${query}`)).json;
const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);

test("every organization can be reached page by page, sorted by name", async () => {
  const seen: string[] = [];
  const { totalCount, totalPages } = await list("?query=parking&pageSize=100");
  expect([totalCount, totalPages]).toEqual([organizationCount, 3]);
  for (let page = 1; page <= totalPages; page += 1)
    seen.push(...names(await list(`?query=parking&pageSize=100&page=${page}`)));
  expect(seen).toHaveLength(organizationCount);
  expect(seen).toEqual([...new Set(seen)].toSorted());
  expect(await list("?query=parking&pageSize=100&page=4")).toMatchObject({ data: [], hasNextPage: false });
});

test("an organization behind the first page is found by part of its name or the beginning of its uuid", async () => {
  expect(names(await list("?query=KING%20230"))).toEqual(["Parking 230"]);
  for (const beginning of [lastId, lastId.toUpperCase(), lastId.slice(0, 20), ` ${lastId.slice(0, 13)} `])
    expect(names(await list(`?query=${encodeURIComponent(beginning)}`)), beginning).toEqual(["Parking 230"]);
});

test.each(["%", "_", "\u0000", "no such name", "ffffffff-ffff-ffff-ffff-ffffffffffff0"])(
  "a search for %j finds nothing and does not fail",
  async (text) => {
    expect(await list(`?query=${encodeURIComponent(text)}`)).toMatchObject({ data: [], totalCount: 0 });
  },
);

test("a member finds only their own organization, whatever they search for", async () => {
  const { organizationId } = await gatehouse.tenant();
  const viewer = await signedIn(gatehouse, "viewer", organizationId);
  expect((await viewer.get("/organizations")).json.totalCount).toBe(1);
  expect((await viewer.get(`/organizations?query=${lastId}`)).json.data).toEqual([]);
});
