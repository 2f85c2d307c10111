// Each feature whose counts do not depend on time, by both players.
import { describe, test } from 'node:test';
import { compare } from './compare-players.js';
import { features } from './features.js';

describe('both players do alike', { concurrency: 4 }, () => {
  for (const feature of features.filter(({ timed }) => !timed)) test(feature.name, () => compare(feature));
});
