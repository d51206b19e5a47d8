import { List, ScrollArea, Text } from "@mantine/core";
import type { RecordOfRun, UndoPreview } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { recordFacts } from "../records/facts.js";
import { counted } from "../ui/counted.js";
import { Moment } from "../ui/time.js";
import { kindsInWords } from "./in-words.js";

/** What taking a run back would do, in words. */
export function ShownPreview({ preview }: { preview: UndoPreview }) {
  return (
    <>
      <WhatGoesAndStays preview={preview} keptCount={preview.kept.length} />
      <Text size="sm" c="dimmed">
        The run stays in the list, marked as taken back, and the API answers it as before. Possible until{" "}
        <Moment value={preview.until} />.
      </Text>
    </>
  );
}

/** `keptCount`: how many records stay, of which not all may be named. */
export function WhatGoesAndStays({
  preview: { removed, kept, acknowledged },
  keptCount,
}: {
  preview: Pick<UndoPreview, "removed" | "kept" | "acknowledged">;
  keptCount: number;
}) {
  return (
    <>
      <Part title="Will be removed">
        {removed.length > 0
          ? `${kindsInWords(removed)}. They are gone for good; the same keys can be imported again.`
          : "Nothing: something refers to everything that is left."}
      </Part>
      {kept.length > 0 ? (
        <Part title={`Will stay: ${counted(keptCount, "record")} that others refer to`}>
          <ScrollArea.Autosize mah={220} tabIndex={0} aria-label="What will stay">
            <List size="sm">
              {kept.map((record) => (
                <List.Item key={record.uuid}>
                  <NamedRecord record={record} />, referred to by <Names records={record.referredBy} />
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
          {keptCount > kept.length ? `and ${counted(keptCount - kept.length, "other")}.` : ""}
        </Part>
      ) : null}
      {acknowledged.count > 0 ? (
        <Part title={`Told to be stored: ${counted(acknowledged.count, "record")}`}>
          They were sent again later, and that run was answered that they are stored. They will be gone all
          the same: <Names records={acknowledged.examples} />
          {acknowledged.count > acknowledged.examples.length ? " and others" : ""}.
        </Part>
      ) : null}
    </>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
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

function Names({ records }: { records: readonly RecordOfRun[] }) {
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
