import { maxExamples, type Finding, type OverallCheck } from "./check.js";

/**
 * The first organization of a person lies in users and the others in memberships, so that no unique key covers both. An
 * operator sees every organization and belongs to none.
 */
export const membershipCheck: OverallCheck = {
  name: "keys: nobody belongs to an organization twice, and no operator to any",
  run: async (client) => {
    const { rows } = await client.query<Finding>(
      `select count(*)::float8 as read, count(*) filter (where is_wrong)::float8 as violations,
              coalesce((array_agg(id::text) filter (where is_wrong))[1:${maxExamples}], '{}') as examples
       from (
         select memberships.id, memberships.organization_id = users.organization_id
                or users.role = 'operator' and memberships.accepted_at is not null as is_wrong
         from memberships join users on users.id = memberships.user_id
       ) as judged`,
    );
    return rows[0] as Finding;
  },
};
