import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { Sample } from "@gatehouse-parking/contract/console";
import { isNotFound } from "../../core/api/errors.js";
import { useApi, useChange } from "../../core/api/queries.js";
import { useMayChange } from "../../core/session/session.js";
import { pluralize } from "../../core/ui/format.js";
import { Page } from "../../core/ui/page.js";
import { Empty, Failure, RowsLoading } from "../../core/ui/states.js";
import { SampleCard } from "./sample-card.js";
import styles from "./sandbox.module.css";

const groups: { group: Sample["group"]; title: string; description: string }[] = [
  { group: "success", title: "What works", description: "A short request for each operation." },
  {
    group: "reason",
    title: "Reason codes",
    description: "One record for each code. The batch itself is answered with 200.",
  },
  { group: "error", title: "HTTP errors", description: "Requests that are rejected as a whole." },
];

/** Sample requests for every reason code and error, which run against the live service. */
export default function SandboxPage() {
  const sandbox = useApi("getSandbox");
  const mayChange = useMayChange();
  return (
    <Page
      title="Sandbox"
      description="For integrators: see every answer of the API before you write code for it. The requests go to this service and into the demo organization."
      actions={mayChange && sandbox.data ? <ResetButton /> : null}
    >
      {sandbox.isPending ? <RowsLoading /> : null}
      {isNotFound(sandbox.error) ? (
        <Empty title="Only the demo organization has a sandbox" operatorCommand="npx --no -- gatehouse demo">
          Its data can be reset at any time.
        </Empty>
      ) : sandbox.error ? (
        <Failure error={sandbox.error} retry={() => void sandbox.refetch()} />
      ) : null}
      {sandbox.data
        ? groups.map(({ group, title, description }) => (
            <section key={group} className={styles.section}>
              <h2 className={styles.heading}>{title}</h2>
              <p className={styles.description}>{description}</p>
              {sandbox.data.samples
                .filter((sample) => sample.group === group)
                .map((sample) => (
                  <SampleCard key={sample.name} sample={sample} mayRun={mayChange} />
                ))}
            </section>
          ))
        : null}
    </Page>
  );
}

function ResetButton() {
  const [opened, { open, close }] = useDisclosure(false);
  const client = useQueryClient();
  const reset = useChange("resetSandbox");
  return (
    <>
      <Button variant="default" onClick={open}>
        Reset to sample data
      </Button>
      <Modal opened={opened} onClose={close} title="Reset to sample data">
        <Stack gap="md">
          {reset.error ? <Failure error={reset.error} /> : null}
          <Text size="sm">
            This removes everything that was imported into the demo organization or submitted to it, and puts
            the month of sample data back that it began with. Locations, keys and members are kept.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              color="red"
              loading={reset.isPending}
              onClick={() =>
                reset.mutate(
                  {},
                  {
                    onSuccess: ({ deleted }) => {
                      const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0);
                      notifications.show({
                        message: `${pluralize(rows, "row")} removed, and the sample data is back.`,
                      });
                      void client.invalidateQueries();
                      close();
                    },
                  },
                )
              }
            >
              Reset
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
