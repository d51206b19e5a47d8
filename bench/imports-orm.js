/** Against a route written the usual way: a loop over the records with the models of an ORM, in one transaction. */
import { measureAgainstRoute } from "./imports-loop.js";

export const title = "importTransactions against a loop over the records with an ORM";
export const goal = 25;

export const measure = (options) => measureAgainstRoute("imports-orm.js", options);
