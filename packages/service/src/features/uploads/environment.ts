import { bytesOfMegabyte, readInteger, readMegabytes } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** How large one uploaded file may be, and, next, all uploads of an organization together. */
    uploadBytes: number;
    uploadStorageBytes: number;
    uploadKeptDays: number;
  }
}

export const variables = {
  uploadBytes: {
    name: "GATEHOUSE_UPLOAD_MB",
    read: readMegabytes,
    whenUnset: 512 * bytesOfMegabyte,
    shownDefault: "512",
    description: "How large a file may be that is uploaded in the console, in MB.",
  },
  uploadStorageBytes: {
    name: "GATEHOUSE_UPLOAD_STORAGE_MB",
    read: readMegabytes,
    whenUnset: 2048 * bytesOfMegabyte,
    shownDefault: "2048",
    description:
      "How much an organization's uploads may take in the database, in MB: files that are not imported yet, and the outcomes of rows that are kept.",
  },
  uploadKeptDays: {
    name: "GATEHOUSE_UPLOAD_DAYS",
    read: (text: string) => readInteger(text, 1, 90),
    whenUnset: 7,
    shownDefault: "7",
    description:
      "How long after its last change an upload is kept, with its rows. Its import runs stay for good.",
  },
} satisfies Partial<Variables>;
