/**
 * The changes that CONTRIBUTING and docs/architecture.md describe: new files, and lines that are inserted
 * before others. A migration gets its number when it is written.
 */
export interface Edit {
  file: string;
  /** A new file. */
  text?: string;
  /** Lines to insert before an existing one. */
  lines?: { before: string; added: string; isReplaced?: true }[];
}

function addField(entity: string, lines: Edit["lines"], columns: string): Edit[] {
  return [
    { file: `packages/contract/src/entities/${entity}.ts`, lines: lines ?? [] },
    {
      file: `packages/service/migrations/${entity}_field.sql`,
      text: `-- phase: expand\nalter table ${entity}s ${columns};\n`,
    },
  ];
}

const newResource: readonly Edit[] = [
  {
    file: "packages/contract/src/entities/citation.ts",
    text: `import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { amount } from "../schema/amount.js";
import { anyMetadata, optional, requiredText, text, uuid } from "../schema/fields.js";
import { account } from "./account.js";
import { describeEntity } from "./entity.js";

export const Citation = Type.Object(
  {
    citationNumber: requiredText(64, { description: "The dedup key.", examples: ["C-1"] }),
    locationUuid: optional(uuid({ description: "Must belong to the organization." })),
    accountUuid: optional(uuid({ description: "An existing account." })),
    accountTPReferenceId: optional(text(128, { description: "The tpReferenceId of an existing account." })),
    violation: optional(text(64)),
    fine: amount("Fine."),
    metadata: anyMetadata(),
  },
  { $id: "Citation", description: "A parking ticket." },
);
export type Citation = Static<typeof Citation>;

export const citation = describeEntity({
  name: "citation",
  plural: "citations",
  noun: "a citation",
  schema: Citation,
  imported: { resource: 4, maxRecords: 50 },
  key: "citationNumber",
  locationField: "locationUuid",
  matchedBy: [{ field: "citationNumber", via: "reference" }],
  relations: [
    { name: "account", to: account, uuidField: "accountUuid", referenceField: "accountTPReferenceId" },
  ],
});
`,
  },
  {
    file: "packages/contract/src/entities/entities.ts",
    lines: [
      { before: `import { contact }`, added: `import { citation } from "./citation.js";\n` },
      { before: `export * from "./contact.js"`, added: `export * from "./citation.js";\n` },
      { before: `] as const;`, added: `, citation` },
    ],
  },
  {
    file: "packages/contract/src/examples.ts",
    lines: [
      {
        before: "  accounts: { request: accounts",
        added: `  citations: { request: { citations: [{ citationNumber: "C-1" }] }, answer: singleRun("citations", "C-1") },\n`,
      },
    ],
  },
  {
    file: "packages/service/migrations/citations.sql",
    text: `-- phase: expand
create table citations (
  organization_id uuid not null,
  id uuid not null,
  citation_number text collate "C" not null,
  location_id uuid,
  account_id uuid,
  violation text,
  fine numeric,
  metadata json,
  fingerprint bytea,
  import_run_id uuid not null,
  position integer not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index citations_by_reference on citations (organization_id, citation_number);
create index citations_by_account on citations (organization_id, account_id, id);
create index citations_by_run on citations (organization_id, import_run_id, position);
`,
  },
  {
    file: "packages/service/src/core/entities/citation.ts",
    text: `import { citation } from "@gatehouse-parking/contract";
import { storeEntity } from "./stored-entity.js";

export const storedCitation = storeEntity(citation, {
  page: { reference: "record.citation_number", title: "record.violation" },
});
`,
  },
  {
    file: "packages/service/src/core/entities/entities.ts",
    lines: [
      { before: `import { storedContact }`, added: `import { storedCitation } from "./citation.js";\n` },
      { before: "  transaction: storedTransaction,\n", added: "  citation: storedCitation,\n" },
    ],
  },
  {
    file: "packages/client/src/contract.ts",
    lines: [
      { before: ` } as const satisfies typeof contract.ImportResource`, added: `, Citations: 4` },
      {
        before: `  listLocations: "/`,
        added: `  importCitations: "/integrations/citations",\n  validateCitations: "/integrations/citations/validate",\n`,
      },
      {
        before: `  accounts: {\n    resource`,
        added: `  citations: {\n    resource: 4,\n    importOperation: "importCitations",\n    validateOperation: "validateCitations",\n    maxRecords: 50,\n  },\n`,
      },
    ],
  },
  {
    file: "packages/console/src/core/records/record-kinds.ts",
    lines: [
      {
        before: "  contacts: {",
        added: `  citations: { icon: IconReceipt, columns: [{ field: "fine" }] },\n`,
      },
    ],
  },
];

/** `npm run openapi` generates the client's rows. */
const clientContract = "packages/client/src/contract.ts";

const newReasonCode: readonly Edit[] = [
  {
    file: "packages/contract/src/reason-codes.ts",
    lines: [
      { before: "  InternalError: 99", added: "  VehicleUnknown: 10,\n" },
      {
        before: "  {\n    code: 99",
        added: `  { code: 10, name: "VehicleUnknown", meaning: "It has no such vehicle.", advice: "Correct it." },\n`,
      },
      { before: ", 9];", added: ", 10" },
    ],
  },
  {
    file: "packages/contract/src/entities/vehicle.ts",
    lines: [
      {
        before: "  notFound: ReasonCode.VehicleNotFound,\n",
        added: "  notFound: ReasonCode.VehicleUnknown,\n",
        isReplaced: true,
      },
    ],
  },
  { file: clientContract, lines: [{ before: "  InternalError: 99", added: "  VehicleUnknown: 10,\n" }] },
];

