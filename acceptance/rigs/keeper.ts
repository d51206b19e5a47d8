import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

const keeperScript = fileURLToPath(new URL("database-keeper.js", import.meta.url));

export async function startKeeper(
  folder: string,
): Promise<{ keeper: ChildProcess; connectionString: string }> {
  const keeper = spawn(process.execPath, [keeperScript, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const connectionString = await new Promise<string>((resolve, reject) => {
    keeper.once("close", (code) => reject(new Error(`The database server did not start: ${code}`)));
    keeper.stdout.setEncoding("utf8").once("data", (line: string) => resolve(line.trim()));
  });
  return { keeper, connectionString };
}
