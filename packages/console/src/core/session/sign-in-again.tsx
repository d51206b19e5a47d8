import { Button, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Session } from "@gatehouse-parking/contract/console";
import { sessionKey, useEnterSession, useSession } from "./session.js";
import { SignInForm } from "./sign-in.js";
import { texts } from "./texts.js";

/** Above all other dialogs. */
const layer = 400;

/** A dialog over the page, so that a form on it keeps its edits. */
export default function SignInAgain() {
  const { user } = useSession();
  const client = useQueryClient();
  const enter = useEnterSession();

  function goOn(session: Session) {
    // Another user: start with an empty cache.
    if (session.user.uuid !== user.uuid) return enter(session);
    client.setQueryData(sessionKey, session);
    return void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
  }

  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={texts.again.title}
      zIndex={layer}
      overlayProps={{ backgroundOpacity: 0.5, blur: 6 }}
    >
      <Stack gap="md">
        <Text size="sm">{texts.again.text}</Text>
        <SignInForm email={user.email} onSignedIn={goOn} />
        <Button variant="subtle" color="gray" onClick={() => enter(null)}>
          {texts.again.leave}
        </Button>
      </Stack>
    </Modal>
  );
}
