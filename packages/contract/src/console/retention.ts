import type { Static } from "typebox";
import { deletableKinds, keptDays, keptDaysRule, keptKinds, quotaNames } from "../retention.js";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { flag } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { clearable, count, editedVersion, nullable, version, word } from "./fields.js";

const deletedRows = {
  what: word(deletableKinds),
  days: nullable(count("The new period; null: deleted whatever the age.")),
  count: count("How many stored rows are deleted."),
  isMinimum: Type.Boolean({ description: "Counting stopped at its limit: there are more." }),
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
      description: "What the change deletes. Kinds of which nothing is deleted are left out.",
    }),
    at: Type.Unsafe<string>({
      ...wireTimestamp(),
      description: "When a change that is saved now takes effect, if it deletes anything.",
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
        ownDays: nullable(count("What the organization has chosen; null: the usual.")),
        usualDays: nullable(count("What everybody has who chose nothing; null: for ever.")),
      }),
    ),
    keepsDeletedKeys: Type.Boolean({
      description:
        "Whether the keys of deleted records stay known: sent again, such a record is Skipped with its former uuid.",
    }),
    keepsReplaysOnce: Type.Boolean({
      description: "Whether runs that end alike, record by record, keep their results once a day.",
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
        description: "When the sizes were true; null: nobody has counted yet, and there are none.",
      }),
    ),
    sizes: Type.Array(
      Type.Object({
        what: Type.String({
          description:
            "The table; records: all kinds together, stored now, if they have changed since the count.",
        }),
        rows: count(),
        bytes: count("Estimated from some of the rows, without indexes."),
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
  clearable(Type.Integer({ ...keptDays, description: `${keptDaysRule}; null: as long as everybody's.` }));

const changedDays = {
  days: Type.Optional(
    Type.Array(Type.Object({ what: word(keptKinds), days: Type.Optional(days()) }), {
      maxItems: keptKinds.length,
    }),
  ),
  keepsDeletedKeys: Type.Optional(
    flag({ description: "Switched off, the keys that are known are deleted." }),
  ),
};

export const retentionOperations = {
  getRetention: {
    method: "GET",
    path: `${organization}/retention`,
    role: "viewer",
    summary: "How long an organization keeps what",
    answer: OrganizationRetention,
  },
  changeRetention: {
    method: "PATCH",
    path: `${organization}/retention`,
    role: "admin",
    audited: true,
    summary: "Change how long an organization keeps what",
    description:
      "What is absent stays as it is. A change that deletes anything needs `confirmed` and takes effect after the grace period; until then it can be cancelled.",
    body: Type.Object({
      ...changedDays,
      keepsReplaysOnce: Type.Optional(flag()),
      confirmed: Type.Optional(
        Type.Array(
          Type.Object({
            what: word(deletableKinds),
            count: count("How many stored rows the preview counted."),
          }),
          {
            maxItems: deletableKinds.length,
            description:
              "What the preview showed. A change that deletes anything else, or considerably more by now, is 409.",
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
    summary: "What a change of the retention settings deletes",
    body: Type.Object(changedDays),
    answer: RetentionPreview,
  },
  cancelRetention: {
    method: "POST",
    path: `${organization}/retention/cancel`,
    role: "admin",
    audited: true,
    summary: "Cancel shorter periods that are not in effect yet",
    description: "409 if one of them is not pending, because it was cancelled or has taken effect.",
    body: Type.Object({
      what: Type.Array(word(deletableKinds), { minItems: 1, maxItems: deletableKinds.length }),
    }),
    answer: OrganizationRetention,
  },
  getStorage: {
    method: "GET",
    path: `${organization}/storage`,
    role: "viewer",
    summary: "What an organization stores, and how much it may",
    answer: OrganizationStorage,
  },
  changeQuotas: {
    method: "PATCH",
    path: `${organization}/storage/quotas`,
    role: "operator",
    audited: true,
    summary: "Bound what an organization may store, or take the bound away",
    description:
      "Quotas that are absent stay as they are. They count with the next request, on every instance.",
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
