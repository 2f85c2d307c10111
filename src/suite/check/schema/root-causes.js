/** @import { ErrorObject } from 'ajv' */
/** @import { Path } from '../../cases/error.js' */
/** @import { TomlTable } from '../../cases/toml.js' */

/**
 * @typedef {{ error: ErrorObject, path: Path, name: string | null }} RootCause name: it is about a key of the table at path
 */

/**
 * A schema's errors without those that only follow from others.
 * @param {ErrorObject[]} errors all of them, verbose
 * @param {TomlTable} document
 * @returns {RootCause[]}
 */
export function rootCauses(errors, document) {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf');
  const outside = errors.filter(
    (error) => !['propertyNames', 'if'].includes(error.keyword) && !choices.some((choice) => isWithin(error, choice)),
  );
  // a table with a missing or misspelt key fits none of the alternatives, but that is not what is wrong
  const explained = outside
    .filter(({ keyword }) => ['required', 'additionalProperties'].includes(keyword))
    .map(({ instancePath }) => instancePath);
  return outside
    .filter(({ keyword, instancePath }) => keyword !== 'oneOf' || !explained.includes(instancePath))
    .map((error) => {
      const { path, value } = find(error.instancePath, document);
      // ajv gives a name that propertyNames refuses as the data of an error at the table
      const isName = typeof error.data === 'string' && typeof value === 'object';
      return { error, path, name: isName ? String(error.data) : null };
    });
}

/** An alternative that did not hold explains nothing. @param {ErrorObject} error @param {ErrorObject} choice */
const isWithin = (error, choice) =>
  error !== choice &&
  error.instancePath.startsWith(choice.instancePath) &&
  error.schemaPath.startsWith(`${choice.schemaPath}/`);

/**
 * @param {string} pointer JSON Pointer
 * @param {TomlTable} document
 * @returns {{ path: Path, value: unknown }}
 */
function find(pointer, document) {
  let value = document;
  const path = pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const text = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const key = Array.isArray(value) ? Number(text) : text;
      value = value?.[key];
      return key;
    });
  return { path, value };
}
