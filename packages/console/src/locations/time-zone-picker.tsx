import { Select, type SelectProps } from "@mantine/core";
import { useApi } from "../api/queries.js";

const shownAtOnce = 60;

/** The zones the server knows, found by any part of their name, with what their clocks show now. */
export function TimeZonePicker(props: Omit<SelectProps, "data">) {
  const zones = useApi("listTimeZones");
  return (
    <Select
      label="Time zone"
      description="An IANA time zone. It decides which local day and hour a transaction belongs to."
      placeholder="Type a city or region"
      required
      searchable
      limit={shownAtOnce}
      data={zones.data?.data ?? []}
      filter={({ options, search, limit }) =>
        options
          .filter((option) => "value" in option && plain(option.value).includes(plain(search)))
          .slice(0, limit)
      }
      nothingFoundMessage={zones.isPending ? "Loading time zones" : "No matching time zone"}
      renderOption={({ option }) => (
        <>
          {option.value.replaceAll("_", " ")}
          <span style={{ marginLeft: "auto", color: "var(--mantine-color-dimmed)" }}>
            {clock(option.value)}
          </span>
        </>
      )}
      {...props}
    />
  );
}

/** Zones are shown with spaces and written with underscores; either finds them. */
function plain(text: string): string {
  return text.replaceAll("_", " ").trim().toLowerCase();
}

/** The browser may know fewer zones than the server; then there is no clock beside the name. */
function clock(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "shortOffset",
    }).format(new Date());
  } catch {
    return "";
  }
}
