import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { PersonErased } from "@gatehouse-parking/contract/console";
import { request, requestFile } from "../api/client.js";
import { useOrganization } from "../session/organization.js";
import { saveFile } from "../ui/save-file.js";

/** As somebody typed it; of the two at least one. */
export interface Person {
  email?: string;
  phone?: string;
}

export type ExportFormat = "json" | "ndjson";
const fileTypes: Record<ExportFormat, string> = { json: "application/json", ndjson: "application/x-ndjson" };

/** The person is in the body of the request, so it is no link that could be followed. */
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

/** Each is answered after 20 seconds at the latest, so this is half an hour. */
const maxQuestions = 90;

/** Asks until it is done: it goes on at the server, and the same again waits for it. */
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
      for (let question = 0; question < maxQuestions; question += 1) {
        const erased = await request("erasePerson", {
          parameters: { organizationUuid },
          body: { ...body, isAskedAgain: question > 0 },
        });
        if (erased.isDone) return erased;
      }
      throw new Error("The person is still being erased. Look again later, or erase the same person again.");
    },
    // The person may be on any page that was looked at.
    onSuccess: () => client.invalidateQueries(),
  });
}
