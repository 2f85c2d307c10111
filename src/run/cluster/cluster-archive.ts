import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CaseFailure } from '../../base/process/failure.js';
import type { Kubernetes } from '../../suite/cases/generators.js';

/** Bytes of an archive in one ConfigMap: 1 MiB is the most that one may hold, its names included. */
const perConfigMap = 1_000_000;

/** So many ConfigMaps hold an archive at the most: they are kept in etcd, which is made for small things. */
const mostConfigMaps = 16;

/**
 * An archive as it travels.
 * chunks: for a ConfigMap each; volume: where it is in the claim's instead; drop: deletes it there
 */
export type Cargo = { chunks: Buffer[]; volume: { claim: string; file: string } | null; drop: () => void };

/**
 * @param file the archive
 * @param name of the Job
 * @throws {CaseFailure} it is too large for ConfigMaps, or the volume cannot be written
 */
export function cargoOf(file: string, name: string, { archive_volume }: Pick<Kubernetes, 'archive_volume'>): Cargo {
  if (archive_volume) {
    const archiveFile = join(archive_volume.folder, `${name}.tar`);
    try {
      copyFileSync(file, archiveFile);
    } catch (cause) {
      throw new CaseFailure(`the archive cannot be put into the volume: ${(cause as Error).message}`, {
        hint: 'archive_volume.folder is where the claim is mounted on this machine.',
        cause,
      });
    }
    const drop = () => rmSync(archiveFile, { force: true });
    return { chunks: [], volume: { claim: archive_volume.claim, file: `${name}.tar` }, drop };
  }
  return { chunks: chunksOf(readFileSync(file)), volume: null, drop: () => {} };
}

/**
 * @returns it, packed, cut so that a ConfigMap holds each
 * @throws {CaseFailure} there would be too many
 */
export function chunksOf(archive: Buffer): Buffer[] {
  const packed = gzipSync(archive);
  const count = Math.ceil(packed.length / perConfigMap);
  if (count > mostConfigMaps) {
    const [size, most] = [packed.length, mostConfigMaps * perConfigMap].map((bytes) => `${Math.round(bytes / 1e6)} MB`);
    throw new CaseFailure(`the packed case has ${size}, and ConfigMaps take ${most} of one at the most`, {
      hint: 'Give it a volume that pods and this machine share: archive_volume = { claim = "…", folder = "…" }.',
    });
  }
  return Array.from({ length: count }, (_, i) => packed.subarray(i * perConfigMap, (i + 1) * perConfigMap));
}
