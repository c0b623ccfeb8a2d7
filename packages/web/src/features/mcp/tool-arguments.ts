/** One argument of a tool, as its form shows it. */
export type ToolArgument = {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A statement or JSON gets more room. */
  readonly kind: 'Line' | 'Lines' | 'Number' | 'IdOrName' | 'Json';
};

type Property = {
  readonly type?: unknown;
  readonly anyOf?: readonly unknown[];
  readonly description?: unknown;
  readonly maxLength?: unknown;
};

const linesFrom = 1_000;

function kindOf({ type, anyOf, maxLength }: Property): ToolArgument['kind'] {
  if (anyOf) return 'IdOrName';
  if (type === 'integer' || type === 'number') return 'Number';
  if (type === 'object' || type === 'array') return 'Json';
  return typeof maxLength === 'number' && maxLength >= linesFrom ? 'Lines' : 'Line';
}

/** The arguments of a tool by its JSON Schema, the project left out: the page has chosen it. */
export function toolArguments(schema: Readonly<Record<string, unknown>>): readonly ToolArgument[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Property>>;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  return Object.entries(properties)
    .filter(([name]) => name !== 'project_id')
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
    else if (kind === 'Json') values[name] = parsed(name, text);
    else values[name] = kind === 'IdOrName' && /^\d{1,9}$/.test(text) ? Number(text) : text;
  }
  return values;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} must be JSON, such as {"least": 1}.`);
  }
}
