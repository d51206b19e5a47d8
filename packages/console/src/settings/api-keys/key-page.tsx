import { Button, Group } from "@mantine/core";
import { permissions } from "@gatehouse-parking/contract";
import type { ConsoleApiKey, RequestsQuery } from "@gatehouse-parking/contract/console";
import { useState, type ReactNode } from "react";
import { Link, useParams } from "wouter";
import { isNotFound } from "../../api/failure.js";
import { useApi } from "../../api/queries.js";
import { sourceOf, type SharedSource } from "../../editing/shared-form.js";
import { requestColumns } from "../../requests/request-columns.js";
import { useOrganization } from "../../session/organization.js";
import { useMayChange } from "../../session/session.js";
import { Facts } from "../../ui/facts.js";
import { Freshness } from "../../ui/freshness.js";
import { Page } from "../../ui/page.js";
import { Panel } from "../../ui/panel.js";
import { Empty, Failure, RowsLoading } from "../../ui/states.js";
import { DataTable } from "../../ui/table.js";
import { Moment } from "../../ui/time.js";
import { EditKey } from "./edit-key.js";
import { LeadLimit } from "./lead-limit.js";
import { KeyState } from "./key-state.js";
import { KeyUseOverTime } from "./key-use-over-time.js";
import { RevokeKey } from "./revoke-key.js";
import { RotateKey } from "./rotate-key.js";
import styles from "./key-page.module.css";

const shownErrors = 5;
const shownRequests = 10;

/** One key: what it may do, what it was used for, and what went wrong with it last. */
export default function KeyPage() {
  const { keyUuid = "" } = useParams();
  const key = useApi("getApiKey", { parameters: { keyUuid } });
  if (key.data) return <LoadedKey source={sourceOf(key)} />;
  return (
    <Page title="API key">
      {key.isPending ? <RowsLoading /> : null}
      {isNotFound(key.error) ? (
        <Empty title="API key not found">It does not belong to this organization.</Empty>
      ) : key.error ? (
        <Failure error={key.error} retry={() => void key.refetch()} />
      ) : null}
    </Page>
  );
}

function LoadedKey({ source }: { source: SharedSource<ConsoleApiKey> }) {
  const apiKey = source.saved;
  const mayChange = useMayChange();
  const isOperator = useOrganization().role === "operator";
  const [action, setAction] = useState<"edit" | "lead limit" | "rotate" | "revoke" | null>(null);
  const close = () => setAction(null);
  return (
    <Page
      title={apiKey.name}
      description={
        <>
          <Link href="/settings/api-keys" className={styles.back}>
            API keys
          </Link>{" "}
          / <span className="monospace">{apiKey.prefix}…</span>
        </>
      }
      actions={
        mayChange && !apiKey.revokedAt ? (
          <Group gap="xs">
            <Button variant="default" onClick={() => setAction("edit")}>
              Edit…
            </Button>
            {isOperator && apiKey.permissions.includes("leads:write") ? (
              <Button variant="default" onClick={() => setAction("lead limit")}>
                Lead limit…
              </Button>
            ) : null}
            {apiKey.replacedBy ? null : (
              <Button variant="default" onClick={() => setAction("rotate")}>
                Rotate…
              </Button>
            )}
            <Button variant="default" color="red" onClick={() => setAction("revoke")}>
              Revoke…
            </Button>
          </Group>
        ) : null
      }
    >
      <KeyFacts apiKey={apiKey} />
      <KeyUseOverTime keyUuid={apiKey.uuid} />
      <Requests
        title="Last errors"
        query={{ apiKey: apiKey.uuid, outcome: "error", limit: shownErrors }}
        more={<Link href={`/requests?apiKey=${apiKey.uuid}&outcome=error`}>All errors</Link>}
        empty="No request with this key was refused, as far back as the log goes."
      />
      <Requests
        title="Requests"
        query={{ apiKey: apiKey.uuid, limit: shownRequests }}
        more={<Link href={`/requests?apiKey=${apiKey.uuid}`}>All requests</Link>}
        empty="Requests appear here a few seconds after they are answered."
      />
      <EditKey source={action === "edit" ? source : null} onClose={close} />
      <LeadLimit source={action === "lead limit" ? source : null} onClose={close} />
      <RotateKey apiKey={action === "rotate" ? apiKey : null} onClose={close} />
      <RevokeKey apiKey={action === "revoke" ? apiKey : null} onClose={close} />
    </Page>
  );
}

function KeyFacts({ apiKey }: { apiKey: ConsoleApiKey }) {
  const { replacedBy } = apiKey;
  return (
    <Panel title="About this key">
      <Facts
        items={[
          ["State", <KeyState key="state" apiKey={apiKey} />],
          [
            "Permissions",
            apiKey.permissions.length === permissions.length ? "all" : apiKey.permissions.join(", "),
          ],
          ["Created", <Moment key="created" value={apiKey.createdAt} />],
          ["Expires", <Moment key="expires" value={apiKey.expiresAt} />],
          ["Last used", <Moment key="used" value={apiKey.lastUsedAt} />],
          ["Last used from", apiKey.lastUsedAddress],
          apiKey.leadOrigins.length > 0 && ["Allowed lead origins", apiKey.leadOrigins.join(", ")],
          apiKey.leadLimit && [
            "Lead limit",
            `${apiKey.leadLimit.requests} from one address in ${apiKey.leadLimit.windowSeconds} s`,
          ],
          replacedBy && [
            "Replaced by",
            <Link key="successor" href={`/settings/api-keys/${replacedBy.uuid}`}>
              {replacedBy.name} ({replacedBy.prefix}…)
            </Link>,
          ],
        ]}
      />
    </Panel>
  );
}

function Requests({
  title,
  query,
  more,
  empty,
}: {
  title: string;
  query: RequestsQuery;
  more: ReactNode;
  empty: string;
}) {
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
      {requests.isPending ? <RowsLoading rows={3} /> : null}
      {requests.error && !requests.data ? (
        <Failure error={requests.error} retry={() => void requests.refetch()} />
      ) : null}
      {requests.data?.data.length === 0 ? <p className={styles.quiet}>{empty}</p> : null}
      {requests.data && requests.data.data.length > 0 ? (
        <DataTable
          label={title}
          columns={requestColumns}
          rows={requests.data.data}
          rowKey={(request) => request.uuid}
        />
      ) : null}
    </Panel>
  );
}
