import { TextInput } from "@mantine/core";
import {
  operationNames,
  ownLimitRule,
  parseOwnLimit,
  showOwnLimit,
  type OwnLimit,
} from "@gatehouse-parking/contract";
import type { OrganizationLimits } from "@gatehouse-parking/contract/console";
import { useApi } from "../api/queries.js";
import { PanelForm, useSave } from "../editing/edit-forms.js";
import { sourceOf, useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { useOrganization } from "../session/session.js";
import { Panel } from "../ui/page.js";
import { Loaded } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";

type Limit = OrganizationLimits["data"][number];

/** Operators edit rate limits; other users see them. */
export default function RateLimits() {
  const limits = useApi("getLimits");
  const { uuid, role } = useOrganization();
  return (
    <Loaded query={limits}>
      {(data) =>
        role === "operator" ? (
          <LimitsForm key={uuid} source={sourceOf({ ...limits, data })} />
        ) : (
          <Panel
            title="Rate limits"
            description="As many requests are accepted in any span of so many seconds. Operators of the service can change them."
            flush
          >
            <DataTable
              label="Rate limits"
              columns={columns}
              rows={data.data}
              rowKey={(limit) => limit.operation}
            />
          </Panel>
        )
      }
    </Loaded>
  );
}

const columns: Column<Limit>[] = [
  { header: "Operation", cell: (limit) => limit.operation },
  { header: "Limit", cell: (limit) => formatLimit(limit.own ?? limit.usual) },
  { header: "Counted for", cell: describeScope },
  { header: "Usual", cell: (limit) => (limit.own ? formatLimit(limit.usual) : "the same"), from: "tablet" },
];

function formatLimit({ requests, windowSeconds }: OwnLimit): string {
  return `${requests.toLocaleString("en")} in ${windowSeconds.toLocaleString("en")} s`;
}

function describeScope({ per }: Limit): string {
  return per === "organization" ? "all keys together" : "each address";
}

type Values = Record<string, string>;

function toValues({ data }: OrganizationLimits): Values {
  return Object.fromEntries(data.map(({ operation, own }) => [operation, own ? showOwnLimit(own) : ""]));
}

function LimitsForm({ source }: { source: SharedSource<OrganizationLimits> }) {
  const problems = Object.fromEntries(operationNames.map((name) => [name, limitProblem]));
  const shared = useSharedForm(source, toValues, problems);
  const edit = useSave("changeLimits", shared, {
    refresh: ["getLimits", "getLimitUse", "getOrganization"],
    toBody: (values, opened) => {
      const before = toValues(opened);
      const changed = operationNames.filter((operation) => values[operation] !== before[operation]);
      const limits = changed.map((operation) => ({ operation, limit: values[operation]?.trim() || null }));
      return { limits, version: opened.version };
    },
    message: () => "The limits have been saved. They hold from now on.",
  });
  return (
    <PanelForm
      {...edit}
      title="Rate limits"
      description="Requests/seconds, such as 1000/60. Leave a field empty for the usual limit. Changes hold at once on every instance."
      action="Save limits"
    >
      {source.saved.data.map((limit) => (
        <TextInput
          key={limit.operation}
          label={limit.operation}
          description={`Usually ${formatLimit(limit.usual)}, counted for ${describeScope(limit)}.`}
          placeholder={showOwnLimit(limit.usual)}
          maxLength={20}
          {...shared.form.getInputProps(limit.operation)}
        />
      ))}
    </PanelForm>
  );
}

/** What is wrong with a typed limit. An empty field means the usual limit. */
export function limitProblem(text: string): string | null {
  return text.trim() === "" || parseOwnLimit(text) ? null : `Enter ${ownLimitRule}`;
}
