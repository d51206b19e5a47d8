import { expect, test } from "vitest";
import { ImportResource, importResourceNames, importResources } from "./import-resources.js";
import { operations } from "./operations.js";
import { permissions } from "./permissions.js";

test("the published resources keep their numbers, and no two share one", () => {
  expect(ImportResource).toMatchObject({ Transactions: 1, Accounts: 2, Subscriptions: 3 });
  const numbers = Object.values(ImportResource);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("every resource has two operations, a permission and a key", () => {
  for (const name of importResourceNames) {
    const { importOperation, validateOperation, entity, keyField } = importResources[name];
    expect(operations[importOperation]).toMatchObject({
      path: `/integrations/${name}`,
      permission: `${name}:write`,
    });
    expect(operations[validateOperation].path).toBe(`/integrations/${name}/validate`);
    expect(permissions).toContain(`${name}:write`);
    expect(Object.keys(entity.schema.properties)).toContain(keyField);
  }
});
