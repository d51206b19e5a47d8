export * from "../../testing/rig.js";
