/**
 * Something that is left out of the site, and why. file is relative to the suite.
 * @typedef {{ file: string, message: string }} SiteProblem
 */

/** Thrown by readers of single files; whoever goes through the files makes it a Problem. */
export class Rejected extends Error {}
