// Changes of known kind, by variables of the environment: what `benchfolio calibrate` tries a duet with. Without any of them
// the service is as it is.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** @param {string} name @returns {number} 0 where it is not set */
const number = (name) => Number(process.env[name] ?? 0);

/** @param {number} every @returns {() => boolean} true at each nth call; never where every is 0 */
function nth(every) {
  let calls = 0;
  return () => {
    calls += 1;
    return every > 0 && calls % every === 0;
  };
}

/**
 * Lets so many in at the same time, the others in the order in which they came.
 * @param {number} places
 */
function gate(places) {
  let free = places;
  const waiting = [];
  const enter = () => {
    free -= 1;
    return free < 0 ? new Promise((resolve) => waiting.push(resolve)) : undefined;
  };
  const leave = () => {
    free += 1;
    waiting.shift()?.();
  };
  return { enter, leave };
}

let kept = 0; // so that work is not optimized away
const leaked = [];
const changes = [];

const loops = number('ADDED_LOOPS');
if (loops > 0)
  changes.push(() => {
    for (let i = 0; i < loops; i += 1) kept = (kept * 31 + i) | 0;
  });

const allocations = number('ALLOCATIONS');
if (allocations > 0)
  changes.push(() => {
    const objects = Array.from({ length: allocations }, (_, id) => ({ id, name: `object ${id}` }));
    kept = (kept + objects.length) | 0;
  });

const leak = number('LEAK_BYTES');
if (leak > 0) changes.push(() => void leaked.push(Buffer.alloc(leak, 1)));

const reads = number('FILE_READS');
if (reads > 0)
  changes.push(async () => {
    for (let i = 0; i < reads; i += 1) kept = (kept + (await readFile(fileURLToPath(import.meta.url))).length) | 0;
  });

// A query that takes a connection of a pool for so long, as of a database.
const query = number('QUERY_MS');
const pool = gate(number('POOL'));
if (query > 0)
  changes.push(async () => {
    await pool.enter();
    await wait(query);
    pool.leave();
  });

// All requests pass a lock; each nth holds it for so long, as to write something down.
const holds = nth(number('LOCK_EVERY'));
const lock = gate(1);
if (number('LOCK_EVERY') > 0)
  changes.push(async () => {
    await lock.enter();
    if (holds()) await wait(number('LOCK_MS'));
    lock.leave();
  });

const isSlow = nth(number('SLOW_EVERY'));
if (number('SLOW_EVERY') > 0) changes.push(() => (isSlow() ? wait(number('SLOW_MS')) : undefined));

// After so many seconds each request waits: a cache that is full, a table that has grown.
const slowAfter_s = number('SLOW_AFTER_S');
if (slowAfter_s > 0) changes.push(() => (process.uptime() > slowAfter_s ? wait(number('SLOWED_MS')) : undefined));

/**
 * The changes as a handler of requests: before the service's own.
 * @type {import('express').RequestHandler | null} null: there is none
 */
export const addedWork =
  changes.length === 0
    ? null
    : async (_request, _response, next) => {
        for (const change of changes) await change();
        next();
      };

const fails = nth(number('ERROR_EVERY'));

/** @type {import('express').RequestHandler | null} fails each nth request; null: none */
export const addedErrors =
  number('ERROR_EVERY') === 0
    ? null
    : (_request, response, next) => (fails() ? response.status(500).type('text/plain').send('failed') : next());

const longer = ' and all who live on it'.repeat(2000).slice(0, number('REPLY_BYTES'));
const fields = process.env.FIELDS?.split(',');

/**
 * What is greeted with, longer by REPLY_BYTES; with FIELDS an object that has these.
 * @param {string} text
 * @returns {string | Record<string, string>}
 */
export const greeting = (text) =>
  fields ? Object.fromEntries(fields.map((name) => [name, `${name} of ${text}`])) : text + longer;
