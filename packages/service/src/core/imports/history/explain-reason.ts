import { reasons } from "@gatehouse-parking/contract";

/** What a reason code is called, what it means and what to do about it, in the words of the contract. */
export function explainReason(code: number): { name: string; meaning: string; advice: string } {
  const known = reasons.find((reason) => reason.code === code);
  return known
    ? { name: known.name, meaning: known.meaning, advice: known.advice }
    : { name: `Reason ${code}`, meaning: "This code is not known to this release.", advice: "" };
}
