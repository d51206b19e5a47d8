import { isEmail, isPhone, phoneDigits } from "@gatehouse-parking/contract";

/** Undefined for anything else than an email address. Nothing in it can add recipients or header fields. */
export function mailAddress(email: string, subject: string): string | undefined {
  const address = email.trim();
  if (!isEmail(address)) return undefined;
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)].map(encodeURIComponent);
  return `mailto:${local}@${domain}?subject=${encodeURIComponent(subject)}`;
}

/** Undefined for anything else than a phone number. */
export function phoneAddress(phone: string | null): string | undefined {
  if (phone === null || !isPhone(phone)) return undefined;
  return `tel:${phone.startsWith("+") ? "+" : ""}${phoneDigits(phone)}`;
}
