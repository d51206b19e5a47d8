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
    query: Type.String({ description: "What stands behind the question mark of the page's address." }),
  },
  {
    $id: "SavedView",
    description: "Filters, order and columns of a list, kept by one person for themselves.",
  },
);
export type SavedView = Static<typeof SavedView>;

const views = `${organization}/saved-views` as const;

export const savedViewOperations = {
  listSavedViews: {
    method: "GET",
    path: views,
    role: "viewer",
    summary: "The views that one has saved in an organization",
    answer: Type.Object({ data: Type.Array(SavedView) }),
  },
  saveView: {
    method: "POST",
    path: views,
    role: "viewer",
    summary: "Save a view of a list for oneself",
    description: `One of the same name and list is replaced. At most ${savedViewLimits.views} in an organization; then 409.`,
    body: Type.Object({
      list: word(savedLists),
      name: typed(),
      query: typed("As in the address of the page, at most 2,000 characters."),
    }),
    answer: SavedView,
  },
  removeSavedView: {
    method: "DELETE",
    path: `${views}/:viewUuid`,
    role: "viewer",
    summary: "Remove one of one's own views",
    description: "204 also if it is gone already.",
    answer: Type.Void(),
  },
} as const satisfies Record<string, ConsoleOperation>;
