/** The value of a setting, by its kind. */
export interface SettingValues {
  switch: boolean;
  text: string | null;
  list: string[];
}

/** Who gets a setting together with the API key, so that it costs no statement of its own. */
export type SettingReader = "imports" | "leads";

/**
 * A setting with one value. From this row derive its column (its name in snake case), the fields of the console's interface, its
 * option on the command line, its place in exports, its field in the console's form, and what imports or leads are given.
 */
export interface PlainSetting {
  kind: keyof SettingValues;
  /** That of the column, if it is not that of its kind: off, none. */
  default?: SettingValues[PlainSetting["kind"]];
  description?: string;
  /** What people must know who change it. */
  changing?: string;
  readBy?: SettingReader;
  /** Unless told otherwise, exports have it. */
  isExported?: boolean;
  /** Of `gatehouse organization configure`. */
  option?: { flags: string; description: string; example?: string };
  /** Absent: it has no field in the form. */
  form?: { panel: string; label: string; help: string; placeholder?: string };
}

/** In the order in which they are shown. */
export const plainSettings = {
  honeypotField: {
    kind: "text",
    readBy: "leads",
    option: {
      flags: "--honeypot-field <name>",
      description: "a form field that only bots fill in, or off",
      example: "--honeypot-field website --lead-origin https://www.example.com",
    },
    form: {
      panel: "Forms",
      label: "Honeypot field",
      help: "A hidden field in your form that only bots fill in. Leads with a value in it are quarantined.",
      placeholder: "website",
    },
  },
  leadOrigins: {
    kind: "list",
    readBy: "leads",
    option: {
      flags: "--lead-origin <origin...>",
      description: "web origins that may submit leads with any key, or off",
    },
    form: {
      panel: "Forms",
      label: "Allowed lead origins",
      help: "Websites that may submit leads, such as https://www.example.com. An API key can have its own list.",
    },
  },
  requiresSecondFactor: {
    kind: "switch",
    description: "Whoever looks at the organization without one is refused: 403, secondFactorMissing.",
    changing: "Only somebody who has a second factor may switch it on.",
    option: {
      flags: "--require-second-factor <state>",
      description: "whether people need a second factor to look at it in the console",
      example: "--require-second-factor on",
    },
  },
  keepsSentValues: {
    kind: "switch",
    default: true,
    description: "Whether runs keep for a while what failed records had in the fields that were wrong.",
    changing: "Switched off, nothing new is kept; what is kept already goes when its time is over.",
    readBy: "imports",
    form: {
      panel: "Imports",
      label: "Store rejected field values",
      help: "Imports then show the rejected values for a limited time. They may contain personal data.",
    },
  },
  hasSeveralCurrencies: {
    kind: "switch",
    description: "Whether its locations use different currencies. Their amounts are then never added up.",
    form: {
      panel: "Amounts",
      label: "Our locations use different currencies",
      help: "Amounts have no currency. With this setting, the overview shows the revenue of one location at a time and never adds up several.",
    },
  },
} as const satisfies Record<string, PlainSetting>;

type Rows = typeof plainSettings;
export type PlainSettingName = keyof Rows;
export type PlainSettings = { [Name in PlainSettingName]: SettingValues[Rows[Name]["kind"]] };

/** The settings that imports, or leads, are given. */
export type SettingsReadBy<Reader extends SettingReader> = {
  [Name in PlainSettingName as Rows[Name] extends { readBy: Reader } ? Name : never]: PlainSettings[Name];
};

export const plainSettingNames = Object.keys(plainSettings) as PlainSettingName[];

const kindDefaults: SettingValues = { switch: false, text: null, list: [] };
export const defaultSettings = Object.fromEntries(
  plainSettingNames.map((name) => {
    const { kind, default: own = kindDefaults[kind] }: PlainSetting = plainSettings[name];
    return [name, own];
  }),
) as unknown as PlainSettings;

/** The plain ones of all settings. */
export function plainSettingsOf(settings: PlainSettings): PlainSettings {
  return Object.fromEntries(plainSettingNames.map((name) => [name, settings[name]])) as PlainSettings;
}
