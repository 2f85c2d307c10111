/**
 * Whether what is written there is coloured: on a terminal that can, unless NO_COLOR says otherwise (no-color.org: set,
 * and not empty).
 * @param {{ isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean}
 */
export const isColoured = ({ isTTY = false }, { NO_COLOR, TERM }) => isTTY && !NO_COLOR && TERM !== 'dumb';
