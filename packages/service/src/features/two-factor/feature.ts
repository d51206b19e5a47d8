import type { Feature } from "../../core/feature.js";

/** Codes of an authenticator app besides the password or link, with recovery codes. */
export const twoFactor: Feature = {
  name: "two-factor",
  commands: {
    "user reset-second-factor": async () => (await import("./command.js")).resetSecondFactorCommand(),
  },
  async register({ app, secretKey }) {
    const [{ createVerifyCode }, { twoFactorHandlers }] = await Promise.all([
      import("./verify-code.js"),
      import("./console.js"),
    ]);
    const verifyCode = createVerifyCode(app, secretKey);
    return {
      verifyCode,
      consoleOperations: (api) => twoFactorHandlers(api, { verifyCode, secretKey }),
    };
  },
};
