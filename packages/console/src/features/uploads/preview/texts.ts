import { pluralize } from "../../../core/ui/format.js";

export const texts = {
  title: "4. Preview",
  label: "Preview",
  summary: (all: number, failing: number, leftOut: number) =>
    `The first rows and the rows most unlike the others, as they will be sent. ${
      failing === 0 ? "No problems found so far." : `${failing} of ${pluralize(all, "row")} would fail.`
    }${leftOut === 0 ? "" : ` ${leftOut} of ${pluralize(all, "row")} would be left out.`}`,
  rowLeftOut: "left out",
  leftOut: (column: string, value: string) => `${column} is “${value}”`,
  unlike: "Unlike the rows before it",
  row: "Row",
  rowFails: "fails",
  rowReady: "ready",
  notGiven: "not given",
  from: (original: string) => `from ${original}`,
  unknownLocation: "is not a location of the organization",
};
