import { TextInput } from "@mantine/core";
import {
  operationNames,
  parseLimitOverride,
  showLimitOverride,
  type LimitOverride,
} from "@gatehouse-parking/contract";
import type { OrganizationLimits } from "@gatehouse-parking/contract/console";
import { useApi } from "../api/queries.js";
import { PanelForm, useSave } from "../editing/edit-forms.js";
import { sourceOf, useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { useOrganization } from "../session/session.js";
import { Panel } from "../ui/page.js";
import { Loaded } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import { texts } from "./texts.js";

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
          <Panel title={texts.tabs.limits} description={texts.limits.description} flush>
            <DataTable
              label={texts.tabs.limits}
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
  { header: texts.limits.operation, cell: (limit) => limit.operation },
  { header: texts.limits.limit, cell: (limit) => formatLimit(limit.own ?? limit.usual) },
  { header: texts.limits.scope, cell: describeScope },
  { header: texts.limits.default, cell: (limit) => formatLimit(limit.usual), from: "tablet" },
];

function formatLimit({ requests, windowSeconds }: LimitOverride): string {
  return texts.limits.inSeconds(requests, windowSeconds);
}

function describeScope({ per }: Limit): string {
  return per === "organization" ? texts.limits.allKeys : texts.limits.eachAddress;
}

type Values = Record<string, string>;

function toValues({ data }: OrganizationLimits): Values {
  return Object.fromEntries(data.map(({ operation, own }) => [operation, own ? showLimitOverride(own) : ""]));
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
    message: () => texts.limits.saved,
  });
  return (
    <PanelForm
      {...edit}
      title={texts.tabs.limits}
      description={texts.limits.formDescription}
      action={texts.limits.save}
    >
      {source.saved.data.map((limit) => (
        <TextInput
          key={limit.operation}
          label={limit.operation}
          description={texts.limits.fieldHelp(formatLimit(limit.usual), describeScope(limit))}
          placeholder={showLimitOverride(limit.usual)}
          maxLength={20}
          {...shared.form.getInputProps(limit.operation)}
        />
      ))}
    </PanelForm>
  );
}

/** Validates a limit. An empty field means the default. */
export function limitProblem(text: string): string | null {
  return text.trim() === "" || parseLimitOverride(text) ? null : texts.limits.invalid;
}
