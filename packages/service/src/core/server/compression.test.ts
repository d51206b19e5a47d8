import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";

const gatehouse = useApp();

async function largeRun() {
  const partner = await importer(gatehouse);
  const run = await partner.importTransactions(
    ...Array.from({ length: 100 }, (_, index) => partner.transaction(`T-${index}`)),
  );
  const get = (acceptEncoding?: string) =>
    gatehouse.app.inject({
      method: "GET",
      url: `/integrations/imports/${run.referenceUuid}`,
      headers: {
        "x-forwarded-proto": "https",
        "x-api-key": partner.apiKey,
        ...(acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding }),
      },
    });
  return { partner, run, get };
}

test("a large answer is compressed for clients that accept it, with the same content", async () => {
  const { run, get } = await largeRun();
  const plain = await get();
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(plain.json()).toEqual(run);
  for (const accepted of ["gzip", "br, GZIP;q=0.5", "deflate, gzip"]) {
    const compressed = await get(accepted);
    expect(compressed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(compressed.headers["content-length"]).toBe(String(compressed.rawPayload.length));
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(JSON.parse(gunzipSync(compressed.rawPayload).toString())).toEqual(run);
  }
});

test("clients that do not accept compression get the answer uncompressed", async () => {
  const { run, get } = await largeRun();
  for (const accepted of ["", "identity", "br", "gzip;q=0", "gzip;q=0.0, deflate"]) {
    const answer = await get(accepted);
    expect(answer.headers, accepted).not.toHaveProperty("content-encoding");
    expect(answer.headers["vary"], accepted).toBe("Accept-Encoding");
    expect(answer.json(), accepted).toEqual(run);
  }
});

test("a small answer is not compressed", async () => {
  const { partner } = await largeRun();
  const answer = await gatehouse.app.inject({
    method: "GET",
    url: "/integrations/locations",
    headers: { "x-forwarded-proto": "https", "x-api-key": partner.apiKey, "accept-encoding": "gzip" },
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).not.toHaveProperty("content-encoding");
  expect(answer.headers).not.toHaveProperty("vary");
});
