import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { elementsAt, textAt, xmlOf } from './read-xml.js';

/** @import { JavaApp } from './detect-java.js' */
/** @import { Element } from './read-xml.js' */

/**
 * The pom.xml that makes a program with Spring Boot's plugin: the one of the folder, or of its only such module.
 * @param {string} folder
 * @returns {JavaApp | null} null: there is none, or its name is only known when it is built
 */
export function mavenApp(folder) {
  const root = xmlOf(join(folder, 'pom.xml'));
  const modules = elementsAt(root, 'modules', 'module').map(({ text }) => `${text.trim()}/`);
  const poms = ['', ...modules].map((projectPath) => ({
    projectPath,
    pom: xmlOf(join(folder, projectPath, 'pom.xml')),
  }));
  const [found, ...more] = poms.filter(({ pom }) => pluginOf(pom) && textAt(pom, 'packaging') !== 'pom');
  if (found === undefined || found.pom === null || more.length > 0) return null;
  const { projectPath, pom } = found;
  const name = programOf(pom, root);
  if (name.includes('${')) return null;
  const only = projectPath === '' ? [] : ['-pl', projectPath.slice(0, -1), '-am'];
  return {
    projectPath,
    build: [...wrapped(folder, 'mvnw', 'mvn'), '-q', '-B', '-DskipTests', ...only, 'package'],
    jar: `${projectPath}target/${name}`,
    ignored: ['', ...modules].map((module) => `${module}target`),
    java: javaOf(pom, root),
    actuator: [pom, root].some((project) =>
      elementsAt(project, 'dependencies', 'dependency').some((dependency) =>
        textAt(dependency, 'artifactId')?.endsWith('-actuator'),
      ),
    ),
    why: `${projectPath}pom.xml makes a program with Spring Boot`,
  };
}

/** @param {Element | null} pom @returns {Element | undefined} Spring Boot's plugin */
const pluginOf = (pom) =>
  elementsAt(pom, 'build', 'plugins', 'plugin').find(
    (plugin) => textAt(plugin, 'artifactId') === 'spring-boot-maven-plugin',
  );

/** @param {Element} pom @param {Element | null} root @returns {string} with ${…} where it cannot be known */
function programOf(pom, root) {
  const value = (/** @type {string} */ text) => filled(text, pom, root);
  const name = textAt(pom, 'build', 'finalName') ?? '${project.artifactId}-${project.version}';
  const plugin = pluginOf(pom) ?? null;
  const classifier =
    textAt(plugin, 'configuration', 'classifier') ??
    textAt(plugin, 'executions', 'execution', 'configuration', 'classifier');
  return `${value(name)}${classifier ? `-${value(classifier)}` : ''}.${value(textAt(pom, 'packaging') ?? 'jar')}`;
}

/**
 * With the properties of the project, and of the one that it is a module of.
 * @param {string} text
 * @param {Element} pom
 * @param {Element | null} root
 * @returns {string}
 */
function filled(text, pom, root, depth = 0) {
  const version = textAt(pom, 'version') ?? textAt(pom, 'parent', 'version');
  /** @type {Record<string, string | undefined>} */
  const own = {
    'project.artifactId': textAt(pom, 'artifactId'),
    'project.version': version,
    'project.parent.version': textAt(pom, 'parent', 'version'),
  };
  return text.replace(/\$\{([^{}]+)\}/g, (whole, name) => {
    const value = own[name] ?? textAt(pom, 'properties', name) ?? textAt(root, 'properties', name);
    return value === undefined || depth > 5 ? whole : filled(value, pom, root, depth + 1);
  });
}

/** @param {Element} pom @param {Element | null} root */
function javaOf(pom, root) {
  const names = ['java.version', 'maven.compiler.release', 'maven.compiler.target', 'maven.compiler.source'];
  const said = names.map((name) => textAt(pom, 'properties', name) ?? textAt(root, 'properties', name)).find(Boolean);
  return /^(?:1\.)?(\d+)$/.exec(filled(said ?? '', pom, root))?.[1];
}

/**
 * A wrapper brings its own version of the tool. Where git does not have it as a program, a shell runs it.
 * @param {string} folder
 * @param {string} wrapper
 * @param {string} tool where there is no wrapper
 * @returns {string[]}
 */
export function wrapped(folder, wrapper, tool) {
  const can = (/** @type {number} */ mode) => {
    try {
      accessSync(join(folder, wrapper), mode);
      return true;
    } catch {
      return false;
    }
  };
  if (!can(constants.F_OK)) return [tool];
  return can(constants.X_OK) ? [`./${wrapper}`] : ['sh', wrapper];
}
