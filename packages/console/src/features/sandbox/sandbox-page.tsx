import { Badge, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { AnswerOf, Sample, SampleRequest, SampleRun } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { isNotFound } from "../../core/api/errors.js";
import { useApi, useChange } from "../../core/api/queries.js";
import { CertificateNote, useApiAddress } from "../../core/session/api-address.js";
import { useMayChange } from "../../core/session/session.js";
import { Code } from "../../core/ui/copyable.js";
import { ConfirmChange, type Confirmation } from "../../core/ui/form.js";
import { indentJson } from "../../core/ui/format.js";
import { IconPlayerPlay } from "../../core/ui/icons.js";
import { Page, PanelLoading } from "../../core/ui/page.js";
import { Empty, Failure } from "../../core/ui/states.js";
import { curlOf, neededKey } from "./curl.js";
import styles from "./sandbox.module.css";
import { texts } from "./texts.js";

const groups: Sample["group"][] = ["success", "reason", "error"];

/** Sample requests for every reason code and error, which run against the live service. */
export default function SandboxPage() {
  const sandbox = useApi("getSandbox");
  const mayChange = useMayChange();
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={mayChange && sandbox.data ? <ResetButton /> : null}
    >
      {sandbox.isPending ? <PanelLoading /> : null}
      {isNotFound(sandbox.error) ? (
        <Empty title={texts.unavailable} operatorCommand="npx --no -- gatehouse demo">
          {texts.unavailableHelp}
        </Empty>
      ) : sandbox.error ? (
        <Failure error={sandbox.error} retry={() => void sandbox.refetch()} />
      ) : null}
      {sandbox.data
        ? groups.map((group) => (
            <section key={group} className={styles.section}>
              <h2 className={styles.heading}>{texts.groups[group].title}</h2>
              <p className={styles.description}>{texts.groups[group].description}</p>
              {sandbox.data.samples
                .filter((sample) => sample.group === group)
                .map((sample) => (
                  <SampleCard key={sample.name} sample={sample} mayRun={mayChange} />
                ))}
            </section>
          ))
        : null}
    </Page>
  );
}

function ResetButton() {
  const [opened, { open, close }] = useDisclosure(false);
  const client = useQueryClient();
  const reset = useChange("resetSandbox");
  const onDone = ({ deleted }: AnswerOf<"resetSandbox">) => {
    const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0);
    notifications.show({ message: texts.reset.done(rows) });
    void client.invalidateQueries();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {texts.reset.action}
      </Button>
      <ConfirmChange
        confirmation={opened ? resetting : null}
        change={reset}
        variables={{}}
        onClose={close}
        onDone={onDone}
      />
    </>
  );
}

const resetting: Confirmation = {
  title: texts.reset.action,
  consequences: texts.reset.consequences,
  action: texts.reset.confirm,
  isDangerous: true,
  reversal: null,
};

/** A sample request and, after running it, its answer. */
function SampleCard({ sample, mayRun }: { sample: Sample; mayRun: boolean }) {
  const [open, setOpen] = useState(false);
  const run = useChange("runSample", { refresh: ["listRuns"] });
  const parameters = { sampleName: sample.name };
  return (
    <article className={styles.card}>
      <header className={styles.header}>
        <div className={styles.words}>
          <h3 className={styles.title}>
            {sample.title}
            <Badge color="gray">{texts.sample.expects(sample.expectedStatus)}</Badge>
          </h3>
          <p className={styles.text}>{sample.description}</p>
          {sample.notRunnable ? <p className={styles.text}>{sample.notRunnable}</p> : null}
        </div>
        <div className={styles.buttons}>
          <Button size="xs" variant="default" onClick={() => setOpen(!open)} aria-expanded={open}>
            {open ? texts.sample.hide : texts.sample.show}
          </Button>
          {mayRun && sample.notRunnable === undefined ? (
            <Button
              size="xs"
              leftSection={<IconPlayerPlay size={14} />}
              loading={run.isPending}
              onClick={() => {
                setOpen(true);
                run.mutate({ parameters });
              }}
            >
              {texts.sample.run}
            </Button>
          ) : null}
        </div>
      </header>
      <Failure error={run.error} />
      {open ? <Exchanges sample={sample} run={run.data} /> : null}
    </article>
  );
}

function Exchanges({ sample, run }: { sample: Sample; run: SampleRun | undefined }) {
  const api = useApiAddress();
  const requests = run ? run.exchanges.map((exchange) => exchange.request) : sample.requests;
  return requests.map((request, index) => (
    // The requests of a sample have no ID. Their order never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <div key={index} className={styles.sides}>
      <div className={styles.side}>
        <p className={styles.label}>
          {texts.sample.request}
          {requests.length > 1 ? ` ${index + 1}` : ""}: {request.method}{" "}
          {request.isSecure ? "" : api.plainOrigin}
          {request.path}
        </p>
        <Code
          text={requestText(request)}
          label={texts.sample.request}
          maxHeight={360}
          copyLabel={texts.sample.copyRequest}
        />
        <details className={styles.curl}>
          <summary>{texts.sample.asCurl}</summary>
          <Code text={curlOf(api, request)} label={texts.sample.curl} copyLabel={texts.sample.copyCurl} />
          <p className={styles.text}>{neededKey(request)}</p>
          <CertificateNote className={styles.text} />
        </details>
      </div>
      <SampleResponse exchange={run?.exchanges[index]} />
    </div>
  ));
}

function SampleResponse({ exchange }: { exchange: SampleRun["exchanges"][number] | undefined }) {
  if (!exchange) {
    return (
      <div className={styles.side}>
        <p className={styles.label}>{texts.sample.response}</p>
        <p className={styles.text}>{texts.sample.notRun}</p>
      </div>
    );
  }
  const { status, headers, body } = exchange.answer;
  return (
    <div className={styles.side}>
      <p className={styles.label}>
        {texts.sample.response}: <Badge color={status < 400 ? "teal" : "red"}>{status}</Badge>{" "}
        {exchange.durationMs} ms
      </p>
      <Code
        text={`${headerText(headers)}\n\n${pretty(body)}`.trim()}
        label={texts.sample.response}
        maxHeight={360}
        copyLabel={texts.sample.copyResponse}
      />
    </div>
  );
}

function requestText(request: SampleRequest): string {
  const { headers, body, trailingSpaces } = request;
  const rest = trailingSpaces === 0 ? "" : `\n${texts.sample.spaces(trailingSpaces)}`;
  return `${headerText(headers)}\n\n${pretty(body ?? "")}${rest}`.trim();
}

function headerText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** Some samples have invalid JSON, which is shown unchanged. */
function pretty(body: string): string {
  try {
    JSON.parse(body);
    return indentJson(body);
  } catch {
    return body;
  }
}
