// A duet of a compose file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { spawnBenchfolio } from '../../support/cli.js';
import { contained, hello, left, noCompose } from '../../support/containers.js';
import { lastRun, readJson } from '../../support/situations.js';

const compose = `
services:
  web:
    build: .
    container_name: the-only-one
    restart: always
    environment:
      NAME: web
      OTHER: http://stock:8080/
      COMMIT: 12e4567
      HERE: \${PWD}
    ports: ["18080:8080"]
    depends_on:
      stock: { condition: service_healthy }
      migrate: { condition: service_completed_successfully }
      prepare: { condition: service_started }
    volumes: ["data:/data"]
  stock:
    build: { context: ., dockerfile: healthy.Dockerfile }
    environment: { NAME: stock }
  migrate:
    build: .
    depends_on: [stock]
    command: ["/app", "seed"]
    volumes: ["data:/data"]
  prepare:
    build: .
    command: ["/app", "seed"]
    volumes: ["data:/data"]
  unused:
    image: 127.0.0.1:9/nothing
volumes:
  data: { name: the-only-data }
`;

const spec = `
title = "Box"
[environments.here]
url = "http://127.0.0.1:\${port.web}"
compose = "compose.yaml"
[[environments.here.services]]
name = "web"
ready = "http://127.0.0.1:\${port}/seeded"
`;

describe('a compose file', { skip: noCompose }, () => {
  const file = { 'specs/box/compose.yaml': compose };

  test('runs twice at once in a duet', async () => {
    const folder = await contained(spec + hello, file, '[duet]\nload = false\nduration = "2s"\n');
    const { code, stdout, stderr } = await spawnBenchfolio(['duet', folder, '--blocks', '3'], { cwd: folder });
    assert.equal(code, 3, stdout + stderr);
    const { cases } = await readJson(join(await lastRun(folder), 'comparison.json'));
    const used = cases[0].metrics.find(
      (/** @type {{ metric: string }} */ { metric }) => metric === 'cpu_ms_per_request',
    );
    assert.ok(used.base > 0 && used.head > 0, stdout);
    assert.deepEqual(left(), []);
  });
});
