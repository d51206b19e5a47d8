import type { SentValue } from "@gatehouse-parking/contract/console";
import { count, json, uuid } from "../../core/stored-tables/domains.js";
import { hasMembers, isFlag, isListOf, isText } from "../../core/stored-tables/json-shapes.js";
import { fieldsOf, runAndPosition, type Section } from "../../core/stored-tables/section.js";
import { runLinkCheck } from "../../core/verify/links.js";

const table = "import_sent_values";
const isSentValueList = isListOf(hasMembers<SentValue>({ field: isText, value: isText, isCut: isFlag }));

export const rejectedValuesTable: Section = {
  kind: "sentValues",
  table,
  after: "exception",
  says: "Rejected field values of failed records, as long as they are stored.",
  key: runAndPosition,
  boundBy: { column: "run_id", section: "run" },
  fields: fieldsOf({
    "referenceUuid run_id": uuid,
    position: count,
    sent: json("must be a list of {field, value, isCut}", isSentValueList),
  }),
  isSettled: false,
};

export const rejectedValuesCheck = runLinkCheck(table, runAndPosition);
