import { parser } from "@prometheus-io/lezer-promql";

/** What a query of PromQL names, read by Prometheus's own grammar. */
export interface Query {
  selectors: Selector[];
  /** Labels by which results are grouped or matched. */
  groupingLabels: string[];
}

export interface Selector {
  metric: string;
  matchers: Matcher[];
}

export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

export function readQuery(text: string): Query {
  const query: Query = { selectors: [], groupingLabels: [] };
  let label = "";
  let operator = "";
  parser.parse(text).iterate({
    enter(node) {
      const said = text.slice(node.from, node.to);
      const matchers = query.selectors.at(-1)?.matchers;
      if (node.type.isError) throw new Error(`No PromQL at character ${node.from}: ${text}`);
      if (node.name === "VectorSelector") query.selectors.push({ metric: "", matchers: [] });
      else if (node.name === "Identifier") (query.selectors.at(-1) as Selector).metric = said;
      else if (node.name === "MatchOp") operator = said;
      else if (node.name === "StringLiteral" && node.node.parent?.name === "UnquotedLabelMatcher")
        matchers?.push({ label, operator, value: said.slice(1, -1) });
      else if (node.name === "LabelName" && node.node.parent?.name === "GroupingLabels")
        query.groupingLabels.push(said);
      else if (node.name === "LabelName") label = said;
    },
  });
  return query;
}
