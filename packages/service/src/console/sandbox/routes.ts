import { randomBytes } from "node:crypto";
import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type pg from "pg";
import { resetDemo } from "../../demo/reset-demo.js";
import { defineRoute } from "../access.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import type { SampleWorld } from "./planned-sample.js";
import { runSample } from "./run-sample.js";
import { planSamples, toSample } from "./samples.js";
import { sandboxKeys } from "./sandbox-keys.js";

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
    const { rows } = await pool.query<{ id: string }>(
      "select id from locations where organization_id = $1 order by is_active desc, id limit 1",
      [request.organization.id],
    );
    if (!rows[0]) throw new ConsoleRefused("conflict", ["Create a location first; the samples are for one"]);
    return {
      locationUuid: rows[0].id,
      unique: randomBytes(4).toString("hex"),
      leadLimit: limits.submitLead.requests,
    };
  }
}

function refuseUnlessDemo(request: FastifyRequest): void {
  if (!request.organization.isDemo)
    throw new ConsoleRefused("notFound", ["The sandbox belongs to the demo organization"]);
}
