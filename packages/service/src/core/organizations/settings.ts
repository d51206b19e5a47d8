import {
  Lead,
  maxOrganizationNameLength,
  plainSettingNames,
  plainSettings,
  type PlainSetting,
  type PlainSettingName,
  type Quotas,
  type SettingReader,
  type SettingsReadBy,
} from "@gatehouse-parking/contract";
import { columnName } from "../entities/columns.js";
import { invalidInput, requireText } from "../refusals/user-error.js";
import { captcha, type LoadedCaptcha } from "./captcha-setting.js";
import { limits } from "./limit-overrides.js";
import { quotas } from "./quotas.js";
import { kinds, setting, type OrganizationSetting, type Values } from "./setting.js";

/** Validates a plain setting beyond its kind. Returns the stored value. */
const checks: { [Name in PlainSettingName]?: (change: never) => unknown } = {
  honeypotField: checkHoneypot,
  leadOrigins: checkOrigins,
};

function plain(name: PlainSettingName): OrganizationSetting {
  const { kind, readBy, isExported = true, option }: PlainSetting = plainSettings[name];
  const { isExportable, option: typed } = kinds[kind];
  const { [name]: check } = checks;
  return setting({
    name,
    columns: [columnName(name)],
    change: (_stored, change) => (check ? check(change as never) : change),
    ...(readBy && { readBy: [readBy] }),
    ...(isExported && { isExportable }),
    ...(option && { option: { ...option, ...typed } }),
  });
}

const honeypotShape = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** A honeypot is a hidden form field. A field of the interface would quarantine every genuine lead. */
function checkHoneypot(field: string | null): string | null {
  if (field === null) return null;
  if (!honeypotShape.test(field))
    throw invalidInput(
      "The honeypot field must begin with a letter and have up to 64 letters, digits, - or _",
    );
  if (Object.hasOwn(Lead.properties, field))
    throw invalidInput(`${field} is a field of the lead itself and cannot be the honeypot`);
  return field;
}

/** It is exported as the identity of the organization, not as a setting. */
const organizationName = setting<string, string>({
  name: "name",
  columns: ["name"],
  change: (_stored, name) => requireText("name", name, maxOrganizationNameLength),
});

/** All organization settings, in the order in which they are shown. Those of features are added by features.ts. */
export const organizationSettings: OrganizationSetting[] = [
  organizationName,
  captcha,
  ...plainSettingNames.map(plain),
  limits,
  quotas,
];

export function addSettings(added: readonly OrganizationSetting[]): void {
  organizationSettings.push(...added);
}

interface Loaded {
  imports: SettingsReadBy<"imports"> & { quotas: Quotas };
  leads: SettingsReadBy<"leads"> & LoadedCaptcha & { quotas: Quotas };
}
export type ImportSettings = Loaded["imports"];
export type LeadSettings = Loaded["leads"];

function rowsOf(reader: SettingReader): OrganizationSetting[] {
  return organizationSettings.filter(({ readBy }) => readBy?.includes(reader));
}

/** The columns of `organizations` that the gate reads together with the key. */
export function loadedColumns(reader: SettingReader): string[] {
  return rowsOf(reader).flatMap(({ columns }) => columns);
}

/** The settings of a reader, from the columns that the gate has read. */
export function settingsLoader<Reader extends SettingReader>(
  reader: Reader,
): (stored: Values) => Loaded[Reader] {
  const rows = rowsOf(reader);
  return (stored) => Object.assign({}, ...rows.map(({ show, load = show }) => load(stored)));
}

const exportedRows = () => organizationSettings.filter(({ isExportable }) => isExportable);

export function exportedNames(): string[] {
  return exportedRows().flatMap(({ names }) => names);
}

/** All exported settings of an organization. */
export function exportedSettings(settings: Values): Values {
  return Object.fromEntries(exportedNames().map((name) => [name, settings[name]]));
}

/**
 * The name of the first setting whose value no export can contain. A file of an older release lacks settings
 * that were added later.
 */
export function findUnexportable(settings: Values): string | undefined {
  for (const { names, isExportable } of exportedRows())
    for (const name of names)
      if (settings[name] !== undefined && !isExportable?.(settings[name])) return name;
  return undefined;
}

const maxLeadOrigins = 20;

/** The origins of a key or an organization that may submit leads. */
export function checkOrigins(origins: readonly string[]): string[] {
  if (origins.length > maxLeadOrigins) throw invalidInput(`There can be at most ${maxLeadOrigins} origins`);
  return origins.map(checkOrigin);
}

/**
 * An origin is scheme, host and port. It is stored in the form that browsers send: in lower case, without a
 * default port.
 */
function checkOrigin(origin: string): string {
  const url =
    /^https?:\/\/[^/?#@\s\\]+\/?$/i.test(origin) && URL.canParse(origin) ? new URL(origin) : undefined;
  if (!url) throw invalidInput(`"${origin}" is not an origin such as https://www.example.com`);
  return url.origin;
}
