import { Badge, Button } from "@mantine/core";
import type { Sample, SampleRequest, SampleRun } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useChange } from "../../core/api/queries.js";
import { CertificateNote, useApiAddress } from "../../core/session/api-address.js";
import { Code } from "../../core/ui/copyable.js";
import { indentJson } from "../../core/ui/format.js";
import { IconPlayerPlay } from "../../core/ui/icons.js";
import { Failure } from "../../core/ui/states.js";
import { curlOf, neededKey } from "./curl.js";
import styles from "./sandbox.module.css";

/** A sample request and, after running it, its answer. */
export function SampleCard({ sample, mayRun }: { sample: Sample; mayRun: boolean }) {
  const [open, setOpen] = useState(false);
  const run = useChange("runSample", { refresh: ["listRuns"] });
  const parameters = { sampleName: sample.name };
  return (
    <article className={styles.card}>
      <header className={styles.header}>
        <div className={styles.words}>
          <h3 className={styles.title}>
            {sample.title}
            <Badge color="gray">expects {sample.expectedStatus}</Badge>
          </h3>
          <p className={styles.text}>{sample.description}</p>
          {sample.notRunnable ? <p className={styles.text}>{sample.notRunnable}</p> : null}
        </div>
        <div className={styles.buttons}>
          <Button size="xs" variant="default" onClick={() => setOpen(!open)} aria-expanded={open}>
            {open ? "Hide" : "Request"}
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
              Run
            </Button>
          ) : null}
        </div>
      </header>
      {run.error ? <Failure error={run.error} /> : null}
      {open ? <Exchanges sample={sample} run={run.data} /> : null}
    </article>
  );
}

function Exchanges({ sample, run }: { sample: Sample; run: SampleRun | undefined }) {
  const api = useApiAddress();
  const requests = run ? run.exchanges.map((exchange) => exchange.request) : sample.requests;
  return requests.map((request, index) => (
    // Requests of a sample have no identity of their own but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <div key={index} className={styles.sides}>
      <div className={styles.side}>
        <p className={styles.label}>
          Request{requests.length > 1 ? ` ${index + 1}` : ""}: {request.method}{" "}
          {request.isSecure ? "" : api.plainOrigin}
          {request.path}
        </p>
        <Code text={requestText(request)} label="Request" maxHeight={360} copyLabel="Copy request" />
        <details className={styles.curl}>
          <summary>As curl</summary>
          <Code text={curlOf(api, request)} label="curl command" copyLabel="Copy as curl" />
          <p className={styles.text}>{neededKey(request)}</p>
          <CertificateNote className={styles.text} />
        </details>
      </div>
      <Answer exchange={run?.exchanges[index]} />
    </div>
  ));
}

function Answer({ exchange }: { exchange: SampleRun["exchanges"][number] | undefined }) {
  if (!exchange) {
    return (
      <div className={styles.side}>
        <p className={styles.label}>Answer</p>
        <p className={styles.text}>Run the sample to see the answer.</p>
      </div>
    );
  }
  const { status, headers, body } = exchange.answer;
  return (
    <div className={styles.side}>
      <p className={styles.label}>
        Answer: <Badge color={status < 400 ? "teal" : "red"}>{status}</Badge> {exchange.durationMs} ms
      </p>
      <Code
        text={`${headerText(headers)}\n\n${pretty(body)}`.trim()}
        label="Answer"
        maxHeight={360}
        copyLabel="Copy answer"
      />
    </div>
  );
}

function requestText(request: SampleRequest): string {
  const { headers, body, trailingSpaces } = request;
  const rest = trailingSpaces === 0 ? "" : `\n(and ${trailingSpaces.toLocaleString("en")} spaces)`;
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
