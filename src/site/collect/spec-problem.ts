/** Something that is left out of the site, and why. file is relative to the suite. */
export type SiteProblem = { file: string; message: string };

/** Thrown by readers of single files; whoever goes through the files makes it a Problem. */
export class Rejected extends Error {}
