/** What there is to tell the owner of a file about a draft. */
export interface Remark {
  fact: string;
  /** What to do about it in a mapping file or with a flag. Pages have their own ways. */
  advice?: string;
  /** Columns that are named like a field and yet not sent to it. */
  unsure?: { columns: string[]; path: string; why: "misfit" | "contested" };
}
