import { Panel } from "../ui/panel.js";
import { ListTable, type ListTableProps } from "./list-table.js";
import { ListTools } from "./list-tools.js";

/** A list that is a page of its own, below its filters. */
export function DataList<Row>({
  asked,
  mayExport,
  ...table
}: ListTableProps<Row> & {
  /** What the list was asked for with. */
  asked?: object;
  mayExport?: boolean | undefined;
}) {
  return (
    <>
      <ListTools list={table.list} query={asked} mayExport={mayExport} />
      <Panel flush>
        <ListTable {...table} />
      </Panel>
    </>
  );
}
