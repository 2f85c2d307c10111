/** A parameter of OpenAPI 3 or Swagger 2, its references resolved. */
export type Parameter = {
  in?: string;
  name?: string;
  required?: boolean;
  explode?: boolean;
  collectionFormat?: string;
  example?: unknown;
  examples?: { value?: unknown }[];
  default?: unknown;
  'x-example'?: unknown;
  schema?: { example?: unknown; default?: unknown; examples?: unknown[] };
};

/**
 * A path with its parameters put in, and the query that is asked for.
 * @param template as `/orders/{id}`
 * @returns null: one has no example, or is not part of an address
 */
export function pathWith(template: string, parameters: Parameter[]): string | null {
  const required = parameters.filter(({ required, in: location }) => required === true || location === 'path');
  if (required.some((parameter) => !['path', 'query'].includes(String(parameter.in)) || exampleOf(parameter) === null))
    return null;
  const path = template.replace(/\{([^{}]*)\}/g, (whole, name) => {
    const parameter = required.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return parameter === undefined ? whole : (exampleOf(parameter) ?? []).map(encoded).join('%2C');
  });
  const query = required.filter((parameter) => parameter.in === 'query').map(queryOf);
  const full = query.length > 0 ? `${path}?${query.join('&')}` : path;
  return /^\/[\w./~!$&'()*+;=:@%?-]*$/.test(full) ? full : null;
}

/** @returns a list is said by its name more than once, in Swagger 2 with commas */
function queryOf(parameter: Parameter): string {
  const values = (exampleOf(parameter) ?? []).map(encoded);
  const apart = parameter.schema === undefined ? parameter.collectionFormat === 'multi' : parameter.explode !== false;
  const name = encoded(parameter.name);
  return apart ? values.map((value) => `${name}=${value}`).join('&') : `${name}=${values.join('%2C')}`;
}

/**
 * What the file gives as an example, else what is meant where nothing is said.
 * @returns null: there is none, or it has no one form in an address
 */
function exampleOf({
  example,
  examples = [],
  schema,
  default: usual,
  'x-example': extended,
}: Parameter): unknown[] | null {
  const [value] = [
    example,
    schema?.example,
    schema?.default,
    examples[0]?.value,
    schema?.examples?.[0],
    extended,
    usual,
  ].filter((candidate) => candidate !== undefined && candidate !== null);
  const values = [value ?? []].flat();
  return values.length > 0 && values.every((item) => typeof item !== 'object' && item !== '') ? values : null;
}

const encoded = (value: unknown) => encodeURIComponent(String(value)).replace(/\*/g, '%2A');
