/** The value type of each kind of setting. */
export interface SettingValues {
  switch: boolean;
  text: string | null;
  list: string[];
}

/** Settings that are read together with the API key, which saves a statement. */
export type SettingReader = "imports" | "leads";

/**
 * A setting with one value. This row defines its column (the name in snake case), the field in the console's interface,
 * the command line option, its place in exports, the form field, and the settings that imports or leads receive.
 */
export interface PlainSetting {
  kind: keyof SettingValues;
  /** The default of the column, if it differs from the default of the kind. */
  default?: SettingValues[PlainSetting["kind"]];
  description?: string;
  /** A warning for people who change it. */
  changing?: string;
  readBy?: SettingReader;
  /** Exports include it unless this is false. */
  isExported?: boolean;
  /** The option of `gatehouse organization configure`. */
  option?: { flags: string; description: string; example?: string };
  /** Absent: not in the form. */
  form?: { panel: string; label: string; help: string; placeholder?: string };
}

/** In display order. */
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
    description: "People without two-factor authentication get 403, secondFactorMissing.",
    changing: "Only a person who uses two-factor authentication can switch it on.",
    option: {
      flags: "--require-second-factor <state>",
      description: "whether the console requires two-factor authentication",
      example: "--require-second-factor on",
    },
  },
  keepsSentValues: {
    kind: "switch",
    default: true,
    description: "Whether runs keep the rejected field values of failed records for a limited time.",
    changing:
      "Switching it off stops storing values; stored values are deleted when their retention period ends.",
    readBy: "imports",
    form: {
      panel: "Imports",
      label: "Store rejected field values",
      help: "Imports then show the rejected values for a limited time. They may contain personal data.",
    },
  },
  hasSeveralCurrencies: {
    kind: "switch",
    description:
      "Whether its locations use different currencies. Amounts of several locations are then never added up.",
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

/** The settings that imports or leads receive. */
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

/** All settings with a plain value. */
export function plainSettingsOf(settings: PlainSettings): PlainSettings {
  return Object.fromEntries(plainSettingNames.map((name) => [name, settings[name]])) as PlainSettings;
}
