import type { SettingReader } from "@gatehouse-parking/contract";
import type { SecretKeySource } from "./secret-key.js";

/** By the names of the wire, or by column. */
export type Values = Readonly<Record<string, unknown>>;
export type Sealing = SecretKeySource["findOrMake"];

/**
 * A row of the table of organization settings: one setting, or a group whose values depend on each other. Everything that
 * shows, changes, exports or loads settings goes through the table and names none.
 */
export interface OrganizationSetting {
  readonly names: readonly string[];
  readonly columns: readonly string[];
  /** What people see of the stored columns, by name. */
  readonly show: (stored: Values) => Values;
  /** The columns that change. What the changes do not name stays as it is. */
  readonly change: (stored: Values, changes: Values, secretKey: Sealing) => Values | Promise<Values>;
  /** What nobody sees, but makes another version. */
  readonly hidden?: (stored: Values) => Values;
  /** What the audit log says of changes that nobody sees. */
  readonly audit?: (changes: Values) => Values;
  readonly readBy?: readonly SettingReader[];
  /** What its readers get, unless it is what people see. */
  readonly load?: (stored: Values) => Values;
  /** Whether a file of an export may hold this value. Absent: it is not exported. */
  readonly isExportable?: (value: unknown) => boolean;
  readonly commandLine?: SettingOptions;
  /** For people at the command line: values that do not print well as they are. */
  readonly describe?: (shown: Values) => Values;
}

/** What a setting adds to `gatehouse organization configure`. */
export interface SettingOptions {
  readonly options: readonly {
    readonly flags: string;
    readonly description: string;
    readonly choices?: readonly string[];
  }[];
  readonly examples: readonly string[];
  /** The changes that the given options ask for. `readSecret` reads standard input. */
  readonly read: (given: Values, readSecret: (what: string) => Promise<string>) => Values | Promise<Values>;
}

interface SettingRow<Stored, Change> {
  name: string;
  /** The first one is shown, and a change changes each of them. */
  columns: readonly string[];
  show?: (stored: Stored) => unknown;
  /** Undefined: it does not change. Unless told otherwise, what the changes hold under its name. */
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
  /** For people. */
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
  { example, parse, ...option }: NonNullable<SettingRow<never, never>["option"]>,
): SettingOptions {
  const attribute = attributeOf(option.flags);
  return {
    options: [option],
    examples: example === undefined ? [] : [example],
    read: ({ [attribute]: given }) => (given === undefined ? {} : { [name]: parse(given as never) }),
  };
}

/** The name under which commander keeps the value of --honeypot-field: honeypotField. */
function attributeOf(flags: string): string {
  const [name = ""] = flags.slice(2).split(" ");
  return name.replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase());
}

/** What a person writes to switch a setting off. */
const off = "off";
export const isOff = (text: string): boolean => text === off;

export function nullIfOff(text: string | undefined): string | null | undefined {
  return text === off ? null : text;
}

export function emptyIfOff(list: string[] | undefined): string[] | undefined {
  return list?.length === 1 && list[0] === off ? [] : list;
}

/** A setting that is on or off. */
export const onOff = {
  change: (_stored: boolean, change: boolean) => change,
  isExportable: (value: unknown) => typeof value === "boolean",
  option: { choices: ["on", off], parse: (state: string) => !isOff(state) },
};
