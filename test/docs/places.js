// Where the commands of documents run. A clone has what is committed; the documents themselves are as they lie here.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toolsDir } from '../../dist/base/tools/find-tool.js';
import { root } from '../support/cli.js';
import { call, cleanEnv, pack } from '../support/package.js';

/**
 * @param {string} scratch
 * @param {(document: string) => Promise<string>} after runs a document; its folder
 * @returns {Promise<{ env: NodeJS.ProcessEnv, file: string, folderFor: (place: string, name: string) => Promise<string> }>}
 *   file: our package
 */
export async function openPlaces(scratch, after) {
  const home = join(scratch, 'home');
  mkdirSync(home);
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\nname = Somebody\nemail = somebody@example.com\n[advice]\ndetachedHead = false\n',
  );
  const { file } = pack(scratch);

  const places = {
    'an empty folder': async (/** @type {string} */ folder) => void mkdirSync(folder, { recursive: true }),
    'what the tutorial leaves': async (/** @type {string} */ folder) =>
      cpSync(await after('site/content/docs/tutorial.md'), folder, copied),
    'a clone': async (/** @type {string} */ folder) => {
      call(scratch, 'git', 'clone', '--quiet', root, folder);
      call(folder, 'git', 'checkout', '--quiet', '-B', 'main');
      cpSync(join(root, 'node_modules'), join(folder, 'node_modules'), copied);
    },
  };
  return {
    env: envWith(home),
    file,
    async folderFor(place, name) {
      const make = /** @type {Record<string, (folder: string) => Promise<void>>} */ (places)[place];
      if (!make) throw new Error(`there is no place "${place}": ${Object.keys(places).join(', ')}`);
      const folder = join(scratch, name, 'shop'); // as the tutorial calls it
      mkdirSync(dirname(folder), { recursive: true });
      await make(folder);
      linkTools(join(folder, '.tools'));
      return folder;
    },
  };
}

/** Links are copied as they are: npm's lead within the folder. */
const copied = { recursive: true, verbatimSymlinks: true };

/** The tools that are built here lie where they are built for somebody else: not on PATH. @param {string} folder */
function linkTools(folder) {
  if (existsSync(folder) || !existsSync(toolsDir)) return;
  mkdirSync(folder);
  for (const name of readdirSync(toolsDir)) symlinkSync(join(toolsDir, name), join(folder, name));
}

/**
 * A home of its own, with nothing of GitHub's; the tools that are built here, and npm as it is set up here.
 * @param {string} home
 */
function envWith(home) {
  const npm = (/** @type {string} */ key) => call(root, 'npm', 'config', 'get', key).trim();
  return {
    ...Object.fromEntries(Object.entries(cleanEnv).filter(([name]) => !/^(GITHUB_|CI$)/.test(name))),
    HOME: home,
    XDG_CACHE_HOME: join(home, '.cache'),
    BENCHFOLIO_TOOLS: toolsDir,
    npm_config_cache: npm('cache'),
    npm_config_userconfig: npm('userconfig'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}
