/**
 * What can be imported: records, and last a recording that becomes a spec. lines: the file is text and not JSON; known: by what it is known (see looksLike).
 * @typedef {{ title: string, lines: boolean, known: string }} ImportFormat
 */

/** @type {Record<string, ImportFormat>} */
export const formats = {
  'jmeter-jtl': {
    title: "JMeter's results (CSV)",
    lines: true,
    known: 'its first line names the columns, timeStamp and elapsed among them',
  },
  'jmeter-statistics': {
    title: "statistics.json of JMeter's report",
    lines: false,
    known: 'it has Total, with a sampleCount',
  },
  artillery: { title: "Artillery's report (JSON)", lines: false, known: 'it has "aggregate"' },
  wrk: { title: 'what wrk or wrk2 printed', lines: true, known: 'it has a line "Running 30s test @ http://…"' },
  phout: {
    title: "Pandora's or Phantom's phout",
    lines: true,
    known: 'its lines have twelve columns with tabs between them, the first a time like 1700000000.123',
  },
  'k6-summary': { title: "k6's summary (JSON)", lines: false, known: 'it has metrics, with http_reqs' },
  har: { title: 'a HAR recording of a browser', lines: false, known: 'it has log, with entries' },
};

/** More than this takes jq too long: a million lines of JTL are 116 MB and take it half a minute. */
export const mostBytes = 250e6;

/**
 * What a file looks like by its beginning.
 * @param {string} text at least its first kilobytes
 * @param {unknown} [value] of the whole file, if it is JSON
 * @returns {string | null} a format, or words for a file of another kind; null: nothing that is known
 */
export function looksLike(text, value) {
  if (value !== undefined) return jsonLooksLike(value);
  if (/^\ufeff?\s*<\?xml|^\ufeff?\s*<testResults/.test(text))
    return "JMeter's XML (set jmeter.save.saveservice.output_format=csv)";
  if (/^Running .* test @ /m.test(text)) return 'wrk';
  const [first] = text.split('\n', 1);
  if (/\btimeStamp\b/.test(first) && /\belapsed\b/.test(first)) return 'jmeter-jtl';
  if (/^\d{10}\.\d+\t[^\t]*(\t-?\d+){10}\r?$/.test(first)) return 'phout';
  if (/^\d{13}[,;\t]\d+[,;\t]/.test(first)) {
    return 'a JTL without the names of its columns (set jmeter.save.saveservice.print_field_names=true)';
  }
  return null;
}

/**
 * @typedef {{ log?: { entries?: unknown }, aggregate?: unknown, Total?: { sampleCount?: unknown }, schema?: unknown, type?: unknown,
 *   metrics?: { http_reqs?: unknown }, results?: { metrics?: unknown } }} KnownJson what a file is known by
 */

/** @param {unknown} json */
function jsonLooksLike(json) {
  const value = /** @type {KnownJson} */ (Object(json));
  if (value.log?.entries) return 'har';
  if (value.aggregate) return 'artillery';
  if (typeof value.Total?.sampleCount === 'number') return 'jmeter-statistics';
  if (value.metrics?.http_reqs || value.results?.metrics) return 'k6-summary';
  if (Number.isInteger(value.schema) && value.metrics) return 'a record of benchfolio';
  if (value.type === 'Metric' || value.type === 'Point') return "k6's --out json (import the summary)";
  return null;
}
