import type { Cell } from '@svc/connectors';
import {
  differencesFrom,
  type Finding,
  type RuleDefinition,
  sampleRowsMax,
} from '../../contract-rules/index.ts';
import { type AskDeps, ask, type RuleSource, type Sample } from './source.ts';

type Found = { readonly finding: Finding; readonly sample: Sample | null };

/** Reads the current columns of the table. */
export async function askSchema(deps: AskDeps, source: RuleSource, rule: RuleDefinition): Promise<Found> {
  const { target, table, signal, timeoutMs } = source;
  const { tables } = await deps.runSql.readMetadata(target, {
    signal,
    timeoutMs,
    ...(table.schema !== '' && { includeSchemas: [table.schema] }),
  });
  const now = tables.find(({ schema, name }) => schema === table.schema && name === table.name);
  const differences = now ? differencesFrom(rule.config.expected ?? [], now.columns) : ['The table is gone.'];
  return {
    finding: { kind: 'Schema', differences },
    sample: { columns: ['difference'], rows: differences.slice(0, sampleRowsMax).map((each) => [each]) },
  };
}

/** Runs the rule's SQL statement. Its result is one row with a verdict, or the failing rows. */
export async function askCustomSql(
  deps: AskDeps,
  source: RuleSource,
  { config }: RuleDefinition,
  total: number,
): Promise<Found> {
  const statement = { sql: config.sql ?? '', parameters: { declared: [], values: {} } };
  if (config.kind === 'FailingRows') {
    const { columns, rows, rowCount } = await ask(deps, source, statement);
    return { finding: { kind: 'Rows', failing: rowCount, total }, sample: { columns, rows } };
  }
  const { columns, rows } = await ask(deps, source, statement, 1);
  return { finding: verdictOf(columns, rows[0]), sample: null };
}

const truths = new Map<string, boolean>([
  ...(['true', 't', '1', 'yes'] as const).map((word): [string, boolean] => [word, true]),
  ...(['false', 'f', '0', 'no'] as const).map((word): [string, boolean] => [word, false]),
]);

function verdictOf(columns: readonly string[], row: readonly Cell[] | undefined): Finding {
  const cell = (name: string): Cell =>
    row?.[columns.findIndex((column) => column.toLowerCase() === name)] ?? null;
  const passed = truths.get(String(cell('passed')).toLowerCase());
  if (passed === undefined)
    return {
      kind: 'Error',
      message: 'The statement has to answer one row with a column `passed` of true or false.',
    };
  const count = (value: Cell): number | null => {
    const number = value === null ? Number.NaN : Number(value);
    return Number.isFinite(number) ? number : null;
  };
  const message = cell('message');
  return {
    kind: 'Verdict',
    passed,
    failing: count(cell('failing')),
    total: count(cell('total')),
    message: message === null ? null : String(message),
  };
}
