import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useBrowser } from "../../../../testing/browser/use-browser.js";
import { signedIn, testPassword } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";

const gatehouse = useApp();
const chromium = useBrowser();
let port: number;
/** Another program on the same machine, and the cookies that browsers send to it. */
const cookiesElsewhere: (string | undefined)[] = [];
const another = createServer((request, response) => {
  cookiesElsewhere.push(request.headers.cookie);
  response.setHeader("content-type", "text/html").end("<title>another program</title>");
});

beforeAll(async () => {
  await gatehouse.app.listen({ host: "127.0.0.1", port: 0 });
  port = (gatehouse.app.server.address() as AddressInfo).port;
  await new Promise<void>((resolve) => another.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => another.close(resolve)));

test.each(["127.0.0.1", "localhost"])(
  "a browser keeps the Secure cookie on this machine's plain port and does not send it to other ports (http://%s)",
  async (host) => {
    const { email } = await signedIn(gatehouse, "operator");
    const page = await chromium.browser.newPage();
    // Any page of this origin that may send requests.
    await page.goto(`http://${host}:${port}/docs/`);
    const entered = await page.evaluate(
      async (credentials) => {
        const address = "/console/api/session";
        const options = { headers: { "content-type": "application/json" }, body: credentials };
        const signIn = await fetch(address, { method: "POST", ...options });
        return [signIn.status, (await fetch(address)).status];
      },
      JSON.stringify({ email, password: testPassword }),
    );
    expect(entered).toEqual([200, 200]);
    expect(await page.evaluate("document.cookie")).toBe("");

    cookiesElsewhere.length = 0;
    await page.goto(`http://${host}:${(another.address() as AddressInfo).port}/`);
    expect(cookiesElsewhere.length).toBeGreaterThan(0);
    expect(cookiesElsewhere.filter((cookie) => cookie !== undefined)).toEqual([]);

    await page.goto(`http://${host}:${port}/docs/`);
    const left = await page.evaluate(async () => {
      const address = "/console/api/session";
      const headers = { "content-type": "application/json" };
      const signOut = await fetch(address, { method: "DELETE", headers, body: "{}" });
      return [signOut.status, (await fetch(address)).status];
    });
    expect(left).toEqual([204, 401]);
    await page.close();
  },
);
