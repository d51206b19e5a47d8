import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { ImportObserver } from "../../core/imports/observe.js";
import { resetToSampleData } from "../demo/reset-demo.js";
import { readLimits } from "../../core/organizations/limit-overrides.js";
import { UserError } from "../../core/refusals/user-error.js";
import { type PlannedSample, findSampleWorld } from "./planned-sample.js";
import { runSample } from "./run-sample.js";
import { planSamples, toSample } from "./samples.js";
import { sandboxKeys } from "./sandbox-keys.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import type { OrganizationInView } from "../../core/console/sessions/find-session.js";

export interface SandboxParts {
  uncheckedPool: pg.Pool;
  limits: Record<OperationName, RateLimit>;
  observers: readonly ImportObserver[];
}

/** For integrators: the demo organization as a place to try everything, and to start over. */
export async function sandboxHandlers(
  app: FastifyInstance,
  { uncheckedPool, limits, observers }: SandboxParts,
): Promise<void> {
  const keysFor = sandboxKeys();

  defineConsoleOperation(app, "getSandbox", async ({ pool, organization }) => ({
    organizationUuid: organization.id,
    samples: (await samplesFor(pool, organization)).map(toSample),
  }));

  defineConsoleOperation(app, "runSample", async ({ pool, organization, actor, params: { sampleName } }) => {
    const sample = (await samplesFor(pool, organization)).find(({ name }) => name === sampleName);
    if (!sample) throw new UserError("notFound", [`There is no sample ${sampleName}`]);
    if (sample.notRunnable !== undefined) throw new UserError("conflict", [sample.notRunnable]);
    return runSample(app, sample, await keysFor(pool, organization.id, actor));
  });

  defineConsoleOperation(app, "resetSandbox", async ({ pool, organization, organizationId, actor }) => {
    refuseUnlessDemo(organization);
    // What is emptied is filled again whoever began it.
    const input = { organizationId, actor, observers, emptyIn: pool };
    return { deleted: await resetToSampleData(uncheckedPool, input) };
  });

  async function samplesFor(pool: pg.Pool, organization: OrganizationInView): Promise<PlannedSample[]> {
    refuseUnlessDemo(organization);
    const { requests: leadLimit } = (await readLimits(pool, organization.id, limits)).submitLead;
    const world = await findSampleWorld(pool, { organizationId: organization.id, leadLimit });
    if (!world) throw new UserError("conflict", ["Add a location first: the samples need one"]);
    return planSamples(world);
  }
}

function refuseUnlessDemo(organization: OrganizationInView): void {
  if (!organization.isDemo) throw new UserError("notFound", ["The sandbox belongs to the demo organization"]);
}
