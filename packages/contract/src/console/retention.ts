import type { Static } from "typebox";
import { deletableKinds, keptDays, keptDaysRule, keptKinds, quotaNames } from "../retention.js";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { flag } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { clearable, count, editedVersion, nullable, version, word } from "./fields.js";

const deletedRows = {
  what: word(deletableKinds),
  days: nullable(count("The new period; null: deleted regardless of age.")),
  count: count("Number of stored rows to delete."),
  isMinimum: Type.Boolean({ description: "The count reached its limit; there are more." }),
};

export const PendingRetention = Type.Object(
  {
    ...deletedRows,
    at: Type.Unsafe<string>({ ...wireTimestamp(), description: "When it takes effect." }),
    by: Type.String({ description: "Who saved it." }),
  },
  { $id: "PendingRetention", description: "A shorter period that is not in effect yet." },
);
export type PendingRetention = Static<typeof PendingRetention>;

export const RetentionPreview = Type.Object(
  {
    data: Type.Array(Type.Object(deletedRows), {
      description: "What the change deletes, without kinds that lose no rows.",
    }),
    at: Type.Unsafe<string>({
      ...wireTimestamp(),
      description: "When a change saved now takes effect, if it deletes anything.",
    }),
  },
  { $id: "RetentionPreview", description: "What a change of the retention settings deletes." },
);
export type RetentionPreview = Static<typeof RetentionPreview>;

export const OrganizationRetention = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        what: word(keptKinds),
        ownDays: nullable(count("The organization's setting; null: the default.")),
        usualDays: nullable(count("The default; null: without limit.")),
      }),
    ),
    keepsDeletedKeys: Type.Boolean({
      description:
        "Whether the service remembers the keys of deleted records: a resent record is then Skipped with its former uuid.",
    }),
    keepsReplaysOnce: Type.Boolean({
      description: "Whether runs with identical outcomes store their results once a day.",
    }),
    pending: Type.Array(PendingRetention, { description: "Shorter periods that are not in effect yet." }),
    version: version(),
  },
  { $id: "OrganizationRetention" },
);
export type OrganizationRetention = Static<typeof OrganizationRetention>;

export const OrganizationStorage = Type.Object(
  {
    measuredAt: nullable(
      Type.Unsafe<string>({
        ...wireTimestamp(),
        description: "When the sizes were measured; null: not measured yet, and there are none.",
      }),
    ),
    sizes: Type.Array(
      Type.Object({
        what: Type.String({
          description: "The table; records: all kinds of record together.",
        }),
        rows: count(),
        bytes: count("Estimated from a sample of rows, without indexes."),
      }),
    ),
    quotas: Type.Array(
      Type.Object({
        quota: word(quotaNames),
        limit: nullable(count("Null: there is none.")),
        used: nullable(count("Null: not known yet.")),
      }),
    ),
    version: version(),
  },
  { $id: "OrganizationStorage" },
);
export type OrganizationStorage = Static<typeof OrganizationStorage>;

const days = () =>
  clearable(Type.Integer({ ...keptDays, description: `${keptDaysRule}; null: the default.` }));

const changedDays = {
  days: Type.Optional(
    Type.Array(Type.Object({ what: word(keptKinds), days: Type.Optional(days()) }), {
      maxItems: keptKinds.length,
    }),
  ),
  keepsDeletedKeys: Type.Optional(flag({ description: "Switching it off deletes the remembered keys." })),
};

export const retentionOperations = {
  getRetention: {
    method: "GET",
    path: `${organization}/retention`,
    role: "viewer",
    summary: "Get the retention periods of an organization",
    answer: OrganizationRetention,
  },
  changeRetention: {
    method: "PATCH",
    path: `${organization}/retention`,
    role: "admin",
    audited: true,
    summary: "Change the retention periods of an organization",
    description:
      "Absent fields do not change. A change that deletes anything needs `confirmed` and takes effect after the grace period; until then it can be cancelled.",
    body: Type.Object({
      ...changedDays,
      keepsReplaysOnce: Type.Optional(flag()),
      confirmed: Type.Optional(
        Type.Array(
          Type.Object({
            what: word(deletableKinds),
            count: count("The number of stored rows in the preview."),
          }),
          {
            maxItems: deletableKinds.length,
            description:
              "The deletions shown in the preview. 409 if the change would now delete anything else, or considerably more.",
          },
        ),
      ),
      version: editedVersion(),
    }),
    answer: OrganizationRetention,
  },
  previewRetention: {
    method: "POST",
    path: `${organization}/retention/preview`,
    role: "admin",
    summary: "Preview what a change of the retention settings deletes",
    body: Type.Object(changedDays),
    answer: RetentionPreview,
  },
  cancelRetention: {
    method: "POST",
    path: `${organization}/retention/cancel`,
    role: "admin",
    audited: true,
    summary: "Cancel shorter periods that are not in effect yet",
    description: "409 if one of them is no longer pending: cancelled or already in effect.",
    body: Type.Object({
      what: Type.Array(word(deletableKinds), { minItems: 1, maxItems: deletableKinds.length }),
    }),
    answer: OrganizationRetention,
  },
  getStorage: {
    method: "GET",
    path: `${organization}/storage`,
    role: "viewer",
    summary: "Get the stored data and the quotas of an organization",
    answer: OrganizationStorage,
  },
  changeQuotas: {
    method: "PATCH",
    path: `${organization}/storage/quotas`,
    role: "operator",
    audited: true,
    summary: "Set or remove storage quotas of an organization",
    description: "Absent quotas do not change. Takes effect with the next request on every instance.",
    body: Type.Object({
      quotas: Type.Array(
        Type.Object({
          quota: word(quotaNames),
          limit: Type.Optional(clearable(Type.Integer({ description: "Null: no bound." }))),
        }),
        { maxItems: quotaNames.length },
      ),
      version: editedVersion(),
    }),
    answer: OrganizationStorage,
  },
} as const satisfies Record<string, ConsoleOperation>;
