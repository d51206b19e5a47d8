import type { Static, TOptional, TUnsafe } from "typebox";
import { OrganizationFields } from "../entities/organization.js";
import { Type } from "../schema/type.js";
import { captchaTypes } from "../captcha.js";
import { organizationPages } from "../limits.js";
import {
  plainSettingNames,
  plainSettings,
  type PlainSetting,
  type PlainSettingName,
  type PlainSettings,
} from "../organization-settings.js";
import { wireTimestamp } from "../schema/answers.js";
import { flag, uuid } from "../schema/fields.js";
import { shownFields } from "../schema/shown-fields.js";
import { organization, roles, root, type ConsoleOperation } from "./declare.js";
import {
  clearable,
  described,
  editedVersion,
  nullable,
  searchedText,
  typed,
  typedList,
  version,
  word,
} from "./fields.js";
import { exportOf } from "./exports.js";
import { bothDirections, numberedPage, pageQuery } from "./paging.js";

const summaryFields = {
  uuid: uuid(),
  ...shownFields(OrganizationFields),
  createdAt: wireTimestamp(),
};
export const OrganizationSummary = Type.Object(summaryFields, { $id: "OrganizationSummary" });
export type OrganizationSummary = Static<typeof OrganizationSummary>;

export const OwnOrganization = Type.Object(
  { ...summaryFields, role: word(["admin", "viewer"], "Of the person, in this organization.") },
  { $id: "OwnOrganization" },
);
export type OwnOrganization = Static<typeof OwnOrganization>;

const kinds = {
  switch: { shown: Type.Boolean(), changed: flag() },
  text: { shown: nullable(Type.String()), changed: clearable(typed()) },
  list: { shown: typedList(), changed: typedList() },
};
const rows = plainSettingNames.map((name) => [name, plainSettings[name] as PlainSetting] as const);
const shownSettings = Object.fromEntries(
  rows.map(([name, { kind, description }]) => [name, { ...kinds[kind].shown, ...described(description) }]),
) as unknown as { [Name in PlainSettingName]: TUnsafe<PlainSettings[Name]> };
const changedSettings = Object.fromEntries(
  rows.map(([name, { kind, changing }]) => [
    name,
    Type.Optional({ ...kinds[kind].changed, ...described(changing) }),
  ]),
) as unknown as { [Name in PlainSettingName]: TOptional<TUnsafe<PlainSettings[Name]>> };

export const OrganizationSettings = Type.Object(
  {
    ...summaryFields,
    role: word(roles, "The role of the signed-in person in this organization."),
    captcha: nullable(
      Type.Object({
        type: word(captchaTypes),
        minimumScore: nullable(Type.Number()),
        hostnames: Type.Array(Type.String()),
      }),
    ),
    ...shownSettings,
    version: version(),
  },
  { $id: "OrganizationSettings" },
);
export type OrganizationSettings = Static<typeof OrganizationSettings>;

const CaptchaChange = Type.Object({
  type: word(captchaTypes),
  secret: Type.Optional(typed("Absent: keeps the stored one if the type stays the same. Never shown again.")),
  minimumScore: Type.Optional(
    clearable(Type.Number({ description: "reCAPTCHA v3 only: 0 to 1; null: none; absent: as it is." })),
  ),
  hostnames: Type.Optional(typedList()),
});

const ChangeSettingsRequest = Type.Object({
  name: Type.Optional(typed()),
  captcha: Type.Optional(clearable(CaptchaChange)),
  ...changedSettings,
  version: editedVersion(),
});
export type ChangeSettingsRequest = Static<typeof ChangeSettingsRequest>;

export const organizationSorts = ["name", "createdAt"] as const;
const filters = {
  query: Type.Optional(
    searchedText("A part of the name, in upper or lower case, or the beginning of the uuid."),
  ),
  sort: Type.Optional(word(bothDirections(organizationSorts), "With - before it, the last first.")),
};
const list = { method: "GET", path: `${root}/organizations`, role: "viewer" } as const;

export const organizationOperations = {
  listOrganizations: {
    ...list,
    summary: "Organizations, by name",
    description: "Operators get all organizations, other people those that they belong to.",
    query: Type.Object({ ...pageQuery(organizationPages), ...filters }),
    answer: numberedPage(OrganizationSummary),
  },
  downloadOrganizations: exportOf(
    { ...list, role: "operator" },
    { what: "Organizations", query: Type.Object(filters) },
  ),
  createOrganization: {
    method: "POST",
    path: `${root}/organizations`,
    role: "operator",
    audited: true,
    summary: "Create an organization",
    body: Type.Object({ name: typed() }),
    answer: OrganizationSummary,
  },
  getOrganization: {
    method: "GET",
    path: organization,
    role: "viewer",
    summary: "Get the settings of an organization",
    answer: OrganizationSettings,
  },
  changeSettings: {
    method: "PATCH",
    path: organization,
    role: "admin",
    audited: true,
    summary: "Change the settings of an organization",
    description: "Absent fields do not change; null switches a setting off.",
    body: ChangeSettingsRequest,
    answer: OrganizationSettings,
  },
} as const satisfies Record<string, ConsoleOperation>;
