import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { JavaApp } from './detect-java.js';
import { type Element, elementsAt, textAt, xmlOf } from './read-xml.js';

/**
 * The pom.xml that makes a program with Spring Boot's plugin: the one of the folder, or of its only such module.
 * @returns null: there is none, or its name is only known when it is built
 */
export function mavenApp(folder: string): JavaApp | null {
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

/** @returns Spring Boot's plugin */
const pluginOf = (pom: Element | null): Element | undefined =>
  elementsAt(pom, 'build', 'plugins', 'plugin').find(
    (plugin) => textAt(plugin, 'artifactId') === 'spring-boot-maven-plugin',
  );

/** @returns with ${…} where it cannot be known */
function programOf(pom: Element, root: Element | null): string {
  const value = (text: string) => filled(text, pom, root);
  const name = textAt(pom, 'build', 'finalName') ?? '${project.artifactId}-${project.version}';
  const plugin = pluginOf(pom) ?? null;
  const classifier =
    textAt(plugin, 'configuration', 'classifier') ??
    textAt(plugin, 'executions', 'execution', 'configuration', 'classifier');
  return `${value(name)}${classifier ? `-${value(classifier)}` : ''}.${value(textAt(pom, 'packaging') ?? 'jar')}`;
}

/** With the properties of the project, and of the one that it is a module of. */
function filled(text: string, pom: Element, root: Element | null, depth = 0): string {
  const version = textAt(pom, 'version') ?? textAt(pom, 'parent', 'version');
  const own: Record<string, string | undefined> = {
    'project.artifactId': textAt(pom, 'artifactId'),
    'project.version': version,
    'project.parent.version': textAt(pom, 'parent', 'version'),
  };
  return text.replace(/\$\{([^{}]+)\}/g, (whole, name) => {
    const value = own[name] ?? textAt(pom, 'properties', name) ?? textAt(root, 'properties', name);
    return value === undefined || depth > 5 ? whole : filled(value, pom, root, depth + 1);
  });
}

function javaOf(pom: Element, root: Element | null) {
  const names = ['java.version', 'maven.compiler.release', 'maven.compiler.target', 'maven.compiler.source'];
  const said = names.map((name) => textAt(pom, 'properties', name) ?? textAt(root, 'properties', name)).find(Boolean);
  return /^(?:1\.)?(\d+)$/.exec(filled(said ?? '', pom, root))?.[1];
}

/**
 * A wrapper brings its own version of the tool. Where git does not have it as a program, a shell runs it.
 * @param tool where there is no wrapper
 */
export function wrapped(folder: string, wrapper: string, tool: string): string[] {
  const can = (mode: number) => {
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
