import lighthouse, { desktopConfig } from 'lighthouse';

/**
 * @typedef {object} Figures
 * @property {Record<string, number>} scores of 100, by category
 * @property {number} bytes as sent, headers included
 * @property {number} requests
 * @property {number} shift cumulative layout shift
 * @property {{ script: boolean, duration: number }[]} longTasks more than 50 ms of the main thread
 * @property {string[]} faults what costs points
 */

const held = ['accessibility', 'best-practices', 'seo'];

/**
 * Measures a page as on a desk, or as on a phone (412 px wide; Lighthouse simulates a slow network and with a CPU that
 * is four times slower than this one).
 * @param {string} url
 * @param {{ port: number, phone?: boolean, categories?: string[] }} options port: of Chromium's debugger
 * @returns {Promise<Figures>}
 */
export async function measure(url, { port, phone = false, categories = ['performance', ...held] }) {
  const settings = {
    port,
    onlyCategories: categories,
    disableFullPageScreenshot: true,
    logLevel: /** @type {const} */ ('error'),
  };
  const result = await lighthouse(url, settings, phone ? undefined : desktopConfig);
  if (!result || result.lhr.runtimeError) throw new Error(`${url}: ${result?.lhr.runtimeError?.message}`);
  const { audits, categories: found } = result.lhr;
  const items = (/** @type {string} */ id) =>
    /** @type {any[]} */ (/** @type {any} */ (audits[id]?.details)?.items ?? []);
  const requests = items('network-requests');
  return {
    scores: Object.fromEntries(Object.values(found).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)])),
    bytes: requests.reduce((sum, { transferSize }) => sum + transferSize, 0),
    requests: requests.length,
    shift: audits['cumulative-layout-shift'].numericValue ?? 0,
    longTasks: items('long-tasks').map(({ url: of, duration }) => ({ script: /\.js$/.test(of), duration })),
    faults: held.filter((id) => found[id]).flatMap((id) => faultsOf(found[id], audits)),
  };
}

/**
 * @param {{ title: string, auditRefs: { id: string, weight: number }[] }} category
 * @param {Record<string, any>} audits
 */
const faultsOf = ({ title, auditRefs }, audits) =>
  auditRefs
    .filter(({ id, weight }) => weight && audits[id].score !== null && audits[id].score < 1)
    .map(
      ({ id }) => `${title}: ${audits[id].title} ${JSON.stringify(audits[id].details?.items?.[0] ?? {}).slice(0, 600)}`,
    );
