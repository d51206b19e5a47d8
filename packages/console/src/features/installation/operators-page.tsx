import { Badge } from "@mantine/core";
import type { Operator } from "@gatehouse-parking/contract/console";
import { List, useList, type ListDefinition } from "../../core/lists/list.js";
import { Code } from "../../core/ui/copyable.js";
import { Page } from "../../core/ui/page.js";
import { OperatorPage } from "./installation-page.js";
import { texts } from "./texts.js";

const list: ListDefinition<"listOperators"> = {
  route: "listOperators",
  label: texts.operators.title,
  rowKey: (operator) => operator.uuid,
  usualSort: "email",
  paging: "none",
  columns: [
    { header: texts.operators.email, value: (operator) => operator.email, sort: "email", wrap: true },
    { header: texts.operators.status, cell: (operator) => <Status operator={operator} /> },
    {
      header: texts.operators.secondFactor,
      cell: ({ hasSecondFactor }) => (hasSecondFactor ? texts.operators.on : texts.operators.off),
    },
    { header: texts.operators.lastSeen, time: (operator) => operator.lastSeenAt, sort: "lastSeen" },
    {
      header: texts.operators.created,
      time: (operator) => operator.createdAt,
      sort: "created",
      from: "tablet",
    },
  ],
};

/** The console only lists operators, because access to it must not be enough to make new ones. */
export default function OperatorsPage() {
  const found = useList(list);
  return (
    <OperatorPage>
      <Page title={texts.operators.title} description={texts.operators.description}>
        <List found={found} empty={null} />
        <Code text={commands} label={texts.operators.commands} />
      </Page>
    </OperatorPage>
  );
}

const commands = `npx --no -- gatehouse user create --email jo@example.com --role operator
npx --no -- gatehouse operator disable jo@example.com
npx --no -- gatehouse operator reset jo@example.com`;

function Status({ operator: { disabledAt, hasPassword } }: { operator: Operator }) {
  if (disabledAt !== null) return <Badge color="gray">{texts.operators.disabled}</Badge>;
  return hasPassword ? (
    <Badge color="teal">{texts.operators.active}</Badge>
  ) : (
    <Badge color="yellow">{texts.operators.noPassword}</Badge>
  );
}
