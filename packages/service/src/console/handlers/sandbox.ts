import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type pg from "pg";
import { resetDemo } from "../../demo/reset-demo.js";
import { defineRoute } from "../access.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import type { SampleWorld } from "../../sandbox/planned-sample.js";
import { runSample } from "../../sandbox/run-sample.js";
import { planSamples, toSample } from "../../sandbox/samples.js";
import { findSampleWorld } from "../../sandbox/sample-world.js";
import { sandboxKeys } from "../../sandbox/sandbox-keys.js";

export interface SandboxParts {
  pool: pg.Pool;
  limits: Record<OperationName, RateLimit>;
}

/** For integrators: the demo organization as a place to try everything, and to start over. */
export async function sandboxRoutes(app: FastifyInstance, { pool, limits }: SandboxParts): Promise<void> {
  const keysFor = sandboxKeys(pool);

  defineRoute(app, "getSandbox", async (request) => {
    const samples = planSamples(await worldOf(request));
    return { organizationUuid: request.organization.id, samples: samples.map(toSample) };
  });

  defineRoute(app, "runSample", async (request) => {
    const { sampleName } = request.params as { sampleName: string };
    const sample = planSamples(await worldOf(request)).find(({ name }) => name === sampleName);
    if (!sample) throw new ConsoleRefused("notFound", [`There is no sample ${sampleName}`]);
    if (sample.notRunnable !== undefined) throw new ConsoleRefused("conflict", [sample.notRunnable]);
    return runSample(app, sample, await keysFor(request.organization.id, request.person.email));
  });

  defineRoute(app, "resetSandbox", async (request) => {
    refuseUnlessDemo(request);
    return {
      deleted: await resetDemo(pool, {
        organizationId: request.organization.id,
        actor: request.person.email,
      }),
    };
  });

  async function worldOf(request: FastifyRequest): Promise<SampleWorld> {
    refuseUnlessDemo(request);
    const organizationId = request.organization.id;
    const world = await findSampleWorld(pool, { organizationId, leadLimit: limits.submitLead.requests });
    if (!world) throw new ConsoleRefused("conflict", ["Create a location first; the samples are for one"]);
    return world;
  }
}

function refuseUnlessDemo(request: FastifyRequest): void {
  if (!request.organization.isDemo)
    throw new ConsoleRefused("notFound", ["The sandbox belongs to the demo organization"]);
}
