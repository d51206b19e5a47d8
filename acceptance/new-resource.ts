/**
 * Everything that a new resource takes, as CONTRIBUTING lists it: whole files, and lines that are put before others.
 * The migration's name gets its number where it is written.
 */
export interface Edit {
  file: string;
  /** A new file. */
  text?: string;
  /** Lines of one that is there. */
  lines?: { before: string; added: string }[];
}

export const newResource: readonly Edit[] = [
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
