// Makes the bucket of the benchmark in a folder: starts the gateway on it, uploads the files through the S3 API, lets
// everybody read them, asks for each as the scenarios will, and stops the gateway again.
//
//   node store/fill.js <folder>
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  CreateBucketCommand,
  HeadObjectCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { bucket, owner, reader } from './accounts.js';
import { contentOf, files } from './files.js';
import { policyOf } from './policy.js';

const [folder] = process.argv.slice(2);
const gateway = join(import.meta.dirname, '.tools', 'versitygw');

rmSync(folder, { recursive: true, force: true });
for (const part of ['objects', 'attributes', 'accounts']) mkdirSync(join(folder, part), { recursive: true });
const port = await freePort();
const running = startGateway(port);
try {
  const endpoint = `http://127.0.0.1:${port}`;
  await untilHealthy(endpoint);
  await addReader(endpoint);
  const s3 = new S3Client({
    endpoint,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: owner.access, secretAccessKey: owner.secret },
  });
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  for (const file of files) await upload(s3, file);
  await s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(policyOf(bucket, files)) }));
  for (const file of files) await assertServed(`${endpoint}/${bucket}/${file.key}`, file);
  console.log(`${files.length} files in bucket ${bucket}, sizes as they should be`);
} finally {
  running.kill();
  await once(running, 'exit');
}

/** The same as the service in spec.toml, for as long as it takes. @param {number} port */
function startGateway(port) {
  const parts = ['--sidecar', join(folder, 'attributes'), join(folder, 'objects')];
  const listen = ['--port', `127.0.0.1:${port}`, '--quiet', '--health', '/health'];
  const options = [...listen, '--iam-dir', join(folder, 'accounts')];
  const env = { ...process.env, ROOT_ACCESS_KEY: owner.access, ROOT_SECRET_KEY: owner.secret };
  return spawn(gateway, [...options, 'posix', ...parts], { stdio: 'inherit', env });
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

/** @param {string} endpoint */
async function untilHealthy(endpoint) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (running.exitCode !== null) throw new Error(`the gateway ended with code ${running.exitCode}`);
    const answer = await fetch(`${endpoint}/health`).catch(() => null);
    if (answer?.ok) return;
    await pause(100);
  }
  throw new Error('the gateway does not answer');
}

/** @param {string} endpoint */
async function addReader(endpoint) {
  const asOwner = ['--access', owner.access, '--secret', owner.secret, '--endpoint-url', endpoint];
  const user = ['--access', reader.access, '--secret', reader.secret, '--role', 'user'];
  await promisify(execFile)(gateway, ['admin', ...asOwner, 'create-user', ...user]);
}

/** @param {S3Client} s3 @param {import('./files.js').File} file */
async function upload(s3, file) {
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: file.key, Body: contentOf(file), ContentType: file.type }));
  const { ContentLength } = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: file.key }));
  if (ContentLength === file.bytes) return;
  throw new Error(`${file.key} has ${ContentLength} bytes, and should have ${file.bytes}`);
}

/** What somebody without an account gets. @param {string} url @param {import('./files.js').File} file */
async function assertServed(url, { bytes, hidden = false }) {
  const answer = await fetch(url);
  const got = (await answer.arrayBuffer()).byteLength;
  const expected = hidden ? 403 : 200;
  if (answer.status !== expected) throw new Error(`${url}: status ${answer.status}, and should be ${expected}`);
  if (!hidden && got !== bytes) throw new Error(`${url}: ${got} bytes, and should be ${bytes}`);
}
