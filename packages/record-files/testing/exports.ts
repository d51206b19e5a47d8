import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { KnownLocation } from "../src/record/locations.js";

/** A parking session. Each export below describes the same sessions in its own format. */
interface Session {
  id: string;
  location: KnownLocation;
  type: "Transient" | "Monthly" | "Reservation";
  entry: Date;
  exit: Date;
  /** In cents. */
  total: number;
  net: number;
  plate: string;
  isRefunded: boolean;
  firstName: string;
  lastName: string;
  email: string;
  card: string;
}

export const locations: readonly KnownLocation[] = [
  {
    uuid: "6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d10",
    name: "Main Garage",
    tpReferenceId: "G1",
    timeZone: "America/New_York",
  },
  {
    uuid: "6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d11",
    name: "Tiefgarage Süd",
    tpReferenceId: "G2",
    timeZone: "Europe/Berlin",
  },
];

const numbers = { Transient: 1, Monthly: 2, Reservation: 4 };
const people = [
  ["Ada", "Lovelace"],
  ["Zoë", "Müller"],
  ["Jo", "Garcia"],
  ["Anna", "Rossi"],
] as const;

/** The requested number of sessions, spread over the first `days` of June 2026. */
function sessionsOf(count: number, days: number): Session[] {
  return Array.from({ length: count }, (_, index) => {
    const [firstName, lastName] = people[index % people.length] as (typeof people)[number];
    const entry = new Date(Date.UTC(2026, 5, 1 + (index % days), 6 + (index % 9), (index * 7) % 60));
    return {
      id: String(100_000 + index * 3),
      location: locations[index % 2] as KnownLocation,
      type: (["Transient", "Monthly", "Reservation"] as const)[index % 3] as Session["type"],
      entry,
      exit: new Date(entry.getTime() + (30 + index * 11) * 60_000),
      total: index % 5 === 0 ? 123_450 + index : 250 + index * 25,
      net: index % 5 === 0 ? 100_000 + index : 200 + index * 25,
      plate: `AB ${1000 + index}`,
      isRefunded: index % 7 === 0,
      firstName,
      lastName,
      email: `${firstName.toLowerCase().replace("ë", "e")}${index}@example.com`,
      card: ["VISA", "AMEX", "Cash"][index % 3] as string,
    };
  });
}

/** A column: its header, its field, and how it writes a session. */
type Column = readonly [header: string, path: string, cell: (session: Session) => string];

export interface ExportFile {
  name: string;
  resource: ImportResourceName;
  content: Buffer;
  /** The meaning of every row: values by path, times as moments, amounts in cents. */
  expected: Record<string, unknown>[];
  /** Whether only its owner can resolve the format. */
  isUnclear: boolean;
}

interface System {
  name: string;
  columns: readonly Column[];
  resource?: ImportResourceName;
  delimiter?: string;
  encoding?: "utf8" | "utf16le" | "latin1";
  above?: string;
  behind?: string;
  quote?: string;
  lineEnd?: string;
  days?: number;
  format?: "csv" | "ndjson" | "json";
  isUnclear?: boolean;
}

function parts(date: Date, { location }: Session) {
  const text = new Intl.DateTimeFormat("sv-SE", {
    timeZone: location.timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  }).format(date);
  const [day = "", time = ""] = text.split(" ");
  const [y = "", M = "", d = ""] = day.split("-");
  const [H = "", m = ""] = time.split(":");
  const hour = Number(H);
  return { y, M, d, H, m, h: String(hour % 12 || 12), a: hour < 12 ? "AM" : "PM" };
}
type Clock = ReturnType<typeof parts>;
const time =
  (which: "entry" | "exit", format: (clock: Clock) => string) =>
  (session: Session): string =>
    format(parts(session[which], session));

