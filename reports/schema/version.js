/** The version of all files that we write and read; another is another format. jq programs have it in reports/lib/schema.jq. */
export const schemaVersion = /** @type {const} */ (3);
