import type { Case } from '../../../suite/cases/expand.js';
import { caseDifferences } from './case.js';
import { type Difference, digestOf, listed } from './difference.js';

/** What a commit measures, and how it judges. */
export type Ruler = {
  /** of the systems that are compared */
  cases: readonly Case[];
  /** the suite's own jq programs in reports/, and their text */
  programs: Record<string, string>;
  /** a hash of each file that says what a case sends, by path */
  textsOf?: (benchCase: Case) => Record<string, string>;
  /** commands before a load of which nothing could be followed */
  opaque?: string[];
};

/**
 * A difference, and where: system null is the whole suite. accept: how `[[accept]]` names it; accepted: why base accepts it; null:
 * it does not
 */
export type Change = Difference & {
  system: string | null;
  environment: string | null;
  case: string | null;
  accept: string;
  accepted: string | null;
};

/**
 * An entry of `[[accept]]`: a change with its values, and why it is meant. It holds for these values and no others, so it is
 * spent once base has head's.
 */
export type Accepted = { change: string; reason: string };

/**
 * Marks the changes that base's bench.toml accepts.
 * @param accepts base's
 */
export function acceptChanges(
  differences: ReturnType<typeof rulerDifferences>,
  accepts: readonly Accepted[],
): Change[] {
  const reasons = new Map(accepts.map(({ change, reason }) => [change, reason]));
  return differences.map((difference) => {
    const accept = nameOf(difference);
    return { ...difference, accept, accepted: reasons.get(accept) ?? null };
  });
}

/**
 * A case that is not measured, because another stands for it, is held to no less: its changes are that one's too.
 * @param accepts base's
 */
export function withChangesOf(
  alike: readonly { benchCase: Case; as: Case }[],
  changes: readonly Change[],
  accepts: readonly Accepted[],
): Change[] {
  const isOf = (change: Change, { system, environment, name }: Case) =>
    change.system === system && change.environment === environment && change.case === name;
  const isSame = (change: Change, other: Change) =>
    change.subject === other.subject && change.base === other.base && change.head === other.head;
  const all = [...changes];
  for (const { benchCase, as } of alike) {
    const known = all.filter((change) => isOf(change, as));
    for (const change of changes.filter(({ looser }) => looser).filter((candidate) => isOf(candidate, benchCase))) {
      if (known.some((other) => isSame(change, other))) continue;
      const [moved] = acceptChanges([{ ...change, case: as.name }], accepts);
      all.push({ ...moved, accepted: change.accepted ?? moved.accepted });
    }
  }
  return all;
}

/** How a change is named in `accept`: where it is, what it is about, and from which value to which. */
function nameOf({ system, environment, case: name, subject, base, head }: ReturnType<typeof rulerDifferences>[number]) {
  const place = system === null ? '' : `${system}/${environment}/${name}: `;
  return `${place}${subject}: ${base} -> ${head}`;
}

/**
 * Lists how what head measures and expects differs from what base does. A change that makes its own check easier is no
 * proof that nothing is worse.
 * @returns system null: of the whole suite; case null: of all cases of a system
 */
export function rulerDifferences(
  base: Ruler,
  head: Ruler,
): (Difference & { system: string | null; environment: string | null; case: string | null })[] {
  const [from, to] = [byPlace(base.cases), byPlace(head.cases)];
  return [
    ...programDifferences(base.programs, head.programs).map((difference) => ({ ...nowhere, ...difference })),
    ...[...from].flatMap(([caseName, benchCase]) => {
      const other = to.get(caseName);
      const found = other
        ? [
            ...caseDifferences(benchCase, other),
            ...textDifferences(base.textsOf?.(benchCase) ?? {}, head.textsOf?.(other) ?? {}),
          ]
        : listed('case', [benchCase.name], []);
      return found.map((difference) => ({ ...placeOf(benchCase), ...difference }));
    }),
    ...[...to]
      .filter(([caseName]) => !from.has(caseName))
      .flatMap(([, benchCase]) =>
        listed('case', [], [benchCase.name]).map((difference) => ({ ...placeOf(benchCase), ...difference })),
      ),
  ];
}

const nowhere = { system: null, environment: null, case: null };

const placeOf = ({ system, environment, name }: Case) => ({ system, environment, case: name });

const byPlace = (cases: readonly Case[]) =>
  new Map(cases.map((benchCase) => [JSON.stringify(Object.values(placeOf(benchCase))), benchCase]));

/** What a build leaves may be there on one side alone, until both are built. */
const built = /(^|\/)(\.\.|\.bench|build|dist|node_modules|out|target)\//;

/** Of a script or of data it is unknown whether it is as much. */
const textDifferences = (base: Record<string, string>, head: Record<string, string>): Difference[] =>
  [...new Set([...Object.keys(base), ...Object.keys(head)])]
    .filter((file) => head[file] !== base[file])
    .filter((file) => (base[file] !== undefined && head[file] !== undefined) || !built.test(file))
    .map((file) => ({
      subject: file.startsWith('script ') ? file : `file ${file}`,
      ...textsOf(base[file]?.slice(0, 12), head[file]?.slice(0, 12)),
      looser: true,
    }));

/**
 * Another text is accepted by its digest: any other one is another change.
 * @param base digest; undefined: not there
 */
const textsOf = (base: string | undefined, head: string | undefined) => ({
  base: base === undefined ? 'not there' : `there (${base})`,
  head: head === undefined ? 'gone' : `${base === undefined ? 'new' : 'another text'} (${head})`,
});

/** A program of the suite's own may say anything: only base's is trusted. */
function programDifferences(base: Record<string, string>, head: Record<string, string>): Difference[] {
  const names = [...new Set([...Object.keys(base), ...Object.keys(head)])].sort();
  return names
    .filter((name) => base[name] !== head[name])
    .map((name) => ({
      subject: `program reports/${name}`,
      ...textsOf(digestOrNone(base[name]), digestOrNone(head[name])),
      looser: true,
    }));
}

const digestOrNone = (text: string | undefined) => (text === undefined ? undefined : digestOf(text));
