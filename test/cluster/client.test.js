import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { followPod } from '../../dist/run/cluster/follow-pod.js';
import { ClusterError, clientOf } from '../../dist/run/cluster/kubernetes-client.js';
import { scratchFolder } from '../support/scratch.js';

/** @import { ServerResponse } from 'node:http' */
/** @import { TestContext } from 'node:test' */

/**
 * A server at a socket, as `kubectl proxy` is one.
 * @param {TestContext} context
 * @param {(path: string, response: ServerResponse) => void} answer
 */
async function serving(context, answer) {
  const socket = join(scratchFolder(), 'api');
  const server = createServer((request, response) => answer(String(request.url), response)).listen(socket);
  await once(server, 'listening');
  const client = clientOf({ socket, namespace: 'load' });
  context.after(() => {
    client.close();
    server.close();
    server.closeAllConnections();
  });
  return client;
}

const progress = (/** @type {number} */ n) =>
  `running (0${n}.0s), 0/5 VUs, ${n} complete and 0 interrupted iterations\n`;

describe('the client of a cluster', () => {
  it('asks in its namespace, and again where the server was busy', async (context) => {
    /** @type {string[]} */
    const asked = [];
    const client = await serving(context, (path, response) => {
      asked.push(path);
      response.statusCode = asked.length < 3 ? 503 : 200;
      response.end('{"items":[]}');
    });
    assert.deepEqual(await client.get('core/pods'), { items: [] });
    assert.deepEqual(asked, Array(3).fill('/api/v1/namespaces/load/pods'));
  });
  it('says what the server refused, and what to do about rights', async (context) => {
    const client = await serving(context, (_, response) => {
      response.statusCode = 403;
      response.end('{"kind":"Status","message":"jobs.batch is forbidden"}');
    });
    await assert.rejects(client.get('batch/jobs/x'), (error) => {
      assert.ok(error instanceof ClusterError && error.status === 403);
      assert.match(error.message, /refused GET \/apis\/batch\/v1\/namespaces\/load\/jobs\/x: jobs.batch is forbidden/);
      return /cluster-role/.test(String(error.hint));
    });
  });
});

describe('the log of a pod', () => {
  it('is read again from its start where the connection broke, and nothing is counted twice', async (context) => {
    let connections = 0;
    const client = await serving(context, (path, response) => {
      if (!path.includes('/log')) return void response.end('{"status":{"phase":"Running"}}');
      connections += 1;
      response.write(`hello\n${progress(1)}`);
      if (connections === 1) return void setTimeout(() => response.destroy(), 50);
      response.end(`${progress(2)}benchfolio-failed {"reason":"no room"}\n`);
    });
    /** @type {string[]} */
    const printed = [];
    /** @type {number[]} */
    const seconds = [];
    const following = followPod(client, 'x-0', {
      signal: new AbortController().signal,
      print: (line) => printed.push(line),
      onSecond: (second) => seconds.push(second),
    });
    await following.ended;
    assert.deepEqual([printed, seconds, connections], [['hello'], [1, 2], 2]);
    assert.deepEqual(following.iterations(), { complete: 2, interrupted: 0 });
    assert.equal(following.frame().failure, 'no room');
  });
  it('ends where the pod is gone', async (context) => {
    const client = await serving(context, (_, response) => {
      response.statusCode = 404;
      response.end('{"message":"not found"}');
    });
    const given = { signal: new AbortController().signal, print: () => {}, onSecond: () => {} };
    const following = followPod(client, 'x-0', given);
    await following.ended;
    assert.equal(following.frame().state, 'none');
  });
});
