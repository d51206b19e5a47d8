import { receiptHeader } from "@gatehouse-parking/contract";
import { readSwitch } from "../../core/config/readers.js";
import type { Feature } from "../../core/feature.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** Adds a signed receipt to the answers of imports. */
    receipts: boolean;
  }
}

const described = {
  [receiptHeader]: {
    type: "string",
    description:
      "A signed receipt of the import, if the operator has enabled receipts and the outcome of the import is known: a compact JWS. An addition of Gatehouse to the published interface.",
  },
};

/** Signs the answers of imports, so that a partner can prove what was acknowledged. */
export const receipts: Feature = {
  name: "receipts",
  environment: {
    variables: {
      receipts: {
        name: "GATEHOUSE_RECEIPTS",
        read: readSwitch,
        whenUnset: false,
        shownDefault: "off",
        description:
          "on: the answer of every import has a signed receipt in the header X-Import-Receipt, and the public keys are at /.well-known/gatehouse-receipts.json.",
      },
    },
  },
  commands: {
    "receipt-key": async () => (await import("./commands.js")).receiptKeyCommand(),
  },
  commandAdditions: { verify: async () => (await import("./commands.js")).verifyAddition },
  async register({ app, config, database, secretKey }) {
    const [{ ReceiptIssuer, missingReceiptsCounter }, { receiptKeyRoutes }] = await Promise.all([
      import("./receipt-issuer.js"),
      import("./routes.js"),
    ]);
    const missingReceipts = missingReceiptsCounter(app.metrics.registry);
    const issuer = config.receipts
      ? new ReceiptIssuer({ database, secretKey, issuer: config.publicUrl, log: app.log, missingReceipts })
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
