/** Every bound of the interface that is not a field length or a rate, by name. */

export const maxBodyBytes = 5 * 1024 * 1024;
/** A lead is one person's form; its key is public, so nobody may send more with it. */
export const maxLeadBytes = 256 * 1024;
/** The largest CSV file of locations. */
export const maxLocationFileBytes = 5 * 1024 * 1024;
export const maxMetadataDepth = 64;
export const maxKeptFailures = 100;

/** Amounts are JSON numbers whose absolute value is below this. */
export const amountBound = 1e12;
/** What PostgreSQL's numeric type keeps behind the decimal point; a longer fraction could not be stored as sent. */
export const maxAmountScale = 16383;

export const numberOfSpacesRange = { minimum: 1, maximum: 1000 } as const;

export const importPhoneDigits = { minimum: 5, maximum: 15 } as const;
export const leadPhoneDigits = { minimum: 7, maximum: 15 } as const;

/** The database counts rows in 64 bits; a page beyond this is past the end of any list. */
export const maxPage = 1_000_000_000;
export const locationPages = { defaultPageSize: 100, maxPageSize: 500 } as const;
export const organizationPages = { defaultPageSize: 50, maxPageSize: 100 } as const;
export const importPages = { defaultPageSize: 20, maxPageSize: 100 } as const;

/** How many rows the export of a list of the console has at most. */
export const maxExportedRows = 50_000;
/** What one person may save of the lists of one organization, and how long a name and an address may be. */
export const savedViewLimits = { views: 50, name: 60, query: 2_000 } as const;

/** Files that are uploaded are stored in pieces of this size, and compared piece by piece. */
export const uploadPieceBytes = 1024 * 1024;
/** How many bytes of a file one request may bring. */
export const maxPieceRequestBytes = 4 * uploadPieceBytes;
/** The largest request with a mapping. */
export const maxMappingBytes = 256 * 1024;
/** How many characters a password has. Longer ones would only cost time to hash. */
export const passwordLengths = { minimum: 12, maximum: 512 } as const;

/** What people of the console note about one lead. */
export const maxLeadNotes = 100;
export const maxLeadNoteLength = 2_000;
/** How many leads one request changes at most: as many as a page of the list has. */
export const maxChangedLeads = 100;
/** Further leads of one person are not counted. */
export const maxCountedLeads = 20;
