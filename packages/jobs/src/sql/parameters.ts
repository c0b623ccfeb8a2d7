/** Named parameters of a statement. `name` returns a parameter's placeholder, `valuesOf` the values in order. */
export type Parameters<Values extends object> = {
  readonly name: (name: keyof Values & string) => string;
  readonly valuesOf: (values: Values) => unknown[];
};

/** Creates named parameters, numbered in the order in which the text first names them. */
export function nameParameters<Values extends object>(): Parameters<Values> {
  const names: (keyof Values & string)[] = [];
  return {
    name: (name) => {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    },
    valuesOf: (values) => names.map((name) => values[name]),
  };
}
