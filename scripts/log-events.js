// The table of log lines: level, message and fields of each, read from the source of the service.
import { parseSync } from "vite";
import { visit } from "./security/find-expressions.js";
import { readTracked, trackedFiles } from "./security/repository.js";

/**
 * @typedef {import("./security/find-expressions.js").Node} Node
 * @typedef {{ level: string, message: string, fields: string[] }} LogEvent
 */

const levels = ["info", "warn", "error", "fatal"];
const isSource = (/** @type {string} */ file) =>
  /^packages\/service\/src\/.*\.ts$/.test(file) && !file.endsWith(".test.ts");

/** @returns {LogEvent[]} */
export function logEvents() {
  const events = trackedFiles()
    .filter(isSource)
    .flatMap((file) => eventsOf(file, readTracked(file).toString("utf8")));
  const unique = new Map(events.map((event) => [`${event.level} ${event.message}`, event]));
  return [...unique.values()].toSorted(
    (one, other) =>
      levels.indexOf(other.level) - levels.indexOf(one.level) || one.message.localeCompare(other.message),
  );
}

/** @returns {LogEvent[]} */
export function eventsOf(/** @type {string} */ file, /** @type {string} */ text) {
  /** @type {LogEvent[]} */
  const events = [];
  visit(parseSync(file, text).program, (/** @type {Node} */ node) => {
    if (node.type !== "CallExpression" || !isLogCall(node.callee)) return;
    const last = node.arguments.at(-1);
    const fields = node.arguments.length > 1 ? fieldsOf(node.arguments[0]) : [];
    for (const message of messagesOf(last))
      events.push({ level: node.callee.property.name, message, fields });
  });
  return events;
}

/** A method of a level, called on something named log or logger. */
function isLogCall(/** @type {Node} */ callee) {
  if (callee.type !== "MemberExpression" || !levels.includes(callee.property.name)) return false;
  const { object } = callee;
  return /log(?:ger)?$/i.test(object.name ?? object.property?.name ?? "");
}

/** The texts that an argument can have. A value from elsewhere, such as the output of another program, has none. @returns {string[]} */
function messagesOf(/** @type {Node} */ node) {
  if (node.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node.type === "ConditionalExpression")
    return [...messagesOf(node.consequent), ...messagesOf(node.alternate)];
  if (node.type === "TemplateLiteral")
    return [
      node.quasis
        .map((/** @type {Node} */ quasi, /** @type {number} */ index) =>
          node.expressions[index]
            ? `${quasi.value.cooked}{${nameOf(node.expressions[index])}}`
            : quasi.value.cooked,
        )
        .join(""),
    ];
  return [];
}

function fieldsOf(/** @type {Node} */ node) {
  if (node.type !== "ObjectExpression") return [];
  return node.properties.flatMap((/** @type {Node} */ property) =>
    property.type === "Property" ? [property.key.name ?? property.key.value] : [],
  );
}

function nameOf(/** @type {Node} */ node) {
  return node.name ?? node.property?.name ?? "value";
}
