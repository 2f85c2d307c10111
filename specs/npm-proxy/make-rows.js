// Makes the list of packages, the same one each time; with a number, only those of at least so many bytes:
//
//   node make-rows.js > rows.csv
//   node make-rows.js 1000000 > large.csv
//
// The write-up took what 40 open-source projects install: more than 5,000 packages in 8,000 versions, 1.5 GB together.
// Here there are fewer packages, with as many versions each (8:5) and as large on average (190 kB); their sizes follow
// a logarithmic normal distribution: many small ones, few large ones.
const count = 320;
const median = 60000;
const sigma = 1.5; // the mean is then median * exp(sigma² / 2), 185 kB
const [least, most] = [1000, 4000000];
const shown = Number(process.argv[2] ?? 0);

let state = 1;

/** Mulberry32 (Tommy Ettinger, public domain). @returns {number} 0 < x < 1 */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
}

/** Box and Muller. */
const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());

/** One, two or three versions, 1.6 on average. */
const versions = () => 1 + Number(random() < 0.4) + Number(random() < 0.2);

console.log('package,tarball,bytes');
for (let i = 1; i <= count; i += 1) {
  const name = `package-${String(i).padStart(3, '0')}`;
  const bytes = Math.round(Math.min(most, Math.max(least, median * Math.exp(sigma * normal()))));
  const row = `${name},${name}-1.${versions() - 1}.0.tgz,${bytes}`;
  if (bytes >= shown) console.log(row);
}
