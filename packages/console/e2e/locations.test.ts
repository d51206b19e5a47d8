import { describe, expect, it } from "vitest";
import { openConsole } from "./harness.js";

const gatehouse = openConsole();

describe("the time zone of a location", () => {
  it.each(["new york", "New_York"])("is found by %s", async (typed) => {
    const tenant = await gatehouse.tenant();
    const page = await gatehouse.signedIn("admin", tenant);
    await page.goto(`${gatehouse.origin}/organizations/${tenant.organizationUuid}/locations/new`);
    const picker = page.getByRole("combobox", { name: "Time zone" });
    await picker.fill(typed);
    await page.getByRole("option", { name: /America\/New York/ }).click();
    await expect.poll(() => picker.inputValue()).toBe("America/New_York");
  });
});
