/**
 * What was called otherwise before 0.2.0, by its old name. `check` and the command line say the new one; a test sees to it
 * that the old ones are gone from the tree.
 */
export const renamed = {
  /** Keys of a spec and of bench.toml. @type {Record<string, string>} */
  keys: {
    at_once: 'concurrent',
    by_user: 'per_user',
    drift: 'session_sd',
    false_alarm: 'alpha',
    guide: 'reference_line',
    guide_title: 'reference_line_title',
    like: 'extends',
    needs: 'requires',
    samples: 'min_samples',
    within: 'recover_within',
  },
  /** Metrics, which specs name as values. @type {Record<string, string>} */
  metrics: { rate_asked_rps: 'rate_target_rps' },
  /** Options, by the verb that takes them. @type {Record<string, Record<string, string>>} */
  options: {
    calibrate: { '--for': '--budget' },
    find: { '--to': '--max', '--times': '--repeats' },
    replay: { '--false-alarm': '--alpha' },
  },
};

/**
 * Looks up what an old name has become.
 * @param {Record<string, string> | undefined} names
 * @param {unknown} old
 * @returns {string | undefined} the new name
 */
export const renamedTo = (names, old) =>
  typeof old === 'string' && names && Object.hasOwn(names, old) ? names[old] : undefined;

/**
 * Says what to write now.
 * @param {string} old
 * @param {string} now
 */
export const renamedText = (old, now) => `\`${old}\` is now \`${now}\``;
