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

export default function RecordPage() {
  const { kind, recordUuid = "" } = useParams();
  if (!isRecordKind(kind)) return <Empty title="Page not found" />;
  return <RecordOfKind key={recordUuid} kind={kind} uuid={recordUuid} />;
}

function RecordOfKind({ kind, uuid }: { kind: RecordKind; uuid: string }) {
  const record = useApi("getRecord", { parameters: { kind, recordUuid: uuid } });
  if (record.data) return <LoadedRecord record={record.data} />;
  return (
    <UnloadedPage title={kinds[kind].singular} query={record}>
      {explain(record.error).detail}. Search for its reference in the box at the top.
    </UnloadedPage>
  );
}

function LoadedRecord({ record }: { record: RecordDetail }) {
  const { singular } = kinds[record.kind];
  return (
    <Page
      title={`${singular} ${record.reference}`}
      heading={
        <Group gap="xs">
          {singular} <span className="monospace">{record.reference}</span>
        </Group>
      }
      description={<RecordTitle title={record.title} />}
    >
      <Panel title="Fields">
        <RecordFields record={record} />
      </Panel>
      {record.local ? (
        <Panel title="Local time at the location">
          <Facts
            items={[
              ["Local date", record.local.localDate],
              ["Local time", `${record.local.localTime} (UTC${record.local.utcOffset})`],
              ["Time zone when imported", record.local.timeZone],
            ]}
          />
        </Panel>
      ) : null}
      <LinkedRecords record={record} />
      <Panel title="History" description="The run that created it, and every later batch that contained it.">
        <RecordHistory record={record} />
      </Panel>
      <Panel title="Metadata" description="Exactly as it was sent.">
        {record.metadata ? (
          <JsonText text={record.metadata} label="Metadata" maxHeight={480} />
        ) : (
          <span style={{ color: "var(--mantine-color-dimmed)" }}>No metadata was sent.</span>
        )}
      </Panel>
    </Page>
  );
}

/** Shown in a panel of their own. */
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
          ["UUID", <Identifier key="uuid" value={record.uuid} />],
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
          ["Imported", <Moment key="imported" value={record.createdAt} />],
        ]}
      />
      {absent.length > 0 ? <p className={styles.absent}>Not given: {absent.join(", ")}</p> : null}
    </>
  );
}
