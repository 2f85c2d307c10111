// Each feature whose counts do not depend on time, by both players; and again by HTTP/2.
import { describe, test } from 'node:test';
import { compare } from './compare-players.js';
import { features } from './features.js';

describe('both players do alike', { concurrency: 4 }, () => {
  const alike = features.filter(({ timed }) => !timed);
  for (const feature of alike) test(feature.name, () => compare(feature));
  for (const feature of alike.filter(({ onTheWire }) => onTheWire))
    test(`by HTTP/2: ${feature.name}`, () => compare({ ...feature, http2: true }));
});
