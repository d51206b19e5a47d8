/** Every limit of the interface, by name, except field lengths and rates. */

export const maxBodyBytes = 5 * 1024 * 1024;
/** A lead is one person's form. Its key is public, so a small limit prevents abuse. */
export const maxLeadBytes = 256 * 1024;
/** The largest CSV file of locations. */
export const maxLocationFileBytes = 5 * 1024 * 1024;
export const maxMetadataDepth = 64;
export const maxKeptFailures = 100;

/** The absolute value of an amount must be below this. */
export const amountBound = 1e12;
/** Decimal places that PostgreSQL's numeric type can store; a longer fraction could not be stored as sent. */
export const maxAmountScale = 16383;

export const numberOfSpacesRange = { minimum: 1, maximum: 1000 } as const;

export const importPhoneDigits = { minimum: 5, maximum: 15 } as const;
export const leadPhoneDigits = { minimum: 7, maximum: 15 } as const;

/** Row numbers are 64-bit in the database; a page beyond this is past the end of any list. */
export const maxPage = 1_000_000_000;
export const locationPages = { defaultPageSize: 100, maxPageSize: 500 } as const;
export const organizationPages = { defaultPageSize: 50, maxPageSize: 100 } as const;
export const importPages = { defaultPageSize: 20, maxPageSize: 100 } as const;

/** The row limit of a list export in the console. */
export const maxExportedRows = 50_000;
/** Saved views per person and organization, and the length of their names and query strings. */
export const savedViewLimits = { views: 50, name: 60, query: 2_000 } as const;

/** Uploaded files are stored and compared in pieces of this size. */
export const uploadPieceBytes = 1024 * 1024;
/** The maximum bytes of a file per request. */
export const maxPieceRequestBytes = 4 * uploadPieceBytes;
/** Answers a piece that would leave a gap with the offset of the next piece. */
export const uploadOffsetHeader = "Upload-Offset";
/** The longest name that a program may give an upload. */
export const maxUploadReferenceLength = 128;
export const uploadPages = { defaultPageSize: 20, maxPageSize: 100 } as const;
export const uploadOutcomePages = { default: 100, maximum: 1_000 } as const;
/** The largest request with a mapping. */
export const maxMappingBytes = 256 * 1024;
/** Password length in characters. Longer passwords would only take longer to hash. */
export const passwordLengths = { minimum: 12, maximum: 512 } as const;

/** The notes per lead in the console. */
export const maxLeadNotes = 100;
export const maxLeadNoteLength = 2_000;
/** The most leads that one request can change: one page of the list. */
export const maxChangedLeads = 100;
/** Counting the new leads of an organization stops here. Its newest leads are searched. */
export const maxCountedNewLeads = 99;
export const maxSearchedNewLeads = 1_000;
/** Counting the leads of one person stops here. */
export const maxCountedLeads = 20;
