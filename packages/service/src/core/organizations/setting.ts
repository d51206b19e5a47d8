import type { SettingReader } from "@gatehouse-parking/contract";
import type { SecretKeySource } from "./secrets.js";

/** By the names of the wire, or by column. */
export type Values = Readonly<Record<string, unknown>>;
/** Reads standard input. */
export type ReadSecret = (what: string) => Promise<string>;
export type Sealing = SecretKeySource["findOrMake"];

/**
 * A row of the table of organization settings: one setting, or a group whose values depend on each other.
 * Code that shows, changes, exports or loads settings uses the table and names no setting.
 */
export interface OrganizationSetting {
  readonly names: readonly string[];
  readonly columns: readonly string[];
  /** The displayed values of the stored columns, by name. */
  readonly show: (stored: Values) => Values;
  /** The changed columns. Settings that the changes do not name are unchanged. */
  readonly change: (stored: Values, changes: Values, secretKey: Sealing) => Values | Promise<Values>;
  /** A value that is not displayed but changes the version. */
  readonly hidden?: (stored: Values) => Values;
  /** The audit detail of changes that are not displayed. */
  readonly audit?: (changes: Values) => Values;
  readonly readBy?: readonly SettingReader[];
  /** The value that readers get, if it differs from the displayed one. */
  readonly load?: (stored: Values) => Values;
  /** Whether an export may contain this value. Absent: it is not exported. */
  readonly isExportable?: (value: unknown) => boolean;
  readonly commandLine?: SettingOptions;
  /** For the command line: values that need formatting. */
  readonly describe?: (shown: Values) => Values;
}

/** The options of the setting in `gatehouse organization configure`. */
export interface SettingOptions {
  readonly options: readonly (readonly [
    flags: string,
    description: string,
    choices?: readonly string[] | undefined,
  ])[];
  readonly examples: readonly string[];
  /** The changes that the given options ask for. */
  readonly read: (given: Values, readSecret: ReadSecret) => Values | Promise<Values>;
}

interface SettingRow<Stored, Change> {
  name: string;
  /** The first one is shown, and a change sets all of them. */
  columns: readonly string[];
  show?: (stored: Stored) => unknown;
  /** Undefined: unchanged. By default, the value of this name in the changes. */
  changeIn?: (changes: Values) => Change | undefined;
  change: (stored: Stored, change: Change) => unknown;
  readBy?: readonly SettingReader[];
  isExportable?: (value: unknown) => boolean;
  option?: {
    flags: string;
    description: string;
    choices?: readonly string[];
    example?: string | undefined;
    parse: (given: never) => unknown;
  };
  /** For display. */
  describe?: (shown: never) => unknown;
}

/** A setting that depends on no other. */
export function setting<Stored, Change>(row: SettingRow<Stored, Change>): OrganizationSetting {
  const { name, columns, show, changeIn, change, option, describe, ...rest } = row;
  const [column = name] = columns;
  return {
    ...rest,
    names: [name],
    columns,
    show: (stored) => ({ [name]: show ? show(stored[column] as Stored) : stored[column] }),
    change(stored, changes) {
      const wanted = changeIn ? changeIn(changes) : (changes[name] as Change | undefined);
      if (wanted === undefined) return {};
      return Object.fromEntries(columns.map((each) => [each, change(stored[each] as Stored, wanted)]));
    },
    ...(describe && { describe: (shown) => ({ [name]: describe(shown[name] as never) }) }),
    ...(option && { commandLine: oneOption(name, option) }),
  };
}

function oneOption(
  name: string,
  { flags, description, choices, example, parse }: NonNullable<SettingRow<never, never>["option"]>,
): SettingOptions {
  const attribute = attributeOf(flags);
  return {
    options: [[flags, description, choices]],
    examples: example === undefined ? [] : [example],
    read: ({ [attribute]: given }) => (given === undefined ? {} : { [name]: parse(given as never) }),
  };
}

/** The name under which commander keeps the value of --honeypot-field: honeypotField. */
function attributeOf(flags: string): string {
  const [name = ""] = flags.slice(2).split(" ");
  return name.replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase());
}

/** What a user types to switch a setting off. */
export const off = "off";

/** What settings of a kind accept, in exports and on the command line. */
export const kinds = {
  switch: {
    isExportable: (value: unknown) => typeof value === "boolean",
    option: { choices: ["on", off], parse: (state: string) => state !== off },
  },
  text: {
    isExportable: (value: unknown) => value === null || typeof value === "string",
    option: { parse: (text: string) => (text === off ? null : text) },
  },
  list: {
    isExportable: (value: unknown) =>
      Array.isArray(value) && value.every((entry) => typeof entry === "string"),
    option: { parse: (list: string[]) => (list.length === 1 && list[0] === off ? [] : list) },
  },
};
