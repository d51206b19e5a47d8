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
import { texts } from "./texts.js";

/** Finds the organization that a request ID or reference belongs to. */
export default function SearchEverywherePage() {
  const { params } = useQueryState();
  const text = params.get("q")?.trim() ?? "";
  const answer = useApi("searchEverywhere", { query: { q: text }, enabled: text !== "" });
  return (
    <OperatorPage>
      <Page title={texts.search.page(text)} heading={texts.search.title}>
        {text === "" ? <Empty title={texts.search.start}>{texts.search.startHelp}</Empty> : null}
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
        <Empty title={texts.search.noResults(answer.query)}>
          {texts.search.wholeIds}{" "}
          {answer.isRequestLogKept ? texts.search.requestsKept : texts.search.requestsNotKept}{" "}
          {texts.search.searchInside}
        </Empty>
      </Panel>
    );
  return (
    <>
      <Panel>
        <ul className={styles.hits}>
          {answer.hits.map((hit) => (
            <li key={`${hit.kind} ${hit.organization.uuid} ${hit.uuid} ${hit.title}`} className={styles.hit}>
              <Badge color="gray">{texts.search.kinds[hit.kind]}</Badge>
              <Link href={addressOf(hit, answer.query)}>{hit.title}</Link>
              {hit.kind === "organization" ? null : <span>{texts.search.in(hit.organization.name)}</span>}
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
          {texts.search.truncated}
        </Alert>
      ) : null}
    </>
  );
}

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
