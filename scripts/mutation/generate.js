// Makes mutants of a source file: small changes, each of which a test should notice. All of them are written into one
// instrumented text, each behind a question that is asked when the code runs, so that one warm process can try them all.
import { parseSync } from "vite";

const comparisons = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
};
const sums = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" };
const assignments = { "+=": "-=", "-=": "+=" };
/** What asks whether a mutant is the one that is tried; see runtime.js. */
const question = (number) => `globalThis.isMutant(${number})`;

/**
 * The mutants of a file, `{ number, file, line, within, kind, original, mutated, nth }`, and its text with all of them
 * in it. `nth` counts mutants that are alike otherwise, so that one is found again when lines have moved.
 */
export function mutate(file, text, firstNumber = 1) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const mutants = [];
  const alike = new Map();
  const names = [];

  const source = (node) => text.slice(node.start, node.end);

  function note(node, kind, mutated) {
    const within = names.at(-1) ?? "the module";
    const original = shortened(source(node));
    const mutant = { file, within, kind, original, mutated: shortened(mutated) };
    const key = JSON.stringify(mutant);
    const nth = (alike.get(key) ?? 0) + 1;
    alike.set(key, nth);
    const number = firstNumber + mutants.length;
    const line = text.slice(0, node.start).split("\n").length;
    mutants.push({ number, line, ...mutant, nth });
    return number;
  }

  /** An expression with its mutants in front of it; the innermost ones are in its own text. */
  function expression(node) {
    let result = children(node);
    for (const [kind, mutated] of mutationsOf(node, source))
      result = `(${question(note(node, kind, mutated))} ? (${mutated}) : (${result}))`;
    return result;
  }

  function condition(node, kind = "condition") {
    const mutated = kind === "loop" ? "false" : `!(${source(node)})`;
    const inner = expression(node);
    return `(${question(note(node, kind, mutated))} ? (${mutated}) : (${inner}))`;
  }

  /** The value of a return, or the body of an arrow function. */
  function result(node) {
    const inner = expression(node);
    if (source(node) === "undefined") return inner;
    return `(${question(note(node, "result", "undefined"))} ? undefined : (${inner}))`;
  }

  function statement(node) {
    const isDropped = node.type === "ThrowStatement" || isWork(node);
    if (!isDropped) return children(node);
    const inner = children(node);
    // In a block of its own, or an "else" that follows would belong to it.
    return `{ if (!${question(note(node, "dropped", ""))}) { ${inner} } }`;
  }

  /** The text of a node, with everything inside of it that can be mutated. */
  function children(node) {
    const parts = [];
    let at = node.start;
    for (const { child, as } of partsOf(node)) {
      const own = names.length;
      const name = nameOf(node, child);
      if (name) names.push(name);
      parts.push(text.slice(at, child.start), transformers[as](child));
      names.length = own;
      at = child.end;
    }
    return parts.join("") + text.slice(at, node.end);
  }

  const transformers = {
    expression,
    condition,
    loop: (node) => condition(node, "loop"),
    result,
    statement,
    plain: children,
  };
  return { mutants, text: children(program) + text.slice(program.end) };
}

/** Expressions that stand for another one: `[kind, text]`. */
function mutationsOf(node, source) {
  const { type, operator } = node;
  const sides = (other) => `${source(node.left)} ${other} ${source(node.right)}`;
  if (type === "BinaryExpression" && comparisons[operator])
    return comparisons[operator].map((other) => ["comparison", sides(other)]);
  if (type === "BinaryExpression" && sums[operator] && ![node.left, node.right].some(isText))
    return [["sum", sides(sums[operator])]];
  if (type === "LogicalExpression" && operator === "??") return [["default", source(node.left)]];
  if (type === "LogicalExpression")
    return [["logic", `(${source(node.left)}) ${operator === "&&" ? "||" : "&&"} (${source(node.right)})`]];
  if (type === "UnaryExpression" && operator === "!") return [["negation", source(node.argument)]];
  if (type === "AwaitExpression") return [["await", source(node.argument)]];
  if (type === "AssignmentExpression" && assignments[operator])
    return [["sum", sides(assignments[operator])]];
  if (type === "Literal" && typeof node.value === "boolean") return [["flag", String(!node.value)]];
  if (type === "Literal" && typeof node.value === "number")
    return [
      ["number", `${node.value} + 1`],
      ["number", `${node.value} - 1`],
    ];
  if (isText(node) && node.value !== "") return [["text", '""']];
  return [];
}

