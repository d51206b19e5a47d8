import { beforeAll, expect, test } from "vitest";
import { buildCommand, startPush } from "../../testing/built-command.js";

beforeAll(buildCommand, 120_000);

test("the command does not crash when its reader exits, as with | head", async () => {
  const unheard = startPush(["--help"]);
  unheard.process.stdout?.destroy();
  expect(await unheard.ended).toMatchObject({ code: 0, signal: null, error: "" });

  const unwarned = startPush(["--no-such-option"]);
  unwarned.process.stderr?.destroy();
  expect(await unwarned.ended).toMatchObject({ code: 1, signal: null });
});
