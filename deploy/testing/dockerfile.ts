export interface Instruction {
  name: string;
  arguments: string;
}

/** The instructions of a Dockerfile, continued lines put together and comments left out. */
export function readDockerfile(text: string): Instruction[] {
  const lines = text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [name = "", ...rest] = line.split(" ");
      return { name, arguments: rest.join(" ") };
    });
}

/** What ENV sets, as `NAME=value NAME=value`. */
export function environmentOf(instructions: Instruction[]): Record<string, string> {
  const pairs = instructions
    .filter(({ name }) => name === "ENV")
    .flatMap((instruction) => instruction.arguments.split(/ +/))
    .map((pair) => pair.split("=") as [string, string]);
  return Object.fromEntries(pairs);
}
