import { sectionsOf } from "../src/core/stored-tables/sections.js";
import { features } from "../src/features.js";

/** The stored data of an organization, including that of all features. */
export const sections = await sectionsOf(features);
