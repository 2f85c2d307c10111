import { join } from 'node:path';
import { gradleApp } from './detect-gradle.js';
import { mavenApp } from './detect-maven.js';
import type { Start } from './detect-node.js';
import { literal } from './fill-template.js';
import { tableOf, textOf, yamlOf } from './read-repository.js';

/**
 * What a build file says of an application of Spring Boot. projectPath: its folder from the one that was read, '' or with a
 * slash at the end; jar: what its build leaves; java: the version that it wants.
 */
export type JavaApp = {
  projectPath: string;
  build: string[];
  jar: string;
  ignored: string[];
  java: string | undefined;
  actuator: boolean;
  why: string;
};

/**
 * Spring Boot, by Maven or Gradle. The program is built once: what runs it from sources would build at each start, and stand
 * between.
 */
export function javaStart(folder: string): Start | null {
  const app = mavenApp(folder) ?? gradleApp(folder);
  if (app === null) return null;
  const { projectPath, build, jar, ignored, java = '21', actuator, why } = app;
  const settings = settingsIn(join(folder, projectPath, 'src/main/resources'));
  const under = settings('server.servlet.context-path') ?? settings('spring.webflux.base-path') ?? '';
  const management = settings('management.endpoints.web.base-path') ?? '/actuator';
  return {
    argv: ['java', '-jar', literal(jar)],
    env: { SERVER_PORT: '${port}' },
    entry: null,
    build: [build],
    ignored,
    sources: /\.(?:java|kt)$/,
    under,
    health: actuator ? `${under}${management}/health` : undefined,
    setUp: { java },
    why,
  };
}

/**
 * The settings that Spring Boot reads of its resources. Settings of a profile alone are left out.
 * @returns undefined: not there, or only known when it runs
 */
function settingsIn(folder: string): (name: string) => string | undefined {
  const lines = textOf(join(folder, 'application.properties')) ?? '';
  const yaml = textOf(join(folder, 'application.yml')) ?? textOf(join(folder, 'application.yaml')) ?? '';
  const tree = yamlOf(yaml.split(/^---\s*$/m).find((part) => part.trim() !== '') ?? '');
  return (name) => {
    const line = new RegExp(`^[ \\t]*${name.replaceAll('.', '\\.')}\\s*[=:]\\s*(\\S*)\\s*$`, 'm').exec(lines)?.[1];
    const value = line ?? name.split('.').reduce((at, key) => tableOf(at)[key], tree);
    return typeof value === 'string' && /^\/[\w./-]*\w$/.test(value) ? value : undefined;
  };
}
