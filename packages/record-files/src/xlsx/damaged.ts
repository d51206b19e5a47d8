import { InputError } from "../table.js";

export function damaged(): InputError {
  return new InputError(1, "the spreadsheet is damaged; save it again, or save the sheet as CSV");
}
