import { Alert, Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { AnswerOf, BodyOf } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { isVersionConflict } from "../api/errors.js";
import type { PathParameters, RouteName } from "../api/client.js";
import { useChange } from "../api/queries.js";
import { useUnsavedWarning } from "../shell/leave-guard.js";
import { Form, type ChangeState } from "../ui/form.js";
import { IconAlertTriangle, IconRefresh } from "../ui/icons.js";
import { Panel } from "../ui/page.js";
import { Failure } from "../ui/states.js";
import type { SharedForm } from "./shared-form.js";
import { texts } from "./texts.js";

interface EditFormProps<Source, Values extends Record<string, unknown>> {
  shared: SharedForm<Source, Values>;
  saving: ChangeState;
  save: (values: Values) => void;
  /** The button's text. */
  action: string;
  children: ReactNode;
}

/** A form in a dialog for something that several people may edit at the same time. */
export function DialogForm<Source, Values extends Record<string, unknown>>({
  shared,
  saving,
  save,
  ...props
}: EditFormProps<Source, Values> & { onCancel?: () => void; width?: number }) {
  useUnsavedWarning(shared.form.isDirty() && !saving.isPending);
  return (
    <Form
      {...props}
      noValidate
      change={saving}
      onSubmit={shared.form.onSubmit(save)}
      disabled={!shared.form.isDirty()}
      failure={<SaveFailure saving={saving} shared={shared} />}
    />
  );
}

/** Like DialogForm, as a panel of a page. */
export function PanelForm<Source, Values extends Record<string, unknown>>({
  title,
  description,
  ...props
}: EditFormProps<Source, Values> & { title: string; description: string }) {
  return (
    <Panel title={title} description={description}>
      <DialogForm {...props} width={560} />
    </Panel>
  );
}

/** Saves a shared form. On a page, the form then shows the stored values. */
export function useSave<Name extends RouteName, Values extends Record<string, unknown>>(
  name: Name,
  shared: SharedForm<AnswerOf<Name>, Values>,
  {
    refresh,
    toBody,
    parameters,
    message,
    onSaved = shared.startFrom,
  }: {
    refresh: RouteName[];
    toBody: (values: Values, opened: AnswerOf<Name>) => BodyOf<Name>;
    parameters?: PathParameters;
    message: (saved: AnswerOf<Name>) => string;
    onSaved?: (saved: AnswerOf<Name>) => void;
  },
) {
  const saving = useChange(name, { refresh });
  const save = (values: Values) =>
    saving.mutate(
      { parameters, body: toBody(values, shared.opened) },
      {
        onSuccess: (saved) => {
          onSaved(saved);
          notifications.show({ message: message(saved) });
        },
      },
    );
  return { shared, saving, save };
}

/** Shows why saving failed. After a version conflict, it offers a reload that keeps the edits. */
export function SaveFailure({
  saving,
  shared,
}: {
  saving: ChangeState;
  shared: { goOn: () => Promise<boolean>; isReloading: boolean };
}) {
  if (!isVersionConflict(saving.error)) return <Failure error={saving.error} />;

  async function reload() {
    if (await shared.goOn()) saving.reset();
  }

  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={texts.conflict.title} role="alert">
      <p>{texts.conflict.text}</p>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} />}
        loading={shared.isReloading}
        onClick={() => void reload()}
      >
        {texts.conflict.reload}
      </Button>
    </Alert>
  );
}
