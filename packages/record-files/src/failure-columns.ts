/** Columns that a file of failed rows has more; they are passed over when it is pushed again. */
export const failurePrefix = "failure.";
export const failureColumns = ["line", "code", "name", "detail"].map((name) => failurePrefix + name);
