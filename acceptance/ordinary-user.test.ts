import { chmod, chown, mkdir, mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { gatehouse } from "./command.js";
import { isOpenToAll, unprivilegedUser } from "./ordinary-user.js";
import { leave, placeAt, startService, stop } from "./running-service.js";

test("an ordinary user can run everything from a folder that only they may enter", async () => {
  const isRoot = process.geteuid?.() === 0;
  const user = isRoot && (await isOpenToAll()) ? unprivilegedUser : undefined;
  const home = await mkdtemp(path.join(tmpdir(), "gatehouse-acceptance-"));
  const folder = path.join(home, "private");
  await mkdir(folder);
  if (user) {
    await chown(home, user.uid, user.gid);
    await chown(folder, user.uid, user.gid);
  }
  await chmod(folder, 0o700);

  const place = placeAt(home, { GATEHOUSE_DATA_DIR: path.join(folder, "data"), HOME: home });
  try {
    const service = await startService(place, { ...user, cwd: folder });
    try {
      const answer = await service.send("/integrations/locations", { key: service.demo?.key ?? "" });
      expect(answer.json.totalCount).toBe(5);
      const options = { ...user, cwd: folder };
      const listed = await gatehouse(["organization", "list", "--json"], place.variables, options);
      expect(listed.json).toHaveLength(1);
      const data = await stat(path.join(folder, "data"));
      expect(data.mode & 0o007).toBe(0);
      expect(data.uid).toBe(user?.uid ?? process.geteuid?.());
    } finally {
      await stop(service);
    }
  } finally {
    await leave(place);
  }
});
