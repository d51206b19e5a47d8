import type { KeptMapping } from "./console/mappings.js";
import type { Upload, UploadDetail, UploadOutcomePage } from "./schema/uploads.js";

/** The examples of the operations for files: one small file on its way through all of them. */
const moment = "2026-04-01T14:30:00.000Z";
const file = "Account,Company\nACME-0042,Acme Logistics\n,Nameless\nBETA-0007,Beta Freight";

const created: Upload = {
  uuid: "0198f2d0-7a10-7c21-8f0a-51b7c2d3e4f5",
  fileName: "accounts.csv",
  size: file.length,
  receivedBytes: 0,
  resource: "accounts",
  state: "receiving",
  pass: null,
  actions: ["send", "cancel", "remove"],
  progress: 0,
  rows: 0,
  created: 0,
  skipped: 0,
  failed: 0,
  conflicts: 0,
  leftOut: 0,
  setAside: 0,
  runCount: 0,
  problem: null,
  createdBy: "API key Nightly export",
  createdAt: moment,
  changedAt: moment,
  keptUntil: "2026-04-08T14:30:00.000Z",
  isFileKept: true,
  reference: "accounts-2026-04-01",
};
const mapping = { columns: { Account: "tpReferenceId", Company: "name" } };
const waiting: Upload = {
  ...created,
  receivedBytes: file.length,
  state: "waiting",
  pass: "import",
  actions: ["cancel"],
};
const finished: Upload = {
  ...waiting,
  state: "finished",
  actions: ["remove"],
  progress: 1,
  rows: 3,
  created: 2,
  failed: 1,
  runCount: 1,
  isFileKept: false,
};
const detail: UploadDetail = {
  ...finished,
  mapping,
  ignoreUnknownColumns: false,
  reading: null,
  columns: ["Account", "Company"],
  problems: [
    {
      field: "tpReferenceId",
      message: "tpReferenceId is required",
      reasonCode: 4,
      example: null,
      line: 3,
      count: 1,
    },
  ],
  otherProblemRows: 0,
  findings: [],
  totalRows: 3,
  secondsLeft: null,
  waitsFor: null,
  undone: null,
};
const outcomes: UploadOutcomePage = {
  data: [
    {
      row: 1,
      line: 2,
      reference: "ACME-0042",
      status: 1,
      uuid: "0198f2d0-6b51-7000-8a1c-0c3b6f1d2e4a",
    },
    {
      row: 2,
      line: 3,
      reference: "",
      status: 4,
      reasonCode: 4,
      errorDetail: "tpReferenceId is required",
    },
    {
      row: 3,
      line: 4,
      reference: "BETA-0007",
      status: 1,
      uuid: "0198f2d0-6b51-7001-9c2b-1d4c7a2e3f5b",
    },
  ],
  nextAfter: null,
};
const saved: KeptMapping = {
  uuid: "0198f2d0-7b20-7000-9a6a-89d4a88213b2",
  name: "Accounts of the ERP system",
  resource: "accounts",
  shape: "2f6d1c7a9e105c1e",
  changedBy: "jo@example.com",
  changedAt: moment,
};

const page = (item: unknown) => ({
  data: [item],
  totalCount: 1,
  pageSize: 20,
  currentPage: 1,
  totalPages: 1,
  hasPreviousPage: false,
  hasNextPage: false,
});

export const uploadExamples = {
  listMappings: { answer: page(saved) },
  createUpload: {
    request: {
      fileName: created.fileName,
      size: created.size,
      resource: created.resource,
      reference: created.reference,
    },
    answer: created,
  },
  sendUploadPiece: { request: file, answer: { receivedBytes: file.length } },
  startUpload: { request: { validateOnly: false, mapping }, answer: waiting },
  getUpload: { answer: detail },
  listUploads: { answer: page(finished) },
  listUploadOutcomes: { answer: outcomes },
  downloadUploadFailures: {
    answer:
      "Account,Company,failure.line,failure.code,failure.name,failure.detail\n,Nameless,3,4,MissingRequiredField,tpReferenceId is required\n",
  },
  cancelUpload: { answer: { ...waiting, state: "cancelled", actions: ["remove"], isFileKept: false } },
  removeUpload: { answer: finished },
};