function isText(node) {
  return (node.type === "Literal" && typeof node.value === "string") || node.type === "TemplateLiteral";
}

/** A statement that does something: a call, or an assignment to what was there before. */
function isWork({ type, expression }) {
  const work = [
    "CallExpression",
    "AwaitExpression",
    "AssignmentExpression",
    "UpdateExpression",
    "ChainExpression",
  ];
  return type === "ExpressionStatement" && (work.includes(expression.type) || expression.operator === "void");
}

/** What of a node is looked into, in the order of the text, and as what. Types and names are left alone. */
function partsOf(node) {
  const parts = [];
  const add = (child, as) => {
    if (Array.isArray(child)) for (const one of child) add(one, as);
    else if (child && !child.type.startsWith("TSType") && isCode(child))
      parts.push({ child, as: isStatement(child) ? "statement" : as });
  };
  const { type } = node;
  if (type === "IfStatement" || type === "ConditionalExpression") add(node.test, "condition");
  else if (type === "WhileStatement" || type === "ForStatement" || type === "DoWhileStatement")
    add(node.test, "loop");
  if (type === "ReturnStatement") add(node.argument, "result");
  if (type === "ArrowFunctionExpression" && node.expression) add(node.body, "result");
  const seen = new Set(parts.map(({ child }) => child));
  for (const [field, child] of Object.entries(node)) {
    if (skippedFields.has(field) || seen.has(child) || isName(node, field)) continue;
    if (Array.isArray(child) || typeof child?.type === "string")
      add(child, isTarget(type, field, child) ? "plain" : "expression");
  }
  return parts.toSorted((one, other) => one.child.start - other.child.start);
}

const skippedFields = new Set([
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "typeArguments",
  "superTypeArguments",
  "implements",
  "decorators",
  "label",
  "source",
  "quasi",
  "quasis",
  "regex",
  "range",
]);
/** What is assigned to, or called, has to stay what it is. */
const targetFields = new Set([
  "AssignmentExpression.left",
  "UpdateExpression.argument",
  "ForOfStatement.left",
  "ForInStatement.left",
  "CallExpression.callee",
  "NewExpression.callee",
  "ChainExpression.expression",
  "VariableDeclarator.id",
  "AssignmentPattern.left",
]);

function isTarget(type, field, child) {
  if (type === "ExpressionStatement") return child.type !== "AwaitExpression";
  return targetFields.has(`${type}.${field}`);
}

function isName(node, field) {
  const named = ["Property", "PropertyDefinition", "MethodDefinition"].includes(node.type) && field === "key";
  const member = node.type === "MemberExpression" && field === "property";
  return (named || member) && !node.computed;
}

function isCode(node) {
  if (/^(Import|TSInterface|TSType|TSEnum|TSModule|TSDeclare|ExportAll)/.test(node.type)) return false;
  return !(node.type === "ExportNamedDeclaration" && !node.declaration) && node.importKind !== "type";
}

function isStatement({ type }) {
  return type === "ExpressionStatement" || type === "ThrowStatement";
}

/** Functions give their mutants a name to be found by. */
function nameOf(node, child) {
  if (!/Function/.test(child.type) && node.type !== "FunctionDeclaration") return undefined;
  if (node.type === "VariableDeclarator") return node.id.name;
  if (["Property", "MethodDefinition", "PropertyDefinition"].includes(node.type)) return node.key.name;
  return node.type === "FunctionDeclaration" ? node.id?.name : undefined;
}

function shortened(code) {
  const line = code.replaceAll(/\s+/g, " ");
  return line.length <= 160 ? line : `${line.slice(0, 100)} ... ${line.slice(-50)}`;
}
