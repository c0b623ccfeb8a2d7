/** Argument of a tool, as its schema declares it. */
export type Argument = {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly defaultValue: unknown;
  readonly description: string;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the type of an argument. A single branch besides null is the type of an optional value. */
function typeOf(schema: Readonly<Record<string, unknown>>): string {
  if (typeof schema['type'] === 'string') return schema['type'];
  const branches = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isObject) : [];
  const first = branches.find((branch) => branch['type'] !== 'null');
  return first ? typeOf(first) : 'any';
}

/** Returns the arguments that the JSON Schema of an object declares, required ones first. */
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
