import { List, ScrollArea, Text } from "@mantine/core";
import type { KindCount, RecordOfRun, UndoPreview } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { recordFacts } from "../../core/records/record-facts.js";
import { pluralize } from "../../core/ui/format.js";
import { Moment } from "../../core/ui/time.js";

export function UndoPreviewDetails({ preview }: { preview: UndoPreview }) {
  return (
    <>
      <RemovedAndKept preview={preview} keptCount={preview.kept.length} />
      <Text size="sm" c="dimmed">
        The run stays in the list, marked as taken back, and the API answers it as before. Possible until{" "}
        <Moment value={preview.until} />.
      </Text>
    </>
  );
}

/** `keptCount` may be larger than the number of listed records. */
export function RemovedAndKept({
  preview: { removed, kept, acknowledged },
  keptCount,
}: {
  preview: Pick<UndoPreview, "removed" | "kept" | "acknowledged">;
  keptCount: number;
}) {
  return (
    <>
      <PreviewSection title="Will be removed">
        {removed.length > 0
          ? `${describeKinds(removed)}. They are gone for good; the same keys can be imported again.`
          : "Nothing: something refers to everything that is left."}
      </PreviewSection>
      {kept.length > 0 ? (
        <PreviewSection title={`Will stay: ${pluralize(keptCount, "record")} that others refer to`}>
          <ScrollArea.Autosize mah={220} tabIndex={0} aria-label="What will stay">
            <List size="sm">
              {kept.map((record) => (
                <List.Item key={record.uuid}>
                  <NamedRecord record={record} />, referred to by <RecordNames records={record.referredBy} />
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
          {keptCount > kept.length ? `and ${pluralize(keptCount - kept.length, "other")}.` : ""}
        </PreviewSection>
      ) : null}
      {acknowledged.count > 0 ? (
        <PreviewSection title={`Told to be stored: ${pluralize(acknowledged.count, "record")}`}>
          They were sent again later, and that run was answered that they are stored. They will be gone all
          the same: <RecordNames records={acknowledged.examples} />
          {acknowledged.count > acknowledged.examples.length ? " and others" : ""}.
        </PreviewSection>
      ) : null}
    </>
  );
}

export function PreviewSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Text size="sm" fw={600} component="h3">
        {title}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </section>
  );
}

function RecordNames({ records }: { records: readonly RecordOfRun[] }) {
  return records.map((record, index) => (
    <span key={record.uuid}>
      {index > 0 ? ", " : ""}
      <NamedRecord record={record} /> (<Link href={`/imports/${record.referenceUuid}`}>its run</Link>)
    </span>
  ));
}

function NamedRecord({ record }: { record: Pick<RecordOfRun, "kind" | "uuid" | "reference"> }) {
  return (
    <>
      {recordFacts[record.kind].singular}{" "}
      <Link href={`/records/${record.kind}/${record.uuid}`}>{record.reference || record.uuid}</Link>
    </>
  );
}

/** 500 transactions, 1 account */
export function describeKinds(kinds: readonly KindCount[]): string {
  return kinds.map(({ kind, count }) => pluralize(count, recordFacts[kind].singular)).join(", ");
}

export function describeTotal(kinds: readonly KindCount[]): string {
  return pluralize(totalCount(kinds), "record");
}

export function totalCount(kinds: readonly KindCount[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}
