import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { formatCount, formatInUnit } from '../../base/format.js';
import { type Chart, rounded } from './chart.js';

/** The picture is in MB/s. */
const factor = 1e-6;

/**
 * How fast each user received, the slowest first: whether they were served alike.
 * @returns null: users were not told apart
 */
export function usersChart({ per_user: perUser, thresholds }: BenchRecord): Chart | null {
  if (!perUser) return null;
  const known = perUser.users
    .map((user, i) => ({ user, rate: perUser.receiving_bytes_per_second[i] }))
    .filter(({ rate }) => rate !== null)
    .map(({ user, rate }) => ({ user, rate: Number(rate) }))
    .sort((a, b) => a.rate - b.rate);
  if (!known.length) return null;
  const at = (share: number) => known[Math.round(share * (known.length - 1))].rate;
  const [least, middle, most] = [0, 0.5, 1].map((share) => formatInUnit(at(share), 'bytes/s'));
  const limits = thresholds
    .filter(({ metric }) => metric === 'receiving_rate')
    .map(({ expr, value }) => ({ expr, limit: value * factor }));
  return {
    file: 'users',
    title: 'How fast each user received',
    about:
      'Bytes by the time that it took to receive them, of responses that took long enough to tell; all rounds together.',
    summary: `Of ${known.length} users the slowest received ${least}, the middle one ${middle}, the fastest ${most}.`,
    key: [
      { slot: 'middle', text: 'the median user' },
      ...(limits.length ? [{ slot: 'limit', text: 'threshold' }] : []),
    ],
    data: {
      users: [{ user: known.map(({ user }) => user), rate: known.map(({ rate }) => rounded(rate * factor)) }],
      rules: [
        { kind: ['middle'], value: [rounded(at(0.5) * factor)], text: ['the median user'] },
        ...limits.map(({ expr, limit }) => ({ kind: ['limit'], value: [rounded(limit)], text: [expr] })),
      ],
    },
    table: {
      head: ['users', 'slowest', 'middle', 'fastest'],
      rows: [[formatCount(known.length), least, middle, most]],
    },
  };
}
