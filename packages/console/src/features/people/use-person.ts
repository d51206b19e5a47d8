import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { PersonErased } from "@gatehouse-parking/contract/console";
import { request, requestFile, saveFile } from "../../core/api/client.js";
import { useOrganization } from "../../core/session/session.js";

/** At least one of the two. */
export interface Person {
  email?: string;
  phone?: string;
}

type ExportFormat = "json" | "ndjson";
const fileTypes: Record<ExportFormat, string> = { json: "application/json", ndjson: "application/x-ndjson" };

/** A download with the person in the request body, so that it stays out of addresses. */
export function useExport(person: Person) {
  const { uuid: organizationUuid } = useOrganization();
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      const body = { ...person, format };
      const text = await requestFile("exportPerson", { parameters: { organizationUuid }, body });
      saveFile(`person.${format}`, fileTypes[format], text);
    },
  });
}

/** Each request waits up to 20 seconds, so this is half an hour. */
const maxErasureRequests = 90;

/** Repeats the request until the erasure is done. It continues on the server in between. */
export function useErasure(person: Person) {
  const { uuid: organizationUuid } = useOrganization();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (typed: Person): Promise<PersonErased> => {
      const body = {
        ...person,
        ...(typed.email && { emailConfirmation: typed.email }),
        ...(typed.phone && { phoneConfirmation: typed.phone }),
      };
      for (let question = 0; question < maxErasureRequests; question += 1) {
        const erased = await request("erasePerson", {
          parameters: { organizationUuid },
          body: { ...body, isAskedAgain: question > 0 },
        });
        if (erased.isDone) return erased;
      }
      throw new Error("The person is still being erased. Look again later, or erase the same person again.");
    },
    // Any cached page may show the person.
    onSuccess: () => client.invalidateQueries(),
  });
}
