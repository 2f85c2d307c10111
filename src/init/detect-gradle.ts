import { join } from 'node:path';
import type { JavaApp } from './detect-java.js';
import { wrapped } from './detect-maven.js';
import { textOf, withoutComments } from './read-repository.js';

/** A line that applies Spring Boot's plugin, and not one that only names its version for others. */
const plugin =
  /^(?!.*\bapply\(?\s*false).*(?:\bid\b|\balias\b|\bplugin:)[^\n]*(?:org\.springframework\.boot['"]|plugins\.[\w.]*spring\w*\.?boot)/im;

/**
 * The project of Gradle that makes a program with Spring Boot's plugin: the one of the folder, or the only such that is included.
 * @returns null: there is none, or its name is that of the folder, which is another in each checkout
 */
export function gradleApp(folder: string): JavaApp | null {
  const settings = scriptIn(folder, 'settings');
  const included = [...settings.matchAll(/\binclude\b\s*\(?([^\n)]*)/g)].flatMap(([, names]) =>
    [...names.matchAll(/['"]:?([\w:.-]+)['"]/g)].map(([, name]) => `${name.replaceAll(':', '/')}/`),
  );
  const [projectPath, ...more] = ['', ...included].filter((project) =>
    plugin.test(scriptIn(join(folder, project), 'build')),
  );
  if (projectPath === undefined || more.length > 0) return null;
  const [root, text] = [scriptIn(folder, 'build'), scriptIn(join(folder, projectPath), 'build')];
  const own = said(settings, /\brootProject\.name\s*=\s*/);
  const program = projectPath === '' ? own : projectPath.split('/').at(-2);
  const versions =
    textOf(join(folder, projectPath, 'gradle.properties')) ?? textOf(join(folder, 'gradle.properties')) ?? '';
  const version =
    said(text, /^[ \t]*version\s*=?\s*/m) ??
    /^version\s*=\s*(\S+)\s*$/m.exec(versions)?.[1] ??
    (/\b(?:all|sub)projects\s*\{/.test(root) ? said(root, /^[ \t]*version\s*=?\s*/m) : undefined);
  const parts = program && [
    said(text, /\barchiveBaseName(?:\s*=\s*|\.set\(\s*)/) ?? program,
    ...(version ? [version] : []),
  ];
  const jar = said(text, /\barchiveFileName(?:\s*=\s*|\.set\(\s*)/) ?? (parts && `${parts.join('-')}.jar`);
  if (jar === undefined || jar.includes('$')) return null;
  return {
    projectPath,
    // Without its daemon, which would stay when the build is done.
    build: [
      ...wrapped(folder, 'gradlew', 'gradle'),
      '--no-daemon',
      '-q',
      `${projectPath && `:${projectPath.slice(0, -1).replaceAll('/', ':')}:`}bootJar`,
    ],
    jar: `${projectPath}build/libs/${jar}`,
    ignored: ['.gradle', ...new Set(['', ...included].map((project) => `${project}build`))],
    java: /\bJavaLanguageVersion\.of\(\s*(\d+)|\bjvmToolchain\(\s*(\d+)|\b(?:source|target)Compatibility\s*=\s*['"]?(?:JavaVersion\.VERSION_)?(?:1[._])?(\d+)/
      .exec(`${text}\n${root}`)
      ?.slice(1)
      .find(Boolean),
    actuator: /starter-actuator|starter\.actuator/.test(text),
    why: `${projectPath}build.gradle makes a program with Spring Boot`,
  };
}

/** @returns in Groovy or Kotlin; '' where there is none */
const scriptIn = (folder: string, name: string): string =>
  withoutComments(textOf(join(folder, `${name}.gradle`)) ?? textOf(join(folder, `${name}.gradle.kts`)) ?? '');

/** @returns the text in quotes that follows */
const said = (text: string, before: RegExp): string | undefined =>
  new RegExp(`${before.source}['"]([^'"]+)['"]`, before.flags).exec(text)?.[1];
