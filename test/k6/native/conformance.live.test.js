// Each feature whose counts depend on time, by both players: alone, for others would disturb it.
import { describe, test } from 'node:test';
import { compare } from './compare-players.js';
import { features } from './features.js';

describe('both players keep time', () => {
  for (const feature of features.filter(({ timed }) => timed)) test(feature.name, () => compare(feature));
});
