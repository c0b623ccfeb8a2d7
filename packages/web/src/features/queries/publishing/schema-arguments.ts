/** An argument of a tool, as its schema declares it. */
export type Argument = {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly defaultValue: unknown;
  readonly description: string;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The type that counts: one branch beside null is that of a value that may be left out. */
function typeOf(schema: Readonly<Record<string, unknown>>): string {
  if (typeof schema['type'] === 'string') return schema['type'];
  const branches = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isObject) : [];
  const first = branches.find((branch) => branch['type'] !== 'null');
  return first ? typeOf(first) : 'any';
}

/** The arguments that a JSON Schema of an object declares, those first that are needed. */
export function argumentsOf(schema: Readonly<Record<string, unknown>>): Argument[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const needed = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties)
    .map(([name, value]) => {
      const declared = isObject(value) ? value : {};
      const { default: defaultValue, description } = declared;
      return {
        name,
        type: typeOf(declared),
        isNeeded: needed.has(name),
        defaultValue,
        description: typeof description === 'string' ? description : '',
      };
    })
    .sort((one, other) => Number(other.isNeeded) - Number(one.isNeeded));
}
