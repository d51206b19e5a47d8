import { metadataOf, pathOf, type Draft } from "../draft.js";

interface Relation {
  prefix: string;
  /** One of these must have a column, or every record fails. */
  needs: readonly string[];
  code: "namesAlone" | "vehicleAlone";
}

const relations: readonly Relation[] = [
  { prefix: "contact", needs: ["contact.email", "contact.phoneNumber"], code: "namesAlone" },
  { prefix: "vehicle", needs: ["vehicle.licensePlate"], code: "vehicleAlone" },
];

/** Keeps the columns of a related object in the metadata if the file lacks what the object needs. */
export function keepIncompleteObjects(draft: Draft): void {
  for (const { prefix, needs, code } of relations) {
    const paths = draft.paths();
    if (needs.some((path) => paths.has(path))) continue;
    const alone = draft.columns
      .map(({ name }) => name)
      .filter((name) => draft.targets.get(name)?.some((target) => pathOf(target).split(".")[0] === prefix));
    for (const name of alone) draft.targets.set(name, [metadataOf(name)]);
    for (const question of draft.questions.filter(
      ({ id, columns }) => /^(?:names|companies):/.test(id) && columns.some((name) => alone.includes(name)),
    ))
      draft.questions.splice(draft.questions.indexOf(question), 1);
    if (alone.length > 0)
      draft.ask({
        id: code,
        code,
        data: { columns: alone },
        rows: draft.profile.rowCount,
        columns: alone.slice(0, 3),
        choices: [{ id: "metadata", patch: {} }],
        assumed: "metadata",
      });
  }
}

/** Only the service knows whether a reference resolves, and a row with an unknown one fails. */
export function askAboutAccountReference(draft: Draft): void {
  if (draft.resource !== "transactions") return;
  for (const { name, profile } of draft.columnsOf("accountTPReferenceId")) {
    const company = draft.columns.find(
      ({ meaning, looks }) => meaning.concepts.has("company") && looks.has("text"),
    );
    draft.ask({
      id: `account:${name}`,
      code: "accountReference",
      data: { column: name },
      ...{ rows: profile.filled, columns: [name] },
      choices: [
        { id: "existing", patch: {} },
        ...(company && company.name !== name
          ? [
              {
                id: "create",
                patch: {
                  columns: {
                    [name]: "account.tpReferenceId",
                    [company.name]: draft.targetsWith(company.name, "account.name"),
                  },
                },
              },
            ]
          : []),
        { id: "metadata", patch: { columns: { [name]: metadataOf(name) } } },
      ],
    });
  }
}
