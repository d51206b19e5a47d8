// No tracked file may contain a secret: private keys, tokens of well-known services, passwords in addresses,
// and Gatehouse keys.
import { lintSource } from "@secretlint/core";
import { creator as wellKnownSecrets } from "@secretlint/secretlint-rule-preset-recommend";
import { isWellFormedApiKey } from "../../packages/service/dist/core/gate/api-key-format.js";
import { isMain, readTracked, report, trackedFiles } from "./repository.js";

/** Placeholder passwords of examples and tests. */
const placeholders = new Set(["password", "secret", "hunter2", "p%40ss", "p"]);
const addressWithPassword = /:\/\/[^\s:/@"'`<>]{1,100}:([^\s:/@"'`<>]{1,100})@/g;
/** Includes short elliptic-curve keys, which the library misses. */
const privateKey = /PRIVATE KEY-----\s{1,4}[\w+/=]{9}/g;
const gatehouseKey = /\bghk_[0-9A-Za-z]{36}\b/g;

/** One line per secret, without the secret itself. */
export async function findSecrets(/** @type {string} */ file, /** @type {string} */ text) {
  // Replaced by spaces, so that positions stay the same.
  const rest = text.replaceAll(
    addressWithPassword,
    (/** @type {string} */ address, /** @type {string} */ password) =>
      isPlaceholder(password) ? " ".repeat(address.length) : address,
  );
  const found = [
    ...(await wellKnown(file, rest)),
    ...[...rest.matchAll(addressWithPassword)].map(({ index }) => ({
      index,
      what: "an address with a password",
    })),
    ...[...rest.matchAll(privateKey)].map(({ index }) => ({ index, what: "a private key" })),
    ...[...rest.matchAll(gatehouseKey)]
      .filter(([key]) => isWellFormedApiKey(key))
      .map(({ index }) => ({ index, what: "an API key of Gatehouse" })),
  ];
  return found.map(({ index, what }) => `${file}:${rest.slice(0, index).split("\n").length} has ${what}`);
}

function isPlaceholder(/** @type {string} */ password) {
  return placeholders.has(password) || password.startsWith("$");
}

async function wellKnown(/** @type {string} */ file, /** @type {string} */ text) {
  const { messages } = await lintSource({
    source: { filePath: file, content: text, ext: "", contentType: "text" },
    options: { config: { rules: [{ id: "well-known", rule: wellKnownSecrets, rules: [], options: {} }] } },
  });
  return messages.map(({ range, messageId }) => ({
    index: range[0],
    what: `what looks like a secret (${messageId})`,
  }));
}

if (isMain(import.meta.url)) {
  const problems = [];
  const files = trackedFiles().map((file) => ({ file, content: readTracked(file) }));
  const texts = files.filter(({ content }) => !content.includes(0));
  for (const { file, content } of texts)
    problems.push(...(await findSecrets(file, content.toString("utf8"))));
  report(problems, `no secrets in ${texts.length} files`);
  // The library recorded the time of every step and would now compare all of them.
  process.exit();
}
