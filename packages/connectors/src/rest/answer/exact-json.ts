/** JSON number in its original notation. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON value whose numbers retain all their digits. */
export type ExactJson =
  | null
  | boolean
  | string
  | JsonNumber
  | readonly ExactJson[]
  | { readonly [name: string]: ExactJson };

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Parses JSON without floats. Throws a SyntaxError, or a RangeError for a value that is nested too deeply. */
export function parseExact(text: string): ExactJson {
  const revive: Reviver = (_name, value, { source }) =>
    typeof value === 'number' ? new JsonNumber(source ?? String(value)) : value;
  // The third argument contains the source text of a value.
  return JSON.parse(text, revive as (this: unknown, name: string, value: unknown) => unknown) as ExactJson;
}

export const isObject = (value: ExactJson | undefined): value is { readonly [name: string]: ExactJson } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);

export const isList = (value: ExactJson | undefined): value is readonly ExactJson[] => Array.isArray(value);

/** Returns the JSON text of a value. */
export function writeExact(value: ExactJson): string {
  if (value instanceof JsonNumber) return value.text;
  if (isList(value)) return `[${value.map(writeExact).join(',')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}:${writeExact(member)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

/** Returns the parts of a JSON pointer (RFC 6901); undefined for an invalid one. */
export function pointerParts(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const listIndex = /^(0|[1-9]\d{0,8})$/;

/** Returns the value at a path; undefined without one. */
export function valueAt(value: ExactJson, parts: readonly string[]): ExactJson | undefined {
  let current: ExactJson | undefined = value;
  for (const part of parts) {
    if (isList(current)) current = listIndex.test(part) ? current[Number(part)] : undefined;
    else if (isObject(current)) current = Object.hasOwn(current, part) ? current[part] : undefined;
    else return undefined;
  }
  return current;
}
