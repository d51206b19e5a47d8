import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";
import { consoleRoot, signIn, testPassword, type Visitor } from "./console.js";
import type { TestApp } from "./harness.js";
import { authenticator, setUpSecondFactor } from "./second-factor.js";

/** What people change about their own sign-in, whatever their role. */
export function isOwnAffair(name: ConsoleOperationName): boolean {
  const { method, path, role } = consoleOperations[name];
  return role !== "public" && method !== "GET" && path.startsWith(`${consoleRoot}/session`);
}

/** The note that is there to be removed. */
export const sampleNoteUuid = "00000000-0000-7000-8000-000000000001";

/** Brings about what must be there before it succeeds, and gives what the request must say then. */
export async function prepareOwnAffair(
  gatehouse: TestApp,
  name: ConsoleOperationName,
  person: Visitor,
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
    case "endOwnSession": {
      await signIn(gatehouse, person.email, testPassword);
      const sessions = (await person.get("/session/all")).json.data;
      return { url: `${consoleRoot}/session/all/${sessions.at(-1).uuid}` };
    }
    case "removeLeadNote":
      await gatehouse.database.work.query(
        `insert into lead_notes (organization_id, lead_id, id, author_id, author, note, created_at)
         select organization_id, id, $1, $2, $3, 'Called', now() from leads
         on conflict (organization_id, lead_id, id) do update set author_id = excluded.author_id`,
        [sampleNoteUuid, person.userId, person.email],
      );
      return {};
    default:
      return {};
  }
}
