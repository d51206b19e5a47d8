/** What there is to tell the owner of a file about a draft. */
export interface Remark {
  fact: string;
  /** What to do about it in a mapping file or with a flag. Pages have their own ways. */
  advice?: string;
}
