import { JobsError } from '../errors.ts';

/** Parsed route template. */
export type RouteTemplate = {
  /** Template without inline constraints: `/orders/{id:int}` becomes `/orders/{id}`. */
  readonly identity: string;
  /** Parameters of the template in order, with the JSON schema of their constraints. */
  readonly parameters: readonly {
    readonly name: string;
    readonly schema: Readonly<Record<string, string>>;
  }[];
  /** Returns the parameter values of a matching path; null for another path. */
  match(path: string): Readonly<Record<string, string>> | null;
  /**
   * Matches the decoded values of all parameters, for a host that has parsed the path.
   *
   * @param names the host's names of the parameters, in their order.
   */
  matchValues(
    given: Readonly<Record<string, string>>,
    names: readonly string[],
  ): Readonly<Record<string, string>> | null;
};

const constraints: Readonly<Record<string, RegExp>> = {
  int: /^-?\d{1,10}$/,
  long: /^-?\d{1,19}$/,
  decimal: /^-?\d{1,28}(\.\d{1,28})?$/,
  bool: /^(true|false)$/i,
  guid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  alpha: /^[A-Za-z]+$/,
};

const constraintSchemas: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  int: { type: 'integer', format: 'int32' },
  long: { type: 'integer', format: 'int64' },
  decimal: { type: 'number' },
  bool: { type: 'boolean' },
  guid: { type: 'string', format: 'uuid' },
  alpha: { type: 'string', pattern: '^[A-Za-z]+$' },
};

const anyText = { type: 'string' };

type Segment =
  | { readonly kind: 'Text'; readonly text: string }
  | {
      readonly kind: 'Value';
      readonly name: string;
      readonly constraint: RegExp | null;
      readonly schema: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'Rest'; readonly name: string };

const parameterPattern = /^\{(\*?)([A-Za-z_]\w*)(?::([a-z]+))?\}$/;

function refuse(template: string, reason: string): never {
  throw new JobsError('InvalidDeclaration', `The route template ${JSON.stringify(template)} ${reason}.`);
}

function parseSegment(template: string, text: string, isLast: boolean): Segment {
  if (!/[{}]/.test(text)) return { kind: 'Text', text: text.toLowerCase() };
  const [, star, name, constraintName] = parameterPattern.exec(text) ?? [];
  if (name === undefined) refuse(template, `has a part that is not understood: ${text}`);
  if (star) {
    if (!isLast) refuse(template, 'may take the rest of the path only at its end');
    return { kind: 'Rest', name };
  }
  if (constraintName === undefined) return { kind: 'Value', name, constraint: null, schema: anyText };
  const constraint = constraints[constraintName];
  if (!constraint) refuse(template, `has an unknown constraint: ${constraintName}`);
  return { kind: 'Value', name, constraint, schema: constraintSchemas[constraintName] ?? anyText };
}

/**
 * Parameter values by name. The class has no prototype members, because a parameter may be named `__proto__`. V8 stores
 * instances of a class most compactly.
 */
class PathValues {
  [name: string]: string;
}
Object.setPrototypeOf(PathValues.prototype, null);
Reflect.deleteProperty(PathValues.prototype, 'constructor');

/** Returns the decoded segments of a path; null when the path is malformed. An encoded slash does not split a segment. */
function pathParts(path: string): string[] | null {
  try {
    const parts = path.split('/').slice(1);
    return path.includes('%') ? parts.map(decodeURIComponent) : parts;
  } catch {
    // A path with a malformed escape matches no route.
    return null;
  }
}

/**
 * Parses a route template such as `/orders/{id:int}/lines/{*rest}`. Constraints: int, long, decimal, bool, guid, alpha.
 * Literal text matches case-insensitively, as in comparable frameworks.
 *
 * @throws JobsError `InvalidDeclaration`.
 */
export function parseRouteTemplate(template: string): RouteTemplate {
  if (!template.startsWith('/')) refuse(template, 'must begin with a slash');
  const texts = template.split('/').slice(1);
  const segments = texts.map((text, at) => parseSegment(template, text, at === texts.length - 1));
  const names = segments.flatMap((segment) => (segment.kind === 'Text' ? [] : [segment.name]));
  if (new Set(names).size !== names.length) refuse(template, 'names a parameter twice');
  const variables = segments.filter((segment) => segment.kind !== 'Text');
  const variableAt = segments.findIndex((segment) => segment.kind !== 'Text');
  const fixedStart = `/${segments
    .slice(0, variableAt < 0 ? undefined : variableAt)
    .map((segment) => (segment.kind === 'Text' ? segment.text : ''))
    .join('/')}`;
  const matchPart = (segment: Segment, part: string, values: PathValues): boolean => {
    if (segment.kind === 'Text') return segment.text === part.toLowerCase();
    if (segment.kind === 'Rest') return false;
    if (part === '' || (segment.constraint && !segment.constraint.test(part))) return false;
    values[segment.name] = part;
    return true;
  };
  return {
    identity: template.replace(/\{(\*?\w+):[a-z]+\}/g, '{$1}'),
    parameters: segments.flatMap((segment) =>
      segment.kind === 'Text'
        ? []
        : [{ name: segment.name, schema: segment.kind === 'Rest' ? anyText : segment.schema }],
    ),
    match: (path) => {
      // Fast path: most paths differ in their first characters, so no further parsing is necessary.
      if (!path.includes('%') && !path.slice(0, fixedStart.length).toLowerCase().startsWith(fixedStart))
        return null;
      const parts = pathParts(path);
      if (!parts) return null;
      const values = new PathValues();
      for (const [at, segment] of segments.entries()) {
        if (segment.kind === 'Rest') {
          values[segment.name] = parts.slice(at).join('/');
          return values;
        }
        const part = parts[at];
        if (part === undefined || !matchPart(segment, part, values)) return null;
      }
      return parts.length === segments.length ? values : null;
    },
    matchValues: (given, givenNames) => {
      const values = new PathValues();
      for (let at = 0; at < variables.length; at += 1) {
        const segment = variables[at];
        const part = given[givenNames[at] ?? ''];
        if (segment === undefined || part === undefined) return null;
        if (segment.kind === 'Rest') values[segment.name] = part;
        else if (!matchPart(segment, part, values)) return null;
      }
      return values;
    },
  };
}
