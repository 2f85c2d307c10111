import { formatCount } from '../../base/format.js';
import type { countVerdicts } from '../model/verdict.js';
import { xmlText } from '../model/xml.js';

/** Dark enough for white text (4.5:1), light and dark pages alike; the word says it without the colour. */
const colours = new Map([
  ['pass', '#1a7f37'],
  ['saturated', '#0067a8'],
  ['fail', '#cf222e'],
  ['error', '#cf222e'],
  ['invalid', '#8250df'],
  ['inconclusive', '#9a6700'],
]);
const grey = '#57606a';

/**
 * A badge: what is measured, and how it stands. A picture of its own, with no script and no request.
 * @param counts of its cases, what wants to be seen most first
 * @param unmeasured scenarios that are not measured yet
 * @returns SVG
 */
export function badge(label: string, counts: ReturnType<typeof countVerdicts>, unmeasured: number = 0): string {
  const [worst] = counts;
  const standing = standingOf(counts);
  const text = !standing
    ? 'not measured'
    : unmeasured > 0
      ? `${standing}, ${formatCount(unmeasured)} ${unmeasured === 1 ? 'scenario' : 'scenarios'} not measured`
      : standing;
  const [left, right] = [label, text].map(widthOf);
  const [title, words] = [xmlText(`${label}: ${text}`), [label, text].map(xmlText)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}"><title>${title}</title>` +
    `<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath><g clip-path="url(#r)">` +
    `<rect width="${left}" height="20" fill="#24292f"/><rect x="${left}" width="${right}" height="20" fill="${colours.get(worst?.verdict) ?? grey}"/></g>` +
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">` +
    `<text x="${left / 2}" y="14" textLength="${left - 12}" lengthAdjust="spacingAndGlyphs">${words[0]}</text>` +
    `<text x="${left + right / 2}" y="14" textLength="${right - 12}" lengthAdjust="spacingAndGlyphs">${words[1]}</text></g></svg>\n`
  );
}

/** @returns "fail 1 of 4"; where nothing is wrong, all of it: "2 pass, 8 saturated"; '' of nothing */
function standingOf(counts: ReturnType<typeof countVerdicts>): string {
  const [worst, ...others] = counts;
  if (!worst) return '';
  if (!others.length && worst.count === 1) return worst.verdict;
  if (worst.verdict !== 'saturated' || !others.length) return `${worst.verdict} ${worst.count} of ${sum(counts)}`;
  return [...counts]
    .reverse()
    .map(({ verdict, count }) => `${count} ${verdict}`)
    .join(', ');
}

const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);

/** About the width of 11 px Verdana; the text is fitted to it. */
const widthOf = (text: string) => 12 + Math.round([...text].length * 6.6);
