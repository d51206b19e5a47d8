import { Group } from "@mantine/core";
import type { RecordDetail, RecordKind } from "@gatehouse-parking/contract/console";
import { useParams } from "wouter";
import { explain } from "../api/errors.js";
import { useApi } from "../api/queries.js";
import { Identifier, JsonText } from "../ui/copyable.js";
import { Facts } from "../ui/facts.js";
import { Page, Panel, UnloadedPage } from "../ui/page.js";
import { Empty } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import { FieldValue, LinkedRecords, RecordHistory, RecordTitle, zoneOf } from "./record-details.js";
import { isRecordKind, kinds, toLabel } from "./record-kinds.js";
import styles from "./records.module.css";
import { texts } from "./texts.js";

export default function RecordPage() {
  const { kind, recordUuid = "" } = useParams();
  if (!isRecordKind(kind)) return <Empty title={texts.pageNotFound} />;
  return <RecordOfKind key={recordUuid} kind={kind} uuid={recordUuid} />;
}

function RecordOfKind({ kind, uuid }: { kind: RecordKind; uuid: string }) {
  const record = useApi("getRecord", { parameters: { kind, recordUuid: uuid } });
  if (record.data) return <LoadedRecord record={record.data} />;
  return (
    <UnloadedPage title={kinds[kind].singular} query={record}>
      {texts.page.notFound(explain(record.error).detail)}
    </UnloadedPage>
  );
}

function LoadedRecord({ record }: { record: RecordDetail }) {
  const { singular } = kinds[record.kind];
  return (
    <Page
      title={texts.page.title(singular, record.reference)}
      heading={
        <Group gap="xs">
          {singular} <span className="monospace">{record.reference}</span>
        </Group>
      }
      description={<RecordTitle title={record.title} />}
    >
      <Panel title={texts.fields.title}>
        <RecordFields record={record} />
      </Panel>
      {record.local ? (
        <Panel title={texts.local.title}>
          <Facts
            items={[
              [texts.local.date, record.local.localDate],
              [texts.local.time, `${record.local.localTime} (UTC${record.local.utcOffset})`],
              [texts.local.timeZone, record.local.timeZone],
            ]}
          />
        </Panel>
      ) : null}
      <LinkedRecords record={record} />
      <Panel title={texts.history.title} description={texts.history.description}>
        <RecordHistory record={record} />
      </Panel>
      <Panel title={texts.metadata.title} description={texts.metadata.description}>
        {record.metadata ? (
          <JsonText text={record.metadata} label={texts.metadata.title} maxHeight={480} />
        ) : (
          <span style={{ color: "var(--mantine-color-dimmed)" }}>{texts.metadata.none}</span>
        )}
      </Panel>
    </Page>
  );
}

/** Shown in the panel with local times. */
const localFields = new Set(["timeZone", "localDate", "utcOffsetSeconds"]);

/** Fields with a value, then the names of the empty ones. */
export function RecordFields({ record }: { record: RecordDetail }) {
  const fields = Object.entries(record.fields).filter(
    ([name]) => !/(Uuid|FoundBy)$/.test(name) && !(record.local && localFields.has(name)),
  );
  const absent = fields.filter(([, value]) => value === null).map(([name]) => toLabel(name));
  return (
    <>
      <Facts
        items={[
          [texts.fields.uuid, <Identifier key="uuid" value={record.uuid} />],
          ...fields
            .filter(([, value]) => value !== null)
            .map(
              ([name, value]) =>
                [
                  toLabel(name),
                  <FieldValue
                    key={name}
                    kind={record.kind}
                    field={name}
                    value={value}
                    timeZone={zoneOf(record.fields)}
                    withNumber
                  />,
                ] as const,
            ),
          [texts.list.imported, <Moment key="imported" value={record.createdAt} />],
        ]}
      />
      {absent.length > 0 ? <p className={styles.absent}>{texts.fields.notGiven(absent)}</p> : null}
    </>
  );
}
