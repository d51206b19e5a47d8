// Finds every regular expression in a source file: literals and `new RegExp` with constant text.
import { parseSync } from "vite";

/**
 * A node of the syntax tree, of any kind.
 * @typedef {any} Node
 * @typedef {{ file: string, line: number, source: string, flags: string } | { file: string, line: number, unknown: string }} Expression
 */

/**
 * Returns `{ file, line, source, flags }` for each expression, or `{ file, line, unknown }` if it is built
 * from values that are not constants of the file. Such expressions cannot be checked and are not allowed.
 */
export function findExpressions(/** @type {string} */ file, /** @type {string} */ text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const constants = constantsOf(program);
  /** @type {Expression[]} */
  const found = [];
  visit(program, (/** @type {Node} */ node) => {
    const line = () => text.slice(0, node.start).split("\n").length;
    if (node.type === "Literal" && node.regex)
      found.push({ file, line: line(), source: node.regex.pattern, flags: node.regex.flags });
    else if (makesExpression(node)) {
      const [source, flags = ""] = node.arguments.map((/** @type {Node} */ argument) =>
        valueOf(argument, constants),
      );
      if (node.arguments[0]?.regex) return;
      if (typeof source === "string" && typeof flags === "string")
        found.push({ file, line: line(), source, flags });
      else found.push({ file, line: line(), unknown: text.slice(node.start, node.end) });
    }
  });
  return found;
}

/** Every `pattern` in a JSON Schema. A property with that name is an object, not text. */
export function findPatterns(/** @type {string} */ file, /** @type {unknown} */ value) {
  /** @type {{ file: string, line: number, source: string, flags: string }[]} */
  const found = [];
  visit(value, (/** @type {Node} */ node) => {
    if (typeof node.pattern === "string") found.push({ file, line: 1, source: node.pattern, flags: "u" });
  });
  return found;
}

function makesExpression(/** @type {Node} */ node) {
  return (
    (node.type === "NewExpression" || node.type === "CallExpression") &&
    (node.callee.name === "RegExp" || node.callee.property?.name === "RegExp")
  );
}

function constantsOf(/** @type {Node} */ program) {
  const constants = new Map();
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") continue;
    for (const { id, init } of declaration.declarations)
      if (id.type === "Identifier" && init) constants.set(id.name, init);
  }
  return constants;
}

/**
 * The text or number that an expression stands for, if it is made of constants; otherwise undefined.
 * @returns {any}
 */
function valueOf(/** @type {Node} */ node, /** @type {Map<string, Node>} */ constants) {
  if (node.type === "Literal" && ["string", "number"].includes(typeof node.value)) return node.value;
  if (node.type === "Identifier" && constants.has(node.name))
    return valueOf(constants.get(node.name), constants);
  if (node.type === "TemplateLiteral") return joined(node, "cooked", constants);
  if (node.type === "TaggedTemplateExpression" && isStringRaw(node.tag))
    return joined(node.quasi, "raw", constants);
  if (node.type === "BinaryExpression" && node.operator === "+") {
    const [left, right] = [valueOf(node.left, constants), valueOf(node.right, constants)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
}

function isStringRaw(/** @type {Node} */ tag) {
  return tag.object?.name === "String" && tag.property?.name === "raw";
}

function joined(
  /** @type {Node} */ template,
  /** @type {"cooked" | "raw"} */ spelling,
  /** @type {Map<string, Node>} */ constants,
) {
  const values = template.expressions.map((/** @type {Node} */ expression) => valueOf(expression, constants));
  if (values.includes(undefined)) return undefined;
  return template.quasis
    .map(
      (/** @type {Node} */ quasi, /** @type {number} */ index) =>
        quasi.value[spelling] + (values[index] ?? ""),
    )
    .join("");
}

/** Calls `look` for every node of a syntax tree. */
export function visit(/** @type {Node} */ node, /** @type {(node: Node) => void} */ look) {
  if (node === null || typeof node !== "object") return;
  if (!Array.isArray(node)) look(node);
  for (const child of Object.values(node)) visit(child, look);
}
