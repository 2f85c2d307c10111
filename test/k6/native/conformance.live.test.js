// Each feature by both players, with all that depends on time: alone, for others would disturb it.
import { describe, test } from 'node:test';
import { compare } from './compare-players.js';
import { features } from './features.js';

describe('both players keep time', () => {
  for (const feature of features) test(feature.name, () => compare(feature, { inTime: true }));
});
