import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { errors, operations, type Operation } from "@gatehouse-parking/contract";
import type { RequestDetail } from "@gatehouse-parking/contract/console";
import { Link, useParams } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { curlCommand, useApiAddress } from "../../core/session/api-address.js";
import { Identifier } from "../../core/ui/copyable.js";
import { Facts } from "../../core/ui/facts.js";
import { formatBytes } from "../../core/ui/format.js";
import { IconTerminal2 } from "../../core/ui/icons.js";
import { Page, Panel, UnloadedPage } from "../../core/ui/page.js";
import { Moment } from "../../core/ui/time.js";
import styles from "./request-log.module.css";
import { Status } from "./requests-page.js";
import { texts } from "./texts.js";

/** One request: what it asked for, what was wrong, and what to do. */
export default function RequestPage() {
  const { requestUuid = "" } = useParams();
  const request = useApi("getRequest", { parameters: { requestUuid } });
  if (request.data) return <LoadedRequest request={request.data} />;
  return (
    <UnloadedPage title={texts.page.unloaded} query={request}>
      {texts.page.notFound}
    </UnloadedPage>
  );
}

function LoadedRequest({ request }: { request: RequestDetail }) {
  const { apiKey, answer, durationMs } = request;
  const operation = operationOf(request);
  return (
    <Page
      title={request.operation}
      description={<Identifier value={request.requestId} label={texts.columns.copyRequestId} />}
      actions={operation ? <CopyAsCurl operation={operation} request={request} /> : null}
    >
      <Problem request={request} />
      <Panel title={texts.page.details}>
        <Facts
          items={[
            [texts.columns.status, <Status key="status" request={request} />],
            [texts.columns.answered, <Moment key="at" value={request.at} />],
            operation && [texts.page.address, `${operation.method} ${operation.path}`],
            [
              texts.columns.key,
              <Link key="key" href={`/settings/api-keys/${apiKey.uuid}`}>
                {apiKey.name} ({apiKey.prefix}…)
              </Link>,
            ],
            request.referenceUuid !== null && [
              texts.columns.import,
              <Link key="import" href={`/imports/${request.referenceUuid}`}>
                {request.referenceUuid}
              </Link>,
            ],
            [texts.columns.duration, durationMs === null ? texts.page.unknown : `${durationMs} ms`],
            [
              texts.page.sent,
              request.bodyBytes === null ? texts.page.unknown : formatBytes(request.bodyBytes),
            ],
          ]}
        />
      </Panel>
      {answer && Object.keys(answer.headers).length > 0 ? (
        <Panel title={texts.page.headers}>
          <Facts items={Object.entries(answer.headers)} />
        </Panel>
      ) : null}
    </Page>
  );
}

/** A release that this one does not know may have logged the request. */
function operationOf({ operation }: RequestDetail): Operation | undefined {
  return operation in operations ? operations[operation as keyof typeof operations] : undefined;
}

/** What the answer said, and the advice of the error reference. */
function Problem({ request: { status, reason, answer } }: { request: RequestDetail }) {
  if (status === null) return <Panel title={texts.columns.noAnswer}>{texts.page.clientGone}</Panel>;
  if (reason === null) return null;
  const known = reason in errors ? errors[reason as keyof typeof errors] : undefined;
  const messages = answer?.messages.length ? answer.messages : [known?.message ?? reason];
  return (
    <Panel title={texts.page.problem}>
      <ul className={styles.messages}>
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <Facts
        items={[
          [
            texts.columns.reason,
            <span key="reason" className="monospace">
              {reason}
            </span>,
          ],
          known && [texts.page.advice, known.advice, "wide"],
        ]}
      />
    </Panel>
  );
}

/** The same request without its key and body, which are never logged. */
function CopyAsCurl({ operation, request }: { operation: Operation; request: RequestDetail }) {
  const api = useApiAddress();
  const clipboard = useClipboard();
  const path = operation.path.replace(":referenceUuid", request.referenceUuid ?? "REFERENCE-UUID");
  const body = operation.method === "POST" ? "--data-binary @body.json" : undefined;
  return (
    <Button
      variant="default"
      leftSection={<IconTerminal2 size={16} />}
      onClick={() => {
        clipboard.copy(curlCommand(api, path, body));
        notifications.show({ message: texts.page.copied });
      }}
    >
      {texts.page.copyCurl}
    </Button>
  );
}