const us12 = ({ y, M, d, h, m, a }: Clock) => `${Number(M)}/${Number(d)}/${y} ${h}:${m} ${a}`;
const us24 = ({ y, M, d, H, m }: Clock) => `${M}/${d}/${y} ${H}:${m}:00`;
const uk = ({ y, M, d, H, m }: Clock) => `${d}/${M}/${y} ${H}:${m}`;
const german = ({ y, M, d, H, m }: Clock) => `${d}.${M}.${y} ${H}:${m}`;
const dutch = ({ y, M, d, H, m }: Clock) => `${d}-${M}-${y} ${H}:${m}`;
const iso = ({ y, M, d, H, m }: Clock) => `${y}-${M}-${d} ${H}:${m}:00`;
const compact = ({ y, M, d, H, m }: Clock) => `${y}${M}${d}${H}${m}00`;
const named = ({ y, d, h, m, a }: Clock) => `Jun ${Number(d)}, ${y} ${h}:${m} ${a}`;
const french = ({ y, M, d }: Clock) => `${d}/${M}/${y}`;
const clock24 = ({ H, m }: Clock) => `${H}:${m}`;

const grouped = (cents: number, group: string, decimal: string) => {
  const whole = String(Math.floor(cents / 100)).replace(/(\d)(\d{3})$/, `$1${group}$2`);
  return `${whole}${decimal}${String(cents % 100).padStart(2, "0")}`;
};
const plain = (cents: number) => grouped(cents, "", ".");
const dollars = (cents: number) => `$${grouped(cents, ",", ".")}`;
const comma = (cents: number) => grouped(cents, ".", ",");
const euros = (cents: number) => `${grouped(cents, "\u00a0", ",")} €`;
const swiss = (cents: number) => `CHF ${grouped(cents, "'", ".")}`;

const kinds = (transient: string, monthly: string, reservation: string) => (session: Session) =>
  ({ Transient: transient, Monthly: monthly, Reservation: reservation })[session.type];
const flag = (yes: string, no: string) => (session: Session) => (session.isRefunded ? yes : no);
const money = (which: "total" | "net", format: (cents: number) => string) => (session: Session) =>
  format(session[which]);
const site = ({ location }: Session) => location.name;
const siteCode = ({ location }: Session) => location.tpReferenceId;
const id = (session: Session) => session.id;
const plate = (session: Session) => session.plate;
const email = (session: Session) => session.email;

const english = kinds("Hourly", "Monthly", "Reservation");

