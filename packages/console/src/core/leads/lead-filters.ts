import { useApi } from "../api/queries.js";
import { choice, utcDays, type Filter } from "../lists/filters.js";
import { useLocationFilter } from "../locations/location-choices.js";
import { useSession } from "../session/session.js";
import { texts } from "./texts.js";
import { workStates } from "./work-states.js";

const filters: Filter[] = [
  { kind: "text", name: "text", label: texts.list.filters.text },
  { kind: "choice", name: "workState", label: texts.columns.status, choices: workStates },
  choice("state", texts.list.filters.quarantine, {
    accepted: texts.list.filters.notInQuarantine,
    quarantined: texts.list.filters.inQuarantine,
  }),
  choice("duplicates", texts.list.filters.duplicates, {
    hide: texts.list.filters.hideDuplicates,
    only: texts.list.filters.onlyDuplicates,
  }),
];

/** The members who can get leads, the user first. */
export function useAssigneeChoices(): { value: string; label: string }[] {
  const { user } = useSession();
  const members = useApi("listMembers").data?.data ?? [];
  return members
    .filter(({ disabledAt }) => disabledAt === null)
    .toSorted((one, other) => Number(other.uuid === user.uuid) - Number(one.uuid === user.uuid))
    .map(({ uuid, email }) => ({
      value: uuid,
      label: uuid === user.uuid ? texts.assignee.me(email) : email,
    }));
}

export function useLeadFilters(): Filter[] {
  const { user } = useSession();
  // A link with "me" means the person who opens it.
  const members = useAssigneeChoices().map((one) =>
    one.value === user.uuid ? { ...one, value: "me" } : one,
  );
  const assignee: Filter = {
    kind: "choice",
    name: "assignee",
    label: texts.columns.assignee,
    searchable: true,
    choices: [{ value: "unassigned", label: texts.assignee.none }, ...members],
  };
  return [...filters, assignee, useLocationFilter(), utcDays];
}

/** The page of a lead knows the filters of the list, for the next lead. */
export function leadAddress(uuid: string, params: URLSearchParams): string {
  const kept = new URLSearchParams(params);
  for (const name of ["before", "after"]) kept.delete(name);
  return kept.size > 0 ? `/leads/${uuid}?${kept}` : `/leads/${uuid}`;
}
