import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { Sample } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { ImportObserver } from "../../core/imports/observe.js";
import { resetToSampleData } from "../demo/reset-demo.js";
import { readLimits } from "../../core/organizations/limit-overrides.js";
import { UserError } from "../../core/refusals/user-error.js";
import { runSample, SandboxKeyCache } from "./run-sample.js";
import { findSampleContext } from "./sample-requests.js";
import { planSamples, showSample } from "./samples.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import type { OrganizationInView } from "../../core/console/sessions/find-session.js";

export interface SandboxParts {
  uncheckedPool: pg.Pool;
  limits: Record<OperationName, RateLimit>;
  observers: readonly ImportObserver[];
}

export async function sandboxHandlers(
  app: FastifyInstance,
  { uncheckedPool, limits, observers }: SandboxParts,
): Promise<void> {
  const keys = new SandboxKeyCache();

  defineConsoleOperation(app, "getSandbox", async ({ pool, organization }) => ({
    organizationUuid: organization.id,
    samples: (await samplesFor(pool, organization)).map(showSample),
  }));

  defineConsoleOperation(app, "runSample", async ({ pool, organization, actor, params: { sampleName } }) => {
    const sample = (await samplesFor(pool, organization)).find(({ name }) => name === sampleName);
    if (!sample) throw new UserError("notFound", [`There is no sample ${sampleName}`]);
    if (sample.notRunnable !== undefined) throw new UserError("conflict", [sample.notRunnable]);
    return runSample(app, sample, await keys.get(pool, organization.id, actor));
  });

  defineConsoleOperation(app, "resetSandbox", async ({ pool, organization, organizationId, actor }) => {
    refuseUnlessDemo(organization);
    // Only deleting the data checks the session: the sample data is imported even if the user loses access.
    const input = { organizationId, actor, observers, emptyIn: pool };
    return { deleted: await resetToSampleData(uncheckedPool, input) };
  });

  async function samplesFor(pool: pg.Pool, organization: OrganizationInView): Promise<Sample[]> {
    refuseUnlessDemo(organization);
    const { requests: leadLimit } = (await readLimits(pool, organization.id, limits)).submitLead;
    const context = await findSampleContext(pool, { organizationId: organization.id, leadLimit });
    if (!context) throw new UserError("conflict", ["Add a location first: the samples need one"]);
    return planSamples(context);
  }
}

function refuseUnlessDemo(organization: OrganizationInView): void {
  if (!organization.isDemo) throw new UserError("notFound", ["Only the demo organization has a sandbox"]);
}
