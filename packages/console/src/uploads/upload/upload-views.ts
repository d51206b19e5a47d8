/** What shows an upload, and has to be read again when it changes. */
export const uploadViews = [
  "getUpload",
  "listUploads",
  "listUploadRuns",
  "listUploadFailures",
  "listRuns",
] as const;
