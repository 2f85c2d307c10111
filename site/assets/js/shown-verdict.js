/**
 * Findings that a scenario with `saturation = "expected"` asks for: the load went beyond what the system can do, or cut off
 * iterations that would have taken longer.
 */
const beyond = ['saturated', 'unfinished'];

/**
 * The word for a verdict. A record passes that goes beyond its system's capacity as its spec expects: nothing is wrong with it, but
 * it did not cope with the load either, and is not to be read as if it did. reports/lib/write/shown_verdict.jq is the same for
 * texts.
 * @template {string} V
 * @param {{ verdict: V, findings?: readonly { id: string, level: string }[] }} judged a record, or a case of a comparison of
 *   sessions
 * @returns {V | 'saturated'}
 */
export const shownVerdict = ({ verdict, findings = [] }) =>
  verdict === 'pass' && findings.some(({ id, level }) => level === 'info' && beyond.includes(id))
    ? 'saturated'
    : verdict;
