import type { ErrorObject } from 'ajv';
import type { Path } from '../../cases/error.js';
import type { TomlTable } from '../../cases/toml.js';

/** name: it is about a key of the table at path */
type RootCause = { error: ErrorObject; path: Path; name: string | null };

/**
 * A schema's errors without those that only follow from others.
 * @param errors all of them, verbose
 */
export function rootCauses(errors: ErrorObject[], document: TomlTable): RootCause[] {
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

/** An alternative that did not hold explains nothing. */
const isWithin = (error: ErrorObject, choice: ErrorObject) =>
  error !== choice &&
  error.instancePath.startsWith(choice.instancePath) &&
  error.schemaPath.startsWith(`${choice.schemaPath}/`);

/** @param pointer JSON Pointer */
function find(pointer: string, document: TomlTable): { path: Path; value: unknown } {
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
