import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { configureOrganization } from "../organizations/configure-organization.js";

const gatehouse = useApp();

async function trapped() {
  const tenant = await gatehouse.tenant();
  await configureOrganization(gatehouse.database.work, async () => Buffer.alloc(32, 7), {
    organizationId: tenant.organizationId,
    honeypotField: "website",
    actor: "test",
  });
  let visitor = 0;
  const stateAfter = async (fields: object) => {
    visitor += 1;
    const answer = await gatehouse.post("/lead/submit", tenant.apiKey, {
      email: `visitor-${visitor}@example.com`,
      locationUuid: tenant.locationUuid,
      ...fields,
    });
    const { rows } = await gatehouse.database.work.query(
      "select state from leads where organization_id = $1 and id = $2",
      [tenant.organizationId, answer.json.leadUuid],
    );
    return { answer, state: rows[0].state };
  };
  return { ...tenant, stateAfter };
}

test("a lead with a filled honeypot, at the top level or in metadata, is quarantined and gets the usual answer", async () => {
  const { stateAfter } = await trapped();
  const honest = await stateAfter({});
  for (const fields of [
    { website: "http://spam.example" },
    { metadata: { website: "x" } },
    { website: true },
    { website: 1 },
  ]) {
    const caught = await stateAfter(fields);
    expect(caught.state).toBe("quarantined");
    expect(caught.answer.status).toBe(200);
    expect(caught.answer.json).toEqual({
      ...honest.answer.json,
      leadUuid: expect.any(String),
      timestamp: expect.any(String),
    });
    expect(Object.keys(caught.answer.headers)).toEqual(Object.keys(honest.answer.headers));
  }
});

test("an empty honeypot field does not quarantine a lead", async () => {
  const { stateAfter } = await trapped();
  const empty = [
    {},
    { website: "" },
    { website: "  " },
    { website: null },
    { website: false },
    { metadata: { website: "" } },
  ];
  for (const fields of empty) expect((await stateAfter(fields)).state).toBe("accepted");
});

test("a lead is not a duplicate of a quarantined one", async () => {
  const { stateAfter, organizationId } = await trapped();
  const email = "same@example.com";
  await stateAfter({ email, website: "spam" });
  const honest = await stateAfter({ email });
  const { rows } = await gatehouse.database.work.query(
    "select duplicate_of from leads where organization_id = $1 and id = $2",
    [organizationId, honest.answer.json.leadUuid],
  );
  expect(rows).toEqual([{ duplicate_of: null }]);
});

test("without a honeypot setting, a field of that name has no effect", async () => {
  const { apiKey, locationUuid, organizationId } = await gatehouse.tenant();
  await gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid, website: "x" });
  const { rows } = await gatehouse.database.work.query("select state from leads where organization_id = $1", [
    organizationId,
  ]);
  expect(rows).toEqual([{ state: "accepted" }]);
});
