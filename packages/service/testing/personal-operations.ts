import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";
import { inviteMember } from "../src/core/organizations/invitations.js";
import { consoleRoot, signIn, testPassword, type Visitor } from "./console.js";
import type { TestApp } from "./harness.js";
import type { SampleOrganization } from "./sample-organization.js";
import { authenticator, setUpSecondFactor } from "./second-factor.js";

/** Operations on the caller's own sign-in or saved data, which every role may use. */
export function isPersonalOperation(name: ConsoleOperationName): boolean {
  const { method, path, role } = consoleOperations[name];
  return role !== "public" && method !== "GET" && /^[/]console[/]api[/]session|[/]saved-views/.test(path);
}

/** Prepares what the operation needs, and returns the values for the request. */
export async function preparePersonalOperation(
  gatehouse: TestApp,
  name: ConsoleOperationName,
  person: Visitor,
  { organizationId, leadUuid }: Pick<SampleOrganization, "organizationId" | "leadUuid">,
): Promise<{ url?: string; payload?: string }> {
  switch (name) {
    case "confirmSecondFactor": {
      const { json } = await person.post("/session/second-factor", { currentPassword: testPassword });
      return { payload: JSON.stringify({ code: authenticator(json.secret).code() }) };
    }
    case "renewRecoveryCodes":
    case "removeSecondFactor": {
      const { app } = await setUpSecondFactor(person);
      return { payload: JSON.stringify({ code: app.code(1) }) };
    }
    case "acceptInvitation": {
      const { organizationId } = await gatehouse.tenant();
      const { signInToken } = await inviteMember(gatehouse.database.work, {
        organizationId,
        email: person.email,
        role: "viewer",
        maker: "operator",
        actor: "test",
      });
      return { payload: JSON.stringify({ token: signInToken }) };
    }
    case "endOwnSession": {
      await signIn(gatehouse, person.email, testPassword);
      const sessions = (await person.get("/session/all")).json.data;
      return { url: `${consoleRoot}/session/all/${sessions.at(-1).uuid}` };
    }
    case "removeLeadNote": {
      const notes = `/organizations/${organizationId}/leads/${leadUuid}/notes`;
      const note = await person.post(notes, { text: "Called back" });
      // Viewers cannot create keys and are always rejected.
      return note.status === 200 ? { url: `${consoleRoot}${notes}/${note.json.uuid}` } : {};
    }
    default:
      return {};
  }
}
