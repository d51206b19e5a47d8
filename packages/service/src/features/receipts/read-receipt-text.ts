import { open } from "node:fs/promises";
import { maxReceiptLength } from "@gatehouse-parking/contract";
import { InvalidInput } from "../../core/refusals/input-errors.js";

/** Room for a receipt with white space around it. More is not read, whatever was named by mistake. */
const maxBytes = maxReceiptLength * 2;

/** A receipt itself, which begins like every JWS with a JSON object; "-" for standard input; otherwise a file with one. */
export async function readReceiptText(given: string): Promise<string> {
  const isReceipt = given.startsWith("eyJ") && given.includes(".");
  const text = isReceipt ? given : given === "-" ? await fromStandardInput() : await fromFile(given);
  if (text.length > maxBytes)
    throw new InvalidInput(`A receipt has at most ${maxReceiptLength} characters; this has more`);
  return text.trim();
}

async function fromFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    if ((await file.stat()).isDirectory()) throw new InvalidInput(`${path} is a folder, not a file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function fromStandardInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk as string;
    if (text.length > maxBytes) break;
  }
  return text;
}
