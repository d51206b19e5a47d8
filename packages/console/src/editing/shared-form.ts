import { useForm, type UseFormInput, type UseFormReturnType } from "@mantine/form";
import { useEffect, useState } from "react";
import { rebase } from "./rebase.js";

/** Something that several people may edit: as it is saved now, and the way to read it again. */
export interface SharedSource<Source> {
  saved: Source;
  reload: () => Promise<Source | undefined>;
  isReloading: boolean;
}

/** What a query has read, as the source of a form. */
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
  /** What the form was filled from. */
  opened: Source;
  /** Shows what is saved, in place of anything typed. */
  startFrom: (source: Source) => void;
  /** Reads again what is saved and keeps what was typed. False: it could not be read. */
  goOn: () => Promise<boolean>;
  isReloading: boolean;
}

/**
 * A form for something that others may save at the same time. It knows which version it was filled from, and goes on
 * from a newer one without losing what was typed.
 */
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
      Object.fromEntries(clashes.map((field) => [field, `Saved meanwhile: ${said(current[field])}`])),
    );
    return true;
  }

  // The page is read again now and then; a form in which nothing was typed follows.
  useEffect(() => {
    if (saved.version !== opened.version && !form.isDirty()) startFrom(saved);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [saved.version]);

  return { form, opened, startFrom, goOn, isReloading };
}

function said(value: unknown): string {
  if (value === "" || (Array.isArray(value) && value.length === 0)) return "empty";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
