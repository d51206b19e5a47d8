import { useForm, type UseFormInput } from "@mantine/form";
import { useEffect, useState } from "react";
import { rebase } from "./rebase.js";

interface Saved {
  version: string;
}

/**
 * A form for something that others may save at the same time. It knows which version it was filled from, and goes on
 * from a newer one without losing what was typed.
 */
export function useSharedForm<Source extends Saved, Values extends Record<string, unknown>>(
  saved: Source,
  toValues: (source: Source) => Values,
  validate: NonNullable<UseFormInput<Values>["validate"]>,
) {
  const [opened, setOpened] = useState(saved);
  const form = useForm<Values>({ initialValues: toValues(saved), validate });

  /** Nothing was typed, or it is saved: the form shows this. */
  function startFrom(source: Source) {
    setOpened(source);
    form.setInitialValues(toValues(source));
    form.setValues(toValues(source));
    form.clearErrors();
  }

  /** Somebody else saved this: what was typed stays, and is marked where both changed the same field. */
  function goOnFrom(source: Source) {
    const current = toValues(source);
    const { values, clashes } = rebase(toValues(opened), form.getValues(), current);
    setOpened(source);
    form.setInitialValues(current);
    form.setValues(values);
    form.setErrors(
      Object.fromEntries(clashes.map((field) => [field, `Saved meanwhile: ${said(current[field])}`])),
    );
  }

  // The page is read again now and then; a form in which nothing was typed follows.
  useEffect(() => {
    if (saved.version !== opened.version && !form.isDirty()) startFrom(saved);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [saved.version]);

  return { form, opened, startFrom, goOnFrom };
}

function said(value: unknown): string {
  if (value === "" || (Array.isArray(value) && value.length === 0)) return "empty";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