const systems: readonly System[] = [
  {
    name: "US gate system with dollars and a title",
    above: "Daily transactions report\n\n",
    columns: [
      ["Ticket No", "transactionId", id],
      ["Facility", "locationUuid", site],
      ["Customer Type", "type", english],
      ["Entry Time", "sessionStart", time("entry", us12)],
      ["Payment Time", "transactionDate", time("exit", us12)],
      ["Total Amount", "amountTotal", money("total", dollars)],
      ["License Plate", "vehicle.licensePlate", plate],
      ["Attendant", "metadata.Attendant", () => "Sam"],
    ],
  },
  {
    name: "US spreadsheet in UTF-16 with tabs",
    ...{ delimiter: "\t", encoding: "utf16le", lineEnd: "\r\n" },
    columns: [
      ["Receipt Number", "transactionId", id],
      ["Location Code", "locationUuid", siteCode],
      ["Transaction Type", "type", kinds("TRANSIENT", "PERMIT", "PREBOOKED")],
      ["Transaction Date", "transactionDate", time("exit", us24)],
      ["Amount Paid", "amountTotal", money("total", (cents) => grouped(cents, ",", "."))],
      ["Refunded", "isRefunded", flag("Y", "N")],
    ],
  },
  {
    name: "US booking platform in NDJSON with ISO times",
    format: "ndjson",
    columns: [
      ["bookingId", "transactionId", id],
      ["facilityId", "locationUuid", ({ location }) => location.uuid],
      ["productType", "type", kinds("hourly", "subscription", "reservation")],
      ["createdAt", "transactionDate", ({ exit }) => exit.toISOString()],
      ["grossAmount", "amountTotal", money("total", plain)],
      ["customer.email", "contact.email", email],
    ],
  },
  {
    name: "US lot software with date and time apart",
    columns: [
      ["Transaction ID", "transactionId", id],
      ["Lot", "locationUuid", site],
      ["Category", "type", english],
      ["Entry Date", "sessionStart", time("entry", ({ y, M, d }) => `${M}/${d}/${y}`)],
      ["Entry Time", "", time("entry", ({ h, m, a }) => `${h}:${m} ${a}`)],
      ["Payment Date", "transactionDate", time("exit", ({ y, M, d }) => `${M}/${d}/${y}`)],
      ["Payment Time", "", time("exit", ({ h, m, a }) => `${h}:${m} ${a}`)],
      ["Total", "amountTotal", money("total", dollars)],
    ],
  },
  {
    name: "meter network with Unix seconds",
    columns: [
      ["session_id", "transactionId", id],
      ["site", "locationUuid", siteCode],
      ["parker_type", "type", english],
      ["session_start", "sessionStart", ({ entry }) => String(entry.getTime() / 1000)],
      ["paid_at", "transactionDate", ({ exit }) => String(exit.getTime() / 1000)],
      ["amount", "amountTotal", money("total", plain)],
      ["vrm", "vehicle.licensePlate", plate],
    ],
  },
  {
    name: "UK car parks",
    columns: [
      ["Booking Reference", "transactionId", id],
      ["Car Park", "locationUuid", site],
      ["Customer Type", "type", kinds("Casual", "Season", "Pre-booked")],
      ["Arrival Time", "sessionStart", time("entry", uk)],
      ["Departure Time", "sessionEnd", time("exit", uk)],
      ["Date", "transactionDate", time("exit", uk)],
      ["Amount Paid", "amountTotal", money("total", (cents) => `£${grouped(cents, ",", ".")}`)],
      ["Number Plate", "vehicle.licensePlate", plate],
    ],
  },
  {
    name: "German garages in Windows-1252",
    ...{ delimiter: ";", encoding: "latin1", lineEnd: "\r\n", behind: ";" },
    columns: [
      ["Belegnummer", "transactionId", id],
      ["Parkhaus", "locationUuid", site],
      ["Kundenart", "type", kinds("Kurzparker", "Dauerparker", "Reservierung")],
      ["Einfahrt", "sessionStart", time("entry", german)],
      ["Ausfahrt", "sessionEnd", time("exit", german)],
      ["Zahlungszeit", "transactionDate", time("exit", german)],
      ["Gesamtbetrag", "amountTotal", money("total", comma)],
      ["Nettobetrag", "netAmount", money("net", comma)],
      ["Storniert", "isRefunded", flag("Ja", "Nein")],
      ["Kennzeichen", "vehicle.licensePlate", plate],
    ],
  },
  {
    name: "Austrian operator with euros and missing values",
    delimiter: ";",
    columns: [
      ["Transaktionsnummer", "transactionId", id],
      ["Standort", "locationUuid", site],
      ["Parkerart", "type", kinds("Kurzparker", "Abonnent", "Vorbuchung")],
      ["Datum/Uhrzeit", "transactionDate", time("exit", german)],
      ["Betrag", "amountTotal", money("total", (cents) => `${comma(cents)} €`)],
      ["Zahlungsart", "cardType", (session) => (session.card === "Cash" ? "k.A." : session.card)],
      ["Vorname", "contact.firstName", ({ firstName }) => firstName],
      ["Nachname", "contact.lastName", ({ lastName }) => lastName],
      ["E-Mail", "contact.email", email],
    ],
  },
  {
    name: "Swiss operator",
    delimiter: ";",
    columns: [
      ["Ticket-Nr.", "transactionId", id],
      ["Parkhaus", "locationUuid", siteCode],
      ["Kundenart", "type", kinds("Kurzparker", "Dauerparker", "Reservierung")],
      ["Bezahlt am", "transactionDate", time("exit", german)],
      ["Betrag", "amountTotal", money("total", swiss)],
    ],
  },
  {
    name: "French operator with separate times",
    ...{ delimiter: ";", encoding: "latin1" },
    columns: [
      ["Numéro de ticket", "transactionId", id],
      ["Parking", "locationUuid", site],
      ["Type de client", "type", kinds("Horaire", "Abonné", "Réservation")],
      ["Date d'entrée", "sessionStart", time("entry", french)],
      ["Heure d'entrée", "", time("entry", clock24)],
      ["Date paiement", "transactionDate", time("exit", french)],
      ["Heure paiement", "", time("exit", clock24)],
      ["Montant TTC", "amountTotal", money("total", comma)],
      ["Remboursé", "isRefunded", flag("Oui", "Non")],
      ["Immatriculation", "vehicle.licensePlate", plate],
    ],
  },
  {
    name: "French app with euros and spaces in numbers",
    delimiter: ";",
    columns: [
      ["ID transaction", "transactionId", id],
      ["Nom du parc", "locationUuid", site],
      ["Type client", "type", kinds("Occasionnel", "Mensuel", "Réservation")],
      ["Date de paiement", "transactionDate", time("exit", uk)],
      ["Montant total", "amountTotal", money("total", euros)],
      ["Courriel", "contact.email", email],
    ],
  },
  {
    name: "Spanish operator",
    delimiter: ";",
    columns: [
      ["Número de transacción", "transactionId", id],
      ["Aparcamiento", "locationUuid", site],
      ["Tipo de cliente", "type", kinds("Rotación", "Abonado", "Reserva")],
      ["Fecha de pago", "transactionDate", time("exit", uk)],
      ["Importe total", "amountTotal", money("total", comma)],
      ["Reembolsado", "isRefunded", flag("Sí", "No")],
      ["Matrícula", "vehicle.licensePlate", plate],
    ],
  },
  {
    name: "Italian operator",
    delimiter: ";",
    columns: [
      ["Numero transazione", "transactionId", id],
      ["Parcheggio", "locationUuid", site],
      ["Tipo cliente", "type", kinds("Occasionale", "Abbonato", "Prenotazione")],
      ["Data pagamento", "transactionDate", time("exit", uk)],
      ["Importo totale", "amountTotal", money("total", euros)],
      ["Targa", "vehicle.licensePlate", plate],
    ],
  },
  {
    name: "Dutch operator, uncompressed, every cell quoted",
    ...{ delimiter: ";", quote: '"' },
    columns: [
      ["Transactienummer", "transactionId", id],
      ["Parkeergarage", "locationUuid", site],
      ["Soort parkeerder", "type", kinds("Kortparkeerder", "Abonnee", "Reservering")],
      ["Inrijtijd", "sessionStart", time("entry", dutch)],
      ["Betaald op", "transactionDate", time("exit", dutch)],
      ["Totaalbedrag", "amountTotal", money("total", (cents) => `€ ${comma(cents)}`)],
      ["Kenteken", "vehicle.licensePlate", plate],
    ],
  },
  {
    name: "Portuguese operator",
    delimiter: ";",
    columns: [
      ["ID transação", "transactionId", id],
      ["Parque", "locationUuid", site],
      ["Tipo", "type", kinds("Rotativo", "Mensalista", "Reserva")],
      ["Data/Hora", "transactionDate", time("exit", uk)],
      ["Valor total", "amountTotal", money("total", comma)],
    ],
  },
  {
    name: "data warehouse with compact times and full names",
    delimiter: "|",
    columns: [
      ["TXN_ID", "transactionId", id],
      ["LOCATION_ID", "locationUuid", siteCode],
      ["TRANSACTION_TYPE", "type", english],
      ["TRANSACTION_TIME", "transactionDate", time("exit", compact)],
      ["AMOUNT_TOTAL", "amountTotal", money("total", plain)],
      ["CUSTOMER_NAME", "contact", ({ firstName, lastName }) => `${lastName}, ${firstName}`],
      ["EMAIL", "contact.email", email],
    ],
  },
  {
    name: "reservation tool with names of months, in JSON",
    format: "json",
    columns: [
      ["Reservation ID", "transactionId", id],
      ["Garage", "locationUuid", site],
      ["Type", "type", english],
      ["Paid on", "transactionDate", time("exit", named)],
      ["Total paid", "amountTotal", money("total", dollars)],
    ],
  },
  {
    name: "US export of the first days of a month: month and day are ambiguous",
    ...{ days: 12, isUnclear: true },
    columns: [
      ["Transaction ID", "transactionId", id],
      ["Garage", "locationUuid", site],
      ["Type", "type", english],
      ["Transaction Date", "transactionDate", time("exit", us24)],
      ["Amount", "amountTotal", money("total", plain)],
    ],
  },
  {
    name: "valet stand with custom words",
    isUnclear: true,
    columns: [
      ["Ticket", "transactionId", id],
      ["Garage", "locationUuid", site],
      ["Kind", "type", kinds("VALET", "MONTHLY", "RESERVATION")],
      ["Date", "transactionDate", time("exit", iso)],
      ["Amount", "amountTotal", money("total", plain)],
    ],
  },
  {
    name: "German customers",
    ...{ resource: "accounts", delimiter: ";", encoding: "latin1" },
    columns: [
      ["Kundennummer", "tpReferenceId", id],
      ["Firma", "name", ({ lastName }) => `${lastName} GmbH`],
      ["Ansprechpartner", "contactName", ({ firstName }) => firstName],
      ["E-Mail-Adresse", "contactEmail", email],
      ["Aktiv", "isActive", flag("Ja", "Nein")],
    ],
  },
];

