import { hash } from "@node-rs/argon2";
import type { Database } from "../src/core/database/pool.js";
import { transaction } from "../src/core/database/transaction.js";
import { addUser, type Role, type User } from "../src/core/organizations/accounts.js";

export const testPassword = "correct horse battery staple";

/** Cheap parameters. passwords.test.ts tests the real cost. */
const cheapHash = hash(testPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** A user with this role and the password of all tests. */
export async function addPerson(
  { work }: Database,
  person: { email: string; role: Role; organizationId?: string | undefined },
): Promise<User> {
  const { role, organizationId } = person;
  const passwordHash = await cheapHash;
  const user = await transaction(work, (client) =>
    addUser(client, {
      ...person,
      organizationId: role === "operator" ? undefined : organizationId,
      passwordHash,
      isAddressProven: true,
      actor: "test",
    }),
  );
  if (!user) throw new Error(`A user with the email ${person.email} already exists`);
  return user;
}
