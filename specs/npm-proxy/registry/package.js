import { createCipheriv, createHash } from 'node:crypto';

/**
 * A version of a package as `npm publish` sends it: one document with the tarball in it.
 * @param {{ name: string, version: string, bytes: number }} made bytes: of the tarball
 * @returns {Record<string, any>} the body of PUT /<name>
 */
export function publishDocument({ name, version, bytes }) {
  const file = `${name}-${version}.tgz`;
  const tarball = noise(file, bytes);
  const manifest = {
    name,
    version,
    description: `The ${bytes} bytes of a package that is only downloaded`,
    readme: readmeOf(name),
    dist: {
      tarball: `http://localhost/${name}/-/${file}`, // each registry puts its own address in
      shasum: createHash('sha1').update(tarball).digest('hex'),
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    },
  };
  return {
    _id: name,
    name,
    readme: manifest.readme,
    'dist-tags': { latest: version },
    versions: { [version]: manifest },
    _attachments: {
      [file]: { content_type: 'application/octet-stream', data: tarball.toString('base64'), length: bytes },
    },
  };
}

/**
 * Bytes that do not compress, the same for the same seed: they are not unpacked.
 * @param {string} seed
 * @param {number} bytes
 */
function noise(seed, bytes) {
  const key = createHash('sha256').update(seed).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

/** From 0 to 20 kB, the same for the same package: most of the metadata. @param {string} name */
function readmeOf(name) {
  const length = createHash('sha256').update(name).digest().readUInt16BE() % 20000;
  const line = 'A line of text about what the package does.\n';
  return `# ${name}\n\n${line.repeat(Math.ceil(length / line.length))}`.slice(0, length);
}