/** All twenty exports. */
export const exportFiles: readonly ExportFile[] = systems.map((system) => {
  const sessions = sessionsOf(40, system.days ?? 30);
  return {
    name: system.name,
    resource: system.resource ?? "transactions",
    content: write(system, sessions),
    expected: sessions.map((session) => meaningOf(session, system)),
    isUnclear: system.isUnclear ?? false,
  };
});

function write(system: System, sessions: readonly Session[]): Buffer {
  const {
    columns,
    delimiter = ",",
    encoding = "utf8",
    lineEnd = "\n",
    above = "",
    behind = "",
    quote,
  } = system;
  if (system.format) return Buffer.from(writeJson(system, sessions));
  const cell = (text: string) =>
    quote !== undefined || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  const rows = [
    columns.map(([header]) => header),
    ...sessions.map((session) => columns.map(([, , text]) => text(session))),
  ];
  const text = above + rows.map((cells) => cells.map(cell).join(delimiter) + behind + lineEnd).join("");
  return Buffer.from(encoding === "utf16le" ? `\ufeff${text}` : text, encoding);
}

function writeJson({ columns, format }: System, sessions: readonly Session[]): string {
  const records = sessions.map((session) => {
    const record: Record<string, unknown> = {};
    for (const [header, , text] of columns) {
      const [outer = "", inner] = header.split(".");
      record[outer] = inner === undefined ? text(session) : { [inner]: text(session) };
    }
    return JSON.stringify(record);
  });
  return format === "json" ? `[${records.join(",\n")}]` : records.join("\n");
}

function meaningOf(session: Session, { columns, resource }: System): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [, path, text] of columns) {
    const value = valueAt(path, session, text(session), resource);
    if (path === "contact") {
      record["contact.firstName"] = session.firstName;
      record["contact.lastName"] = session.lastName;
    } else if (path !== "" && value !== undefined) record[path] = value;
  }
  return record;
}

function valueAt(path: string, session: Session, text: string, resource: System["resource"]): unknown {
  switch (path) {
    case "locationUuid":
      return session.location.uuid;
    case "type":
      return numbers[session.type];
    case "transactionDate":
    case "sessionEnd":
      return session.exit.getTime();
    case "sessionStart":
      return session.entry.getTime();
    case "amountTotal":
      return session.total;
    case "netAmount":
      return session.net;
    case "isRefunded":
    case "isActive":
      return session.isRefunded;
    case "cardType":
      return text === "k.A." ? undefined : text;
    default:
      return resource === "accounts" || path !== "" ? text : undefined;
  }
}
