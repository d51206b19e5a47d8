import { receiptHeader } from "@gatehouse-parking/contract";
import type { Feature } from "../../core/feature.js";
import { variables } from "./environment.js";

const described = {
  [receiptHeader]: {
    type: "string",
    description:
      "A signed receipt of the run, if the operator has switched receipts on and the end of the run is known: a compact JWS. An addition of Gatehouse to the published interface.",
  },
};

/** Signs the answers of imports, so that a partner can prove what was acknowledged. */
export const receipts: Feature = {
  name: "receipts",
  environment: { variables },
  commands: {
    "receipt-key": async () => (await import("./commands.js")).receiptKeyCommand(),
  },
  commandAdditions: { verify: async () => (await import("./commands.js")).verifyAddition },
  async register({ app, config, database, secretKey }) {
    const [{ ReceiptIssuer, receiptMetrics }, { receiptKeyRoutes }] = await Promise.all([
      import("./receipt-issuer.js"),
      import("./routes.js"),
    ]);
    const missing = receiptMetrics(app.metrics.registry);
    const issuer = config.receipts
      ? new ReceiptIssuer({ database, secretKey, issuer: config.publicUrl, log: app.log, metrics: missing })
      : undefined;
    return {
      routes: (scope) => receiptKeyRoutes(scope, { pool: database.gate }),
      importHeaders: {
        described,
        async headersOf(organizationId, run): Promise<Record<string, string>> {
          const receipt = await issuer?.issue(organizationId, run);
          return receipt === undefined ? {} : { [receiptHeader]: receipt };
        },
      },
    };
  },
};
