import { Alert, Badge } from "@mantine/core";
import type { FoundAnywhere, FoundEverywhere } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { Page, Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Empty, Failure, RowsLoading } from "../../core/ui/states.js";
import { Time } from "../../core/ui/time.js";
import { OperatorPage } from "./installation-page.js";
import styles from "./installation.module.css";

/** Finds the organization that a request ID or reference belongs to. */
export default function SearchEverywherePage() {
  const { params } = useQueryState();
  const text = params.get("q")?.trim() ?? "";
  const answer = useApi("searchEverywhere", { query: { q: text }, enabled: text !== "" });
  return (
    <OperatorPage>
      <Page title={text === "" ? "Search" : `Search: ${text}`} heading="Search in all organizations">
        {text === "" ? (
          <Empty title="What are you looking for?">
            Enter a request id, a referenceUuid, how a key begins, or the name or UUID of an organization in
            the search box at the top.
          </Empty>
        ) : null}
        {answer.isLoading ? <RowsLoading /> : null}
        <Failure error={answer.error} retry={() => void answer.refetch()} />
        {answer.data && text !== "" ? <Answer answer={answer.data} /> : null}
      </Page>
    </OperatorPage>
  );
}

function Answer({ answer }: { answer: FoundEverywhere }) {
  if (answer.hits.length === 0)
    return (
      <Panel>
        <Empty title={`No results for “${answer.query}”`}>
          Request ids and referenceUuids must match as a whole.{" "}
          {answer.isRequestLogKept
            ? "Requests are found for as long as the request log keeps them."
            : "Request ids are not found, because this service keeps no request log."}{" "}
          References, e-mail addresses and plates are searched for inside of an organization.
        </Empty>
      </Panel>
    );
  return (
    <>
      <Panel>
        <ul className={styles.hits}>
          {answer.hits.map((hit) => (
            <li key={`${hit.kind} ${hit.organization.uuid} ${hit.uuid} ${hit.title}`} className={styles.hit}>
              <Badge color="gray">{labels[hit.kind]}</Badge>
              <Link href={addressOf(hit, answer.query)}>{hit.title}</Link>
              {hit.kind === "organization" ? null : <span>in {hit.organization.name}</span>}
              {hit.at ? (
                <span className={styles.quiet}>
                  <Time value={hit.at} />
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      </Panel>
      {answer.truncated ? (
        <Alert color="gray" p="sm">
          There are more results than fit here. Make your search more specific.
        </Alert>
      ) : null}
    </>
  );
}

const labels: Record<FoundAnywhere["kind"], string> = {
  organization: "Organization",
  run: "Import run",
  request: "Request",
  "api-key": "API key",
};

function addressOf({ kind, organization, uuid }: FoundAnywhere, query: string): string {
  const home = `/organizations/${organization.uuid}`;
  switch (kind) {
    case "organization":
      return home;
    case "run":
      return `${home}/imports/${uuid}`;
    case "request":
      return `${home}/requests?requestId=${encodeURIComponent(query)}`;
    case "api-key":
      return `${home}/settings/api-keys/${uuid}`;
  }
}
