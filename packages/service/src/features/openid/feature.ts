import type { Feature } from "../../core/feature.js";
import { environment } from "./environment.js";
import { configuredProvider } from "./provider.js";

/** Sign-in to the console through an OpenID provider. */
export const openId: Feature = {
  name: "openid",
  environment,
  commands: { "user unbind-provider": async () => (await import("./command.js")).unbindProviderCommand() },
  async register({ config, database, features }) {
    const { openIdHandlers } = await import("./console.js");
    const provider = await configuredProvider(config);
    const context = { pool: database.console, config, features };
    return {
      signInProvider: provider && { name: provider.name },
      consoleOperations: (api) => openIdHandlers(api, { provider, context }),
    };
  },
};
