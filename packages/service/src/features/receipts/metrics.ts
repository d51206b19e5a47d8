import client from "@platformatic/prom-client";

export interface ReceiptMetrics {
  /** An import was answered without the receipt that it should have had. */
  recordMissingReceipt(): void;
}

export function receiptMetrics(registry: client.Registry): ReceiptMetrics {
  const missing = new client.Counter({
    name: "gatehouse_receipts_missing_total",
    help: "Imports answered without a receipt although receipts are on, because none could be signed",
    registers: [registry],
  });
  return { recordMissingReceipt: () => missing.inc() };
}
