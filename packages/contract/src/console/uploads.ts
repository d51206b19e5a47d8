import { Type } from "../schema/type.js";
import { maxBodyBytes } from "../limits.js";
import { ImportRun, ValidationReport } from "../schema/import-run.js";
import { organization, type ConsoleOperation } from "./declare.js";

const batch = {
  method: "POST",
  role: "admin",
  body: Type.Unsafe<Record<string, unknown>>({
    type: "object",
    description: 'The batch of the public endpoint, such as {"transactions": [...]}.',
  }),
  readsBodyItself: true,
  maxBytes: maxBodyBytes,
} as const;
const answersAsPublic =
  "The answer is the public endpoint's in everything, refusals and X-RateLimit headers included: 200, 400, 413, 429, and 500 with the run's shape. Only 401, 403 and 404 are the console's.";

export const uploadOperations = {
  importBatch: {
    ...batch,
    audited: true,
    path: `${organization}/imports/:resource`,
    summary: "Import a batch of a file",
    description: answersAsPublic,
    answer: ImportRun,
  },
  validateBatch: {
    ...batch,
    path: `${organization}/imports/:resource/validate`,
    summary: "Check a batch of a file without storing anything",
    description: answersAsPublic,
    answer: ValidationReport,
  },
} as const satisfies Record<string, ConsoleOperation>;
