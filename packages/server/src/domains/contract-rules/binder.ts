import type { BoundType } from '@svc/connectors';

/** A statement for the run-SQL gateway. Its values are bound by the names of its placeholders. */
export type RuleStatement = {
  readonly sql: string;
  readonly parameters: {
    readonly declared: readonly { readonly name: string; readonly type: BoundType }[];
    readonly values: Readonly<Record<string, string>>;
  };
};

/** Binds a value and returns its placeholder. */
export type Bind = (type: BoundType, value: string) => string;

/** Builds a statement whose values never become part of the text. */
export function writeStatement(write: (bind: Bind) => string): RuleStatement {
  const declared: { name: string; type: BoundType }[] = [];
  const values: Record<string, string> = {};
  const sql = write((type, value) => {
    const name = `p${declared.length + 1}`;
    declared.push({ name, type });
    values[name] = value;
    return `{{${name}}}`;
  });
  return { sql, parameters: { declared, values } };
}
