import { queryToolPrefix } from '@svc/contract';

/** One argument of a tool, as its form shows it. */
export type ToolArgument = {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A statement or JSON gets more room. */
  readonly kind: 'Line' | 'Lines' | 'Number' | 'Boolean' | 'IdOrName' | 'Json';
};

type Property = {
  readonly type?: unknown;
  readonly anyOf?: readonly unknown[];
  readonly description?: unknown;
  readonly maxLength?: unknown;
  readonly deprecated?: unknown;
};

const linesFrom = 1_000;

const isNull = (branch: unknown): boolean =>
  typeof branch === 'object' && branch !== null && 'type' in branch && branch.type === 'null';

function kindOf({ type, anyOf, maxLength }: Property): ToolArgument['kind'] {
  const [branch, ...others] = (anyOf ?? []).filter((each) => !isNull(each));
  // What may be null is left out here: what remains says what is filled in.
  if (branch !== undefined && others.length === 0) return kindOf(branch as Property);
  if (anyOf) return 'IdOrName';
  if (type === 'boolean') return 'Boolean';
  if (type === 'integer' || type === 'number') return 'Number';
  if (type === 'object' || type === 'array') return 'Json';
  return typeof maxLength === 'number' && maxLength >= linesFrom ? 'Lines' : 'Line';
}

/**
 * The arguments of a tool by its JSON Schema, the project left out: the page has chosen it. The tool of a query may have
 * a parameter of that name; its own argument is marked as one that nobody needs.
 */
export function toolArguments(
  schema: Readonly<Record<string, unknown>>,
  toolName: string,
): readonly ToolArgument[] {
  const isOfQuery = toolName.startsWith(queryToolPrefix);
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Property>>;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  return Object.entries(properties)
    .filter(([name, property]) => (isOfQuery ? property.deprecated !== true : name !== 'project_id'))
    .map(([name, property]) => ({
      name,
      description: typeof property.description === 'string' ? property.description : '',
      isRequired: required.has(name),
      kind: kindOf(property),
    }));
}

/** What is sent for what is filled in; what is empty is left out. Throws an Error that names the argument. */
export function argumentValues(
  argumentsOf: readonly ToolArgument[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, kind } of argumentsOf) {
    const text = texts[name]?.trim() ?? '';
    if (text === '') continue;
    if (kind === 'Number') values[name] = Number(text);
    else if (kind === 'Boolean') values[name] = booleanOf(name, text);
    else if (kind === 'Json') values[name] = parsed(name, text);
    else values[name] = kind === 'IdOrName' && /^\d{1,9}$/.test(text) ? Number(text) : text;
  }
  return values;
}

function booleanOf(name: string, text: string): boolean {
  if (!/^(?:true|false)$/i.test(text)) throw new Error(`${name} must be true or false.`);
  return text.toLowerCase() === 'true';
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} must be JSON, such as {"least": 1}.`);
  }
}
