import { useForm, type UseFormInput, type UseFormReturnType } from "@mantine/form";
import { useEffect, useState } from "react";
import { texts } from "./texts.js";

/** The saved version of something that several people may edit, and how to reload it. */
export interface SharedSource<Source> {
  saved: Source;
  reload: () => Promise<Source | undefined>;
  isReloading: boolean;
}

export function sourceOf<Source>(query: {
  data: Source;
  refetch: () => Promise<{ data: Source | undefined }>;
  isFetching: boolean;
}): SharedSource<Source> {
  return {
    saved: query.data,
    reload: async () => (await query.refetch()).data,
    isReloading: query.isFetching,
  };
}

export interface SharedForm<Source, Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** The version that the form was filled from. */
  opened: Source;
  /** Discards the edits and shows `source`. */
  startFrom: (source: Source) => void;
  /** Rebases the edits onto the saved version. False: the reload failed. */
  goOn: () => Promise<boolean>;
  isReloading: boolean;
}

/** A form with optimistic locking: it knows the version that it was filled from, and can rebase onto a newer one. */
export function useSharedForm<Source extends { version: string }, Values extends Record<string, unknown>>(
  { saved, reload, isReloading }: SharedSource<Source>,
  toValues: (source: Source) => Values,
  validate: NonNullable<UseFormInput<Values>["validate"]>,
): SharedForm<Source, Values> {
  const [opened, setOpened] = useState(saved);
  const form = useForm<Values>({ initialValues: toValues(saved), validate });

  function startFrom(source: Source) {
    setOpened(source);
    form.setInitialValues(toValues(source));
    form.setValues(toValues(source));
    form.clearErrors();
  }

  async function goOn() {
    const fresh = await reload();
    if (!fresh) return false;
    const current = toValues(fresh);
    const { values, clashes } = rebase(toValues(opened), form.getValues(), current);
    setOpened(fresh);
    form.setInitialValues(current);
    form.setValues(values);
    form.setErrors(
      Object.fromEntries(
        clashes.map((field) => [field, texts.conflict.savedValue(formatSaved(current[field]))]),
      ),
    );
    return true;
  }

  // A form without edits follows when the page is refreshed.
  useEffect(() => {
    if (saved.version !== opened.version && !form.isDirty()) startFrom(saved);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [saved.version]);

  return { form, opened, startFrom, goOn, isReloading };
}

function formatSaved(value: unknown): string {
  if (value === "" || (Array.isArray(value) && value.length === 0)) return texts.conflict.emptyValue;
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/**
 * Rebases a form onto a newer saved version: edited fields keep their edits, all others take the saved values. A
 * field that was changed to something else on both sides is a clash.
 */
export function rebase<Values extends Record<string, unknown>>(
  opened: Values,
  typed: Values,
  saved: Values,
): { values: Values; clashes: (keyof Values & string)[] } {
  const values = { ...saved };
  const clashes: (keyof Values & string)[] = [];
  for (const field of Object.keys(typed) as (keyof Values & string)[]) {
    if (isSame(typed[field], opened[field])) continue;
    values[field] = typed[field];
    if (!isSame(saved[field], opened[field]) && !isSame(saved[field], typed[field])) clashes.push(field);
  }
  return { values, clashes };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
