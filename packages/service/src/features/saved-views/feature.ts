import type { Feature } from "../../core/feature.js";

/** Named filters of a list. */
export const savedViews: Feature = {
  name: "saved-views",
  deleteMemberData: async (client, { organizationId, userId }) => {
    await client.query("delete from saved_views where organization_id = $1 and user_id = $2", [
      organizationId,
      userId,
    ]);
  },
  async register() {
    const { savedViewHandlers } = await import("./console.js");
    return { consoleOperations: (api) => savedViewHandlers(api) };
  },
};
