import {
  consoleOperations,
  maxFormBytes,
  type AnswerOf,
  type BodyOf,
  type ConsoleOperation,
  type ConsoleOperationName,
  type ParametersOf,
  type QueryOf,
} from "@gatehouse-parking/contract/console";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import type { Actor } from "../audit/audit.js";
import { clientAddress } from "../server/client-address.js";
import { inputReader } from "./read-input.js";
import type { OrganizationInView, Person } from "./sessions/find-session.js";

/** The arguments of a handler, validated against the declaration of the operation. */
export interface ConsoleCall<Name extends ConsoleOperationName> {
  params: ParametersOf<Name>;
  query: Filled<QueryOf<Name>>;
  body: BodyOf<Name>;
  /** The signed-in user, and the actor for the audit log. */
  person: Person;
  actor: Actor;
  /** The organization of the path. It exists and the user may see it. */
  organization: IfInOrganization<Name, OrganizationInView>;
  organizationId: IfInOrganization<Name, string>;
  /** For all reads and writes of the operation. access.ts describes what it adds to a write. */
  pool: pg.Pool;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Undefined where the path names no organization. */
type IfInOrganization<
  Name extends ConsoleOperationName,
  Value,
> = "organizationUuid" extends keyof ParametersOf<Name> ? Value : undefined;

/** Query fields that have a default are always present. */
type Filled<Query> = Query & Required<Pick<Query, Extract<keyof Query, "limit" | "page" | "pageSize">>>;

export type ConsoleHandler<Name extends ConsoleOperationName> = (
  call: ConsoleCall<Name>,
) => Promise<AnswerOf<Name> | FastifyReply>;

/**
 * Registers an operation of the console's interface. Its declaration says who may use it, which access.ts
 * enforces, and what it accepts and returns.
 */
export function defineConsoleOperation<Name extends ConsoleOperationName>(
  app: FastifyInstance,
  name: Name,
  handler: ConsoleHandler<Name>,
): void {
  const { method, path, role, maxBytes }: ConsoleOperation = consoleOperations[name];
  const readInput = inputReader(name);
  app.route({
    method,
    url: path,
    // HEAD would be a second way to call the operation that the table does not show.
    exposeHeadRoute: false,
    bodyLimit: maxBytes ?? maxFormBytes,
    config: { access: role === "public" ? "public" : "session", consoleOperation: name },
    // The console's interface has a separate document.
    schema: { hide: true },
    handler: async (request, reply) => {
      const { person, organization } = request;
      return handler({
        ...((await readInput(request)) as Pick<ConsoleCall<Name>, "params" | "query" | "body">),
        person,
        actor: { email: person?.email, address: clientAddress(request) },
        organization: organization as ConsoleCall<Name>["organization"],
        organizationId: organization?.id as ConsoleCall<Name>["organizationId"],
        pool: request.consolePool,
        request,
        reply,
      });
    },
  });
}
