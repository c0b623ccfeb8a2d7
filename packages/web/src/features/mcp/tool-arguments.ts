import { queryToolPrefix } from '@svc/contract';

/** Argument of a tool, as its form shows it. */
export type ToolArgument = {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** `Lines` and `Json` get a multi-line field. */
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
  // A nullable type has one branch besides null. That branch determines the field.
  if (branch !== undefined && others.length === 0) return kindOf(branch as Property);
  if (anyOf) return 'IdOrName';
  if (type === 'boolean') return 'Boolean';
  if (type === 'integer' || type === 'number') return 'Number';
  if (type === 'object' || type === 'array') return 'Json';
  return typeof maxLength === 'number' && maxLength >= linesFrom ? 'Lines' : 'Line';
}

/**
 * Returns the arguments of a tool from its JSON Schema, without the project, which the page sets. A published query may
 * declare a parameter `project_id`. Its own project argument is then marked as deprecated and omitted.
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

/**
 * Converts form values to arguments. Omits empty values.
 * @throws Error that names the invalid argument.
 */
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
