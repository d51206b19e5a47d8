import type { ConsoleUnderTest, Tenant } from "./harness.js";

/** The pages of the filled demo organization, below its address. */
export async function pagesOf(
  { database }: ConsoleUnderTest,
  tenant: Tenant,
): Promise<Record<string, string>> {
  const one = async (statement: string) =>
    (await database.work.query(statement, [tenant.organizationUuid])).rows[0].id as string;
  const run = await one("select id from import_runs where organization_id = $1 and failed_count > 0");
  const transaction = await one(
    "select id from transactions where organization_id = $1 and account_id is not null",
  );
  const key = await one("select id from api_keys where organization_id = $1");
  const lead = await one("select id from leads where organization_id = $1");
  return {
    overview: "",
    "import runs": "/imports",
    requests: "/requests",
    "import run": `/imports/${run}`,
    transactions: "/records/transactions",
    transaction: `/records/transactions/${transaction}`,
    leads: "/leads",
    people: "/people",
    lead: `/leads/${lead}`,
    locations: "/locations",
    location: `/locations/${tenant.locationUuid}`,
    uploads: "/uploads",
    "new upload": "/uploads/new",
    sandbox: "/sandbox",
    search: "/search?q=DEMO-1",
    general: "/settings/general",
    "api keys": "/settings/api-keys",
    "api key": `/settings/api-keys/${key}`,
    forms: "/settings/forms",
    limits: "/settings/limits",
    members: "/settings/members",
    "audit log": "/settings/audit",
    "whole export": "/settings/export",
    retention: "/settings/retention",
    storage: "/settings/storage",
  };
}
