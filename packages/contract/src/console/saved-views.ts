import type { Static } from "typebox";
import { savedViewLimits } from "../limits.js";
import { Type } from "../schema/type.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { typed, word } from "./fields.js";
import { recordKinds } from "./records.js";

/** The lists of an organization, by name. */
export const savedLists = [
  "runs",
  "requests",
  "audit",
  "uploads",
  "locations",
  "api-keys",
  "members",
  "leads",
  ...recordKinds,
] as const;
export type SavedList = (typeof savedLists)[number];

export const SavedView = Type.Object(
  {
    uuid: uuid(),
    list: Type.Unsafe<SavedList>({ type: "string" }),
    name: Type.String(),
    query: Type.String({ description: "The query string of the page, without the question mark." }),
  },
  {
    $id: "SavedView",
    description: "Filters, sort order and columns of a list, saved by one person.",
  },
);
export type SavedView = Static<typeof SavedView>;

const views = `${organization}/saved-views` as const;

export const savedViewOperations = {
  listSavedViews: {
    method: "GET",
    path: views,
    role: "viewer",
    summary: "List your saved views in an organization",
    answer: Type.Object({ data: Type.Array(SavedView) }),
  },
  saveView: {
    method: "POST",
    path: views,
    role: "viewer",
    summary: "Save a view of a list",
    description: `Replaces your view with the same name and list. 409 beyond ${savedViewLimits.views} views in an organization.`,
    body: Type.Object({
      list: word(savedLists),
      name: typed(),
      query: typed("The query string of the page, at most 2,000 characters."),
    }),
    answer: SavedView,
  },
  removeSavedView: {
    method: "DELETE",
    path: `${views}/:viewUuid`,
    role: "viewer",
    summary: "Delete one of your saved views",
    description: "204 even if it was already deleted.",
    answer: Type.Void(),
  },
} as const satisfies Record<string, ConsoleOperation>;
