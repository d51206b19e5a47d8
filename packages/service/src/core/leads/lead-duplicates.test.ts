import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { leadEmail, leadSubmitter, storedLead } from "../../../testing/leads.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { createLocation } from "../locations/manage-locations.js";

const gatehouse = useApp();
const submitter = () => leadSubmitter(gatehouse);

/** @covers reading 49 */
test("a lead that is sent again is a second lead, marked as a duplicate of the first", async () => {
  const { submit, organizationId } = await submitter();
  const answers = [await submit(), await submit({ email: ` ${leadEmail.toUpperCase()}` }), await submit()];
  const other = await submit({ email: "someone@else.example" });
  const [first, ...repeats] = await Promise.all(
    answers.map((answer) => storedLead(gatehouse, organizationId, answer.json.leadUuid)),
  );
  expect([first.state, first.duplicate_of]).toEqual(["accepted", null]);
  for (const repeat of repeats) expect([repeat.state, repeat.duplicate_of]).toEqual(["accepted", first.id]);
  expect((await storedLead(gatehouse, organizationId, other.json.leadUuid)).duplicate_of).toBeNull();
});

test("concurrent leads of one person are stored one after the other, so duplicates are marked", async () => {
  const { submit, organizationId, locationUuid } = await submitter();
  const holder = await gatehouse.database.work.connect();
  const clicks = [];
  try {
    await holder.query("begin");
    // Inserts of leads wait from now on.
    await holder.query("lock table leads in share mode");
    clicks.push(submit(), submit({ locationUuid: locationUuid.toUpperCase() }), submit());
    await expect.poll(() => waitingForLocks(gatehouse)).toBeGreaterThan(0);
    await expect.poll(() => waitingForLocks(gatehouse), { interval: 200 }).toBe(1);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  const answers = await Promise.all(clicks);
  const leads = await Promise.all(
    answers.map((answer) => storedLead(gatehouse, organizationId, answer.json.leadUuid)),
  );
  expect(leads.filter((lead) => lead.duplicate_of === null)).toHaveLength(1);
});

test("a lead with the same email is not a duplicate at another location or after ten minutes", async () => {
  const { submit, organizationId, locationUuid } = await submitter();
  const elsewhere = await createLocation(gatehouse.database.work, {
    organizationId,
    name: "Second garage",
    address: "2 Main Street",
    city: "New York",
    state: "NY",
    zipcode: "10001",
    timeZone: "America/New_York",
    actor: "test",
  });
  await submit();
  const there = await submit({ locationUuid: elsewhere.uuid });
  expect((await storedLead(gatehouse, organizationId, there.json.leadUuid)).duplicate_of).toBeNull();
  await gatehouse.database.work.query(
    "update leads set created_at = $3 where organization_id = $1 and location_id = $2",
    [organizationId, locationUuid, new Date(Date.now() - 600_000)],
  );
  const later = await submit();
  expect((await storedLead(gatehouse, organizationId, later.json.leadUuid)).duplicate_of).toBeNull();
});
