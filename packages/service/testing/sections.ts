import { sectionsOf } from "../src/core/stored-tables/sections.js";
import { features } from "../src/features.js";

/** What an organization stores, with what all features add. */
export const sections = await sectionsOf(features);
