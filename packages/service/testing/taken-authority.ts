import { permissions } from "@gatehouse-parking/contract";
import {
  consoleOperations,
  type ConsoleOperation,
  type ConsoleOperationName,
} from "@gatehouse-parking/contract/console";
import { changeApiKey, revokeApiKey } from "../src/core/organizations/api-keys.js";
import { configureOrganization } from "../src/core/organizations/configure-organization.js";
import { disableOperator } from "../src/core/organizations/operators.js";
import { cookieOf, signedIn, signIn, testPassword, visitor, type Visitor } from "./console.js";
import type { TestApp } from "./harness.js";
import type { SampleOrganization } from "./sample-organization.js";

interface Situation {
  gatehouse: TestApp;
  person: Visitor;
  organization: SampleOrganization;
}

/** Ways in which a user loses the access that a console operation needs. */
export const waysToLoseAccess = {
  "session ended": async ({ gatehouse, person }: Situation) =>
    (await sameElsewhere(gatehouse, person)).delete("/session/others"),
  "signed out": ({ person }: Situation) => person.delete("/session"),
  "password changed": async ({ gatehouse, person }: Situation) =>
    (await sameElsewhere(gatehouse, person)).post("/session/password", {
      currentPassword: testPassword,
      newPassword: "another good password",
    }),
  "member disabled": async (situation: Situation) =>
    (await anotherAdmin(situation)).patch(memberPath(situation), { disabled: true }),
  "member removed": async (situation: Situation) =>
    (await anotherAdmin(situation)).delete(memberPath(situation)),
  "member demoted": async (situation: Situation) =>
    (await anotherAdmin(situation)).patch(memberPath(situation), { role: "viewer" }),
  "second factor required": async ({ gatehouse, organization }: Situation) => {
    const { organizationId } = organization;
    const changes = { organizationId, requiresSecondFactor: true, actor: "test" };
    const noKey = () => Promise.reject(new Error("nothing is encrypted here"));
    await configureOrganization(gatehouse.database.work, noKey, changes);
  },
  "operator disabled": ({ gatehouse, person: { email } }: Situation) =>
    disableOperator(gatehouse.database.work, { email, isDisabled: true, actor: "test" }),
};
export type WayToLoseAccess = keyof typeof waysToLoseAccess;

/** The ways that remove access to this operation. */
export function waysToLose(name: ConsoleOperationName): WayToLoseAccess[] {
  const { role, path }: ConsoleOperation = consoleOperations[name];
  const isOperators = role === "operator";
  return [
    "session ended",
    "signed out",
    "password changed",
    ...(isOperators
      ? ["operator disabled" as const]
      : ["member disabled" as const, "member removed" as const]),
    ...(role === "admin" ? ["member demoted" as const] : []),
    ...(isOperators || path.includes(":organizationUuid") ? ["second factor required" as const] : []),
  ];
}

interface KeyInUse {
  gatehouse: TestApp;
  organization: Pick<SampleOrganization, "organizationId" | "keyId">;
}

/** Ways in which a key loses the access that an API operation needs. */
export const waysToLoseKey = {
  "key revoked": ({ gatehouse, organization }: KeyInUse) =>
    revokeApiKey(gatehouse.database.work, { ...organization, actor: "test" }),
  "key expired": ({ gatehouse, organization }: KeyInUse) =>
    gatehouse.database.work.query("update api_keys set expires_at = clock_timestamp() where id = $1", [
      organization.keyId,
    ]),
  "permission removed": ({ gatehouse, organization }: KeyInUse) =>
    changeApiKey(gatehouse.database.work, {
      ...organization,
      permissions: permissions.filter((permission) => permission.endsWith(":read")),
      actor: "test",
    }),
};
export type WayToLoseKey = keyof typeof waysToLoseKey;

async function sameElsewhere(gatehouse: TestApp, { email, userId }: Visitor): Promise<Visitor> {
  return visitor(gatehouse, email, userId, cookieOf(await signIn(gatehouse, email, testPassword)));
}

function anotherAdmin({ gatehouse, organization }: Situation): Promise<Visitor> {
  return signedIn(gatehouse, "admin", organization.organizationId);
}

function memberPath({ organization, person }: Situation): string {
  return `/organizations/${organization.organizationId}/members/${person.userId}`;
}
