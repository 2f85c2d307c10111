import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In a network of its own, where any port is free. */
export const addresses = {
  client: 'http://127.0.0.1:2379',
  peer: 'http://127.0.0.1:2380',
  api: 6443,
  name: 'one',
  node: '10.244.0.1',
  /** Where pods reach this machine. */
  gateway: '10.244.1.1',
};

/** @param {string[]} args */
const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });

/**
 * An interface with the node's address, and a bridge for pods: they reach this machine and each other, and nothing else.
 * @param {string} folder for the network's configuration
 */
export function openNetwork(folder) {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'node', 'type', 'bridge');
  ip('address', 'add', `${addresses.node}/24`, 'dev', 'node');
  ip('link', 'set', 'node', 'up');
  ip('route', 'add', 'default', 'dev', 'node');
  mkdirSync(folder);
  const network = {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'pods',
        isGateway: true,
        ipam: {
          type: 'host-local',
          dataDir: '/run/cni',
          ranges: [[{ subnet: '10.244.1.0/24', gateway: addresses.gateway }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
    ],
  };
  writeFileSync(join(folder, 'pods.conflist'), JSON.stringify(network));
}
