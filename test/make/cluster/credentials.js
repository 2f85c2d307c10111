import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addresses } from './network.js';

/** The cluster is in a network that nothing else reaches, and lives as long as its tests: these are no secrets. */
const tokens = { admin: 'token-of-admin', kubelet: 'token-of-kubelet' };
const users = {
  admin: `${tokens.admin},admin,admin,"system:masters"`,
  kubelet: `${tokens.kubelet},system:node:${addresses.name},kubelet,"system:nodes"`,
};

/**
 * What the parts of the cluster know each other by.
 * @param {string} folder
 * @returns {{ tokens: string, publicKey: string, privateKey: string, certificate: string, certificateKey: string }} files
 */
export function makeCredentials(folder) {
  const files = {
    tokens: join(folder, 'tokens.csv'),
    publicKey: join(folder, 'accounts.pub'),
    privateKey: join(folder, 'accounts.key'),
    certificate: join(folder, 'api-client.crt'),
    certificateKey: join(folder, 'api-client.key'),
  };
  writeFileSync(files.tokens, `${Object.values(users).join('\n')}\n`);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  writeFileSync(files.publicKey, publicKey);
  writeFileSync(files.privateKey, privateKey);
  const { certificate, certificateKey } = files;
  const subject = ['-subj', '/CN=api', '-days', '2'];
  const out = ['-out', certificate, '-keyout', certificateKey];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...out], { stdio: 'pipe' });
  return files;
}

/** @param {keyof typeof tokens} user @returns {string} JSON, which is YAML */
export const kubeconfig = (user) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'one', cluster: { server: `https://127.0.0.1:${addresses.api}`, 'insecure-skip-tls-verify': true } },
    ],
    users: [{ name: user, user: { token: tokens[user] } }],
    contexts: [{ name: 'one', context: { cluster: 'one', user } }],
    'current-context': 'one',
  });
