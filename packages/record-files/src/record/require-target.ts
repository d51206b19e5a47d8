import { MappingError, type MappingRefusals, type DataArgument } from "../refusals.js";
import type { ColumnTarget } from "./column-target.js";
import { fieldAt, type Field, type FieldNames, type FieldTree } from "./fields.js";
import type { Mapping } from "./mapping.js";
import type { PlanOptions } from "./plan.js";

interface TargetContext {
  names: FieldNames;
  tree: FieldTree;
  mapping: Mapping;
  options: PlanOptions;
}

/** Throws MappingError if the field does not exist, or cannot have what its column says. */
export function requireTarget(
  column: string,
  target: ColumnTarget,
  { names, tree, mapping, options }: TargetContext,
): void {
  requireKnown([target.to], names, column);
  const path = names.pathOf(target.to) as string;
  const field = fieldAt(tree, path);
  const refuse = <Code extends keyof MappingRefusals>(
    code: Code,
    ...[data]: DataArgument<MappingRefusals[Code]>
  ): never => {
    throw new MappingError(
      { code, data: data ?? {} } as ConstructorParameters<typeof MappingError>[0],
      column,
    );
  };
  if (target.name !== undefined && names.pathOf(`${path}.lastName`) === undefined)
    refuse("noFullName", { path: target.to });
  if (target.location !== undefined) {
    if (!path.endsWith("locationUuid")) refuse("noLocation", { path: target.to });
    if (!options.locations) refuse("locationsNotKnown");
  }
  if (target.after !== undefined)
    for (const time of [target.after, path])
      if (tree.fields.get(time)?.kind !== "time") refuse("notForField", { member: "after", path: time });
  for (const [member, isSet, kinds] of uses(target)) {
    const kind = names.isObject(path) && member !== "with" ? "object" : (field?.kind ?? "text");
    if (isSet && !kinds.includes(kind)) refuse("notForField", { member, path: target.to });
  }
  if (target.with.length > 0 && field?.kind === "time" && !(target.rules ?? mapping.rules)?.time)
    refuse("withoutTime");
  if (target.isLeftOutOnProblem && field?.isRequired && !path.includes("."))
    refuse("requiredField", { path: target.to });
}

type Kind = Field["kind"] | "object";

/** The members of a target that only some kinds of fields can have. */
function uses(target: ColumnTarget): (readonly [string, boolean, readonly Kind[]])[] {
  return [
    ["with", target.with.length > 0, ["text", "time"]],
    ["separator", target.separator !== undefined, ["text"]],
    ["prefix", target.prefix !== undefined, ["text"]],
    ["hash", target.isHashed === true, ["text"]],
    ["scale", target.scale !== undefined, ["amount"]],
    ["timeOfDay", target.timeOfDay !== undefined, ["time"]],
  ];
}

export function requireKnown(paths: readonly string[], names: FieldNames, column?: string): void {
  const unknown = paths.find((path) => names.pathOf(path) === undefined);
  if (unknown === undefined) return;
  throw new MappingError({ code: "unknownField", data: names.unknownName(unknown) }, column);
}
