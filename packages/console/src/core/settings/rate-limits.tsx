import { TextInput } from "@mantine/core";
import {
  parseLimitOverride,
  showLimitOverride,
  type LimitOverride,
  type OperationName,
} from "@gatehouse-parking/contract";
import type { OrganizationLimits } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi } from "../api/queries.js";
import { DialogForm, useSave } from "../editing/edit-forms.js";
import { sourceOf, useSharedForm, type SharedSource } from "../editing/shared-form.js";
import { useOrganization } from "../session/session.js";
import { formatRate } from "../ui/format.js";
import { PanelLoading } from "../ui/page.js";
import { Loaded } from "../ui/states.js";
import { LimitDialog, LimitTable, type LimitRow } from "./limit-table.js";
import { texts } from "./texts.js";

const refreshMs = 10_000;

/** Operators edit rate limits; other users see them. */
export default function RateLimits() {
  const limits = useApi("getLimits", { refetchMs: refreshMs });
  const { role } = useOrganization();
  const [edited, setEdited] = useState<OperationName>();
  const close = () => setEdited(undefined);
  return (
    <Loaded query={limits} loading={<PanelLoading />}>
      {(data) => {
        const rows = data.data.map(toRow);
        return (
          <LimitTable
            title={texts.tabs.limits}
            description={texts.limits.description}
            header={texts.limits.operation}
            rows={rows}
            edit={role === "operator" ? setEdited : undefined}
          >
            <LimitDialog row={rows.find(({ key }) => key === edited)} onClose={close}>
              {({ key }) => (
                <LimitForm operation={key} source={sourceOf({ ...limits, data })} onClose={close} />
              )}
            </LimitDialog>
          </LimitTable>
        );
      }}
    </Loaded>
  );
}

function toRow({
  operation,
  per,
  own,
  usual,
  used,
}: OrganizationLimits["data"][number]): LimitRow<OperationName> {
  const limit = own ?? usual;
  return {
    key: operation,
    name: operation,
    scope: per === "organization" ? texts.limits.allKeys : texts.limits.eachAddress,
    limit: format(limit),
    replaces: own ? format(usual) : null,
    maximum: limit.requests,
    used,
  };
}

function format({ requests, windowSeconds }: LimitOverride): string {
  return formatRate(requests, windowSeconds);
}

function LimitForm({
  operation,
  source,
  onClose,
}: {
  operation: OperationName;
  source: SharedSource<OrganizationLimits>;
  onClose: () => void;
}) {
  const find = ({ data }: OrganizationLimits) => data.find((limit) => limit.operation === operation);
  const toValues = (limits: OrganizationLimits) => {
    const own = find(limits)?.own;
    return { limit: own ? showLimitOverride(own) : "" };
  };
  const shared = useSharedForm(source, toValues, { limit: limitProblem });
  const edit = useSave("changeLimits", shared, {
    refresh: ["getLimits", "getOrganization"],
    toBody: ({ limit }, { version }) => ({ limits: [{ operation, limit: limit.trim() || null }], version }),
    message: () => texts.limits.saved,
    onSaved: onClose,
  });
  const usual = find(shared.opened)?.usual;
  return (
    <DialogForm {...edit} action={texts.limits.save} onCancel={onClose}>
      <TextInput
        label={texts.limits.field}
        description={usual && texts.limits.fieldHelp(format(usual))}
        placeholder={usual && showLimitOverride(usual)}
        maxLength={20}
        data-autofocus
        {...shared.form.getInputProps("limit")}
      />
    </DialogForm>
  );
}

/** Validates a limit. An empty field means the default. */
export function limitProblem(text: string): string | null {
  return text.trim() === "" || parseLimitOverride(text) ? null : texts.limits.invalid;
}
