import { ActionIcon, Button, Group, Popover, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { savedViewLimits } from "@gatehouse-parking/contract";
import type { SavedList, SavedView } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { explain } from "../../core/api/errors.js";
import { useApi, useChange } from "../../core/api/queries.js";
import { useColumnChoice, viewQuery } from "../../core/lists/list-state.js";
import { IconTrash } from "../../core/ui/icons.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Failure } from "../../core/ui/states.js";
import styles from "./saved-views.module.css";
import { texts } from "./texts.js";

/** The user's saved views of a list, and a button to save the current one. */
export default function SavedViews({ list }: { list: SavedList }) {
  const views = useApi("listSavedViews");
  const { params } = useQueryState();
  const { chosen } = useColumnChoice(list);
  const current = viewQuery(params, chosen);
  const saved = (views.data?.data ?? []).filter((view) => view.list === list);
  return (
    <>
      {saved.map((view) => (
        <ViewLink key={view.uuid} view={view} isCurrent={view.query === current} />
      ))}
      {current === "" || saved.some(({ query }) => query === current) ? null : (
        <SaveView list={list} query={current} />
      )}
    </>
  );
}

function ViewLink({ view, isCurrent }: { view: SavedView; isCurrent: boolean }) {
  const [path] = useLocation();
  const remove = useChange("removeSavedView", { refresh: ["listSavedViews"] });
  // Hidden at once. It reappears if removing failed.
  if (remove.isPending || remove.isSuccess) return null;
  return (
    <span className={styles.view}>
      <Link href={`${path}?${view.query}`} aria-current={isCurrent ? "true" : undefined}>
        {view.name}
      </Link>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="xs"
        aria-label={texts.remove(view.name)}
        onClick={() =>
          remove.mutate(
            { parameters: { viewUuid: view.uuid } },
            {
              onError: (error) =>
                notifications.show({ color: "red", message: texts.notRemoved(explain(error).title) }),
            },
          )
        }
      >
        <IconTrash size={12} />
      </ActionIcon>
    </span>
  );
}

function SaveView({ list, query }: { list: SavedList; query: string }) {
  const [opened, { close, toggle }] = useDisclosure(false);
  const [name, setName] = useState("");
  const save = useChange("saveView", { refresh: ["listSavedViews"] });
  return (
    <Popover opened={opened} onChange={close} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button variant="subtle" size="compact-xs" onClick={toggle}>
          {texts.save}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(
              { body: { list, name, query } },
              {
                onSuccess: () => {
                  setName("");
                  close();
                },
              },
            );
          }}
        >
          <Failure error={save.error} />
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={texts.name}
              description={texts.help}
              size="xs"
              required
              maxLength={savedViewLimits.name}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Button type="submit" size="xs" loading={save.isPending} disabled={name.trim() === ""}>
              {texts.submit}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
