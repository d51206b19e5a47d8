import { STATUS_CODES } from "node:http";
import { operationNames } from "@gatehouse-parking/contract";
import type { Sample } from "../../packages/service/testing/metric-samples.js";
import type { Matcher, Query } from "./promql.js";

/** The metrics there are, and which values each label of them can have; undefined: any. */
export type Vocabulary = Map<string, Map<string, Set<string> | undefined>>;

/** What Prometheus itself adds to every sample of a target. */
const targetLabels = ["job", "instance"];
/** Labels with more values than one scrape shows. */
const knownValues: Record<string, Set<string>> = {
  operation: new Set([...operationNames, "other"]),
  status: new Set(Object.keys(STATUS_CODES)),
};

export function vocabularyOf(samples: Sample[]): Vocabulary {
  const vocabulary: Vocabulary = new Map([["up", new Map()]]);
  for (const { name, labels } of samples) {
    const known = vocabulary.get(name) ?? new Map<string, Set<string> | undefined>();
    vocabulary.set(name, known);
    for (const [label, value] of Object.entries(labels))
      known.set(label, knownValues[label] ?? new Set([...(known.get(label) ?? []), value]));
  }
  for (const labels of vocabulary.values()) for (const label of targetLabels) labels.set(label, undefined);
  return vocabulary;
}

/** A recorded metric has the labels that its query is grouped by. */
export function addRecorded(vocabulary: Vocabulary, name: string, query: Query): void {
  const labels = new Map(query.selectors.flatMap(({ metric }) => [...(vocabulary.get(metric) ?? [])]));
  vocabulary.set(name, new Map([...labels].filter(([label]) => query.groupingLabels.includes(label))));
}

/** Everything that the query names and the service does not have. */
export function unknownNames(query: Query, vocabulary: Vocabulary): string[] {
  const problems: string[] = [];
  const allLabels = new Set<string>();
  for (const { metric, matchers } of query.selectors) {
    const labels = vocabulary.get(metric);
    if (!labels) {
      problems.push(`the metric ${metric}`);
      continue;
    }
    for (const label of labels.keys()) allLabels.add(label);
    for (const matcher of matchers) {
      if (!labels.has(matcher.label)) problems.push(`the label ${matcher.label} of ${metric}`);
      else if (!canMatch(matcher, labels.get(matcher.label)))
        problems.push(`the value ${matcher.value} of ${metric}{${matcher.label}}`);
    }
  }
  for (const label of query.groupingLabels)
    if (!allLabels.has(label)) problems.push(`the label ${label} to group by`);
  return problems;
}

/** Of a pattern, the letters before its first wildcard are compared. */
function canMatch({ operator, value }: Matcher, values: Set<string> | undefined): boolean {
  if (values === undefined || value.startsWith("$")) return true;
  if (!operator.endsWith("~")) return values.has(value);
  const [literal = ""] = value.split(/[.*+]/);
  return [...values].some((candidate) => candidate.startsWith(literal));
}
