import { Group } from "@mantine/core";
import type { ConsoleApiKey, RequestsQuery } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { Freshness, Panel } from "../../core/ui/page.js";
import { Loaded, RowsLoading } from "../../core/ui/states.js";
import { DataTable } from "../../core/ui/table.js";
import styles from "./request-log.module.css";
import { requestColumns, requestPath } from "./requests-page.js";
import { texts } from "./texts.js";

const shownErrors = 5;
const shownRequests = 10;

/** Panels on the page of an API key. */
export default function ApiKeyRequests({ apiKey: { uuid } }: { apiKey: ConsoleApiKey }) {
  return (
    <>
      <RequestsPanel
        title={texts.keyPage.lastErrors}
        query={{ apiKey: uuid, outcome: "error", limit: shownErrors }}
        more={<Link href={`/requests?apiKey=${uuid}&outcome=error`}>{texts.keyPage.allErrors}</Link>}
        empty={texts.keyPage.noErrors}
      />
      <RequestsPanel
        title={texts.title}
        query={{ apiKey: uuid, limit: shownRequests }}
        more={<Link href={`/requests?apiKey=${uuid}`}>{texts.keyPage.allRequests}</Link>}
        empty={texts.keyPage.noRequests}
      />
    </>
  );
}

function RequestsPanel(props: { title: string; query: RequestsQuery; more: ReactNode; empty: string }) {
  const { title, query, more, empty } = props;
  const requests = useApi("listRequests", { query, live: true });
  return (
    <Panel
      title={title}
      actions={
        <Group gap="md">
          <Freshness query={requests} />
          {more}
        </Group>
      }
      flush
    >
      <Loaded query={requests} loading={<RowsLoading rows={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={styles.quiet}>{empty}</p>
          ) : (
            <DataTable
              label={title}
              columns={requestColumns}
              rows={data}
              rowKey={(request) => request.uuid}
              href={requestPath}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
