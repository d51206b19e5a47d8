/** The reference for locations: no key or limit; the service's own statement for a fixed page. */
import { locationsStatement } from "../../packages/service/dist/core/locations/list-locations.js";
import { listenBare, organizationsByKey } from "./listen.js";

const organizations = organizationsByKey();
const pageSize = 100;

await listenBare((app, pool) => {
  app.get("/integrations/locations", async (request) => {
    const { rows } = await pool.query({
      name: "list-locations",
      text: locationsStatement,
      values: [organizations.get(request.headers["x-api-key"]), pageSize, 0],
    });
    const totalCount = Number(rows[0].total);
    return {
      data: rows.map(({ total: _total, ...location }) => location),
      totalCount,
      pageSize,
      currentPage: 1,
      totalPages: Math.ceil(totalCount / pageSize),
      hasPreviousPage: false,
      hasNextPage: totalCount > pageSize,
    };
  });
});
