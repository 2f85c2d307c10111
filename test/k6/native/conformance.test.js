// Each feature whose counts do not depend on time, by both players; and again by HTTP/2.
import { describe, test } from 'node:test';
import { compare } from './compare-players.js';
import { features } from './features.js';

/** Why a feature is not compared by HTTP/2. */
const notByHTTP2 = {
  headers: 'k6 sends blanks around a value, for which Node.js drops the header; the native player does without',
  'a connection that the server closes': 'the server says so in a header of HTTP/1.1',
  'a connection that is reset amid an answer': 'Node.js resets a stream there',
  'answers that are none': 'they are those of HTTP/1.1',
  'strange answers': 'so are these',
};

describe('both players do alike', { concurrency: 4 }, () => {
  const alike = features.filter(({ timed }) => !timed);
  for (const feature of alike) test(feature.name, () => compare(feature));
  for (const feature of alike.filter(({ name }) => !Object.hasOwn(notByHTTP2, name)))
    test(`by HTTP/2: ${feature.name}`, () => compare({ ...feature, http2: true }));
});