const newEndpoint: readonly Edit[] = [
  {
    file: "packages/contract/src/operations.ts",
    lines: [
      {
        before: "  listImports: {",
        added: `  countLocations: {
    method: "GET",
    path: "/integrations/locations/count",
    permission: "locations:read",
    limit: perOrganization(300),
    summary: "Count the organization's locations",
  },
`,
      },
    ],
  },
  {
    file: "packages/contract/src/schema/answers.ts",
    lines: [
      {
        before: "/** The shape of every list",
        added: `export const LocationCount = Type.Object({ count: Type.Integer() }, { $id: "LocationCount" });\n\n`,
      },
    ],
  },
  {
    file: "packages/contract/src/examples.ts",
    lines: [{ before: "  listImports: {", added: "  countLocations: { answer: { count: 3 } },\n" }],
  },
  {
    file: "packages/service/src/core/locations/routes.ts",
    lines: [
      {
        before: `  defineOperation(app, "listLocations"`,
        added: `  defineOperation(app, "countLocations", {
    description: "Returns how many locations the key's organization has.",
    answer: "LocationCount",
    handler: async ({ caller: { organizationId } }) => {
      const page = await listLocations(reads.pool, { organizationId, query: undefined, page: { page: 1, pageSize: 1 } });
      return { count: page.totalCount };
    },
  });

`,
      },
    ],
  },
  {
    file: clientContract,
    lines: [{ before: `  listImports: "/`, added: `  countLocations: "/integrations/locations/count",\n` }],
  },
];

const newConsolePage: readonly Edit[] = [
  {
    file: "packages/console/src/features/search/search-help-page.tsx",
    text: `import { Page, Panel } from "../../core/ui/page.js";

export default function SearchHelpPage() {
  return (
    <Page title="Help with the search">
      <Panel>Enter a reference.</Panel>
    </Page>
  );
}
`,
  },
  {
    file: "packages/console/src/features/search/feature.tsx",
    lines: [
      {
        before: `{ path: "/search"`,
        added: `{ path: "/search/help", page: lazyPage(() => import("./search-help-page.js")) }, `,
      },
    ],
  },
];

/**
 * The texts, addresses and scores of the other providers are in the same table. `npm run docs` generates the
 * documents.
 */
const newCaptchaProvider: readonly Edit[] = [
  {
    file: "packages/contract/src/captcha.ts",
    lines: [
      {
        before: "  hcaptcha: {",
        added: `  friendly: { name: "Friendly", verificationUrl: "https://captcha.invalid/verify", isScored: false },\n`,
      },
    ],
  },
  {
    file: "packages/service/migrations/captcha_provider.sql",
    text: `-- phase: expand
alter table organizations drop constraint organizations_captcha_type_check;
alter table organizations add constraint organizations_captcha_type_check
  check (captcha_type in ('recaptcha', 'hcaptcha', 'turnstile', 'friendly'));
`,
  },
];

const newSetting: readonly Edit[] = [
  {
    file: "packages/contract/src/organization-settings.ts",
    lines: [
      {
        before: "} as const satisfies",
        added: `  isReadOnly: {
    kind: "switch",
    description: "Whether imports are refused.",
    readBy: "imports",
    option: { flags: "--read-only <state>", description: "whether imports are refused" },
    form: { panel: "Imports", label: "Refuse imports", help: "Nothing new is stored." },
  },
`,
      },
    ],
  },
  {
    file: "packages/service/migrations/is_read_only.sql",
    text: `-- phase: expand
alter table organizations add column is_read_only boolean not null default false;
`,
  },
  {
    file: "packages/service/src/core/imports/import-batch.ts",
    lines: [
      {
        before: "  const startedAt = backdated?.startedAt",
        added: `  if (rules.isReadOnly) throw new Refused("quotaExceeded", { details: ["The organization is read-only"] });\n`,
      },
    ],
  },
];

/** By the kind of addition. */
export const changes = {
  "field of a transaction": addField(
    "transaction",
    [{ before: "    promoCode:", added: "    entryLane: optional(text(32)),\n" }],
    "add column entry_lane text",
  ),
  "field of a contact": addField(
    "contact",
    [{ before: "    tpReferenceId:", added: "    middleName: optional(text(64)),\n" }],
    "add column middle_name text",
  ),
  "field of a lead": addField(
    "lead",
    [{ before: "    sourceDetails:", added: "    parkingReason: optional(text(64)),\n" }],
    "add column parking_reason text",
  ),
  "field of a location": addField(
    "location",
    [
      { before: "{ flag, requiredText", added: '{ integer, optional } from "../schema/fields.js";\nimport ' },
      {
        before: "  isActive: Type",
        added:
          "  siteCode: optional(text(32)),\n  spaceCount: optional(integer({ minimum: 0, maximum: 9999 })),\n",
      },
    ],
    "add column site_code text, add column space_count integer",
  ),
  resource: newResource,
  "reason code": newReasonCode,
  "captcha provider": newCaptchaProvider,
  endpoint: newEndpoint,
  "page of the console": newConsolePage,
  "organization setting": newSetting,
} satisfies Record<string, readonly Edit[]>;
