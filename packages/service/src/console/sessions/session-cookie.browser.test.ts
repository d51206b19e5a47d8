import type { AddressInfo } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { useBrowser } from "../../../testing/browser/use-browser.js";
import { signedIn, testPassword } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";

const gatehouse = useApp();
const chromium = useBrowser();
let port: number;

beforeAll(async () => {
  await gatehouse.app.listen({ host: "127.0.0.1", port: 0 });
  port = (gatehouse.app.server.address() as AddressInfo).port;
});

test.each(["127.0.0.1", "localhost"])(
  "a browser keeps the Secure __Host- cookie on the plain port of this machine too (http://%s)",
  async (host) => {
    const { email } = await signedIn(gatehouse, "operator");
    const page = await chromium.browser.newPage();
    // Any page of this origin that may send requests.
    await page.goto(`http://${host}:${port}/docs/`);
    const statuses = await page.evaluate(
      async (credentials) => {
        const address = "/console/api/session";
        const options = { headers: { "content-type": "application/json" }, body: credentials };
        const signIn = await fetch(address, { method: "POST", ...options });
        const session = await fetch(address);
        const signOut = await fetch(address, { method: "DELETE", ...options, body: "{}" });
        const after = await fetch(address);
        return [signIn.status, session.status, signOut.status, after.status];
      },
      JSON.stringify({ email, password: testPassword }),
    );
    expect(statuses).toEqual([200, 200, 204, 401]);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.close();
  },
);
