import type { BoundType } from '@svc/connectors';

/** A statement as the run-SQL door takes it: values travel beside it, by the names of its placeholders. */
export type RuleStatement = {
  readonly sql: string;
  readonly parameters: {
    readonly declared: readonly { readonly name: string; readonly type: BoundType }[];
    readonly values: Readonly<Record<string, string>>;
  };
};

/** Takes a value and gives the placeholder that stands for it. */
export type Bind = (type: BoundType, value: string) => string;

/** Writes a statement whose values never become text. */
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
