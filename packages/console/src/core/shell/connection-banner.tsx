import { Button, Loader } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { request } from "../api/client.js";
import { Unreachable } from "../api/errors.js";
import { reportConnection, useConnectionLost } from "../api/query-client.js";
import styles from "./shell.module.css";
import { texts } from "./texts.js";

const retryMs = 5_000;
/** The first retry is early, because the server may be back before its failed script is noticed. */
const firstRetryMs = 100;

/** Shown while the server is unreachable. Retries, then refreshes everything on the page. */
export function ConnectionBanner() {
  const lost = useConnectionLost();
  const client = useQueryClient();
  const [checking, setChecking] = useState(false);

  const check = useCallback(async () => {
    setChecking(true);
    const answered = await serverAnswers();
    setChecking(false);
    if (!answered) return;
    reportConnection(false);
    await client.invalidateQueries();
  }, [client]);

  useEffect(() => {
    if (!lost) return undefined;
    const first = setTimeout(() => void check(), firstRetryMs);
    const timer = setInterval(() => void check(), retryMs);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [lost, check]);

  if (!lost) return null;
  return (
    <div className={styles.banner} role="alert">
      <span>{texts.connectionLost}</span>
      <Button
        size="compact-xs"
        variant="white"
        color="dark"
        onClick={() => void check()}
        disabled={checking}
        leftSection={checking ? <Loader size={12} /> : null}
      >
        {texts.tryAgain}
      </Button>
    </div>
  );
}

/** An error status is an answer too. */
async function serverAnswers(): Promise<boolean> {
  try {
    await request("getSession");
    return true;
  } catch (error) {
    return !(error instanceof Unreachable);
  }
}
