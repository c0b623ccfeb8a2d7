import type { SqlDialect } from '@svc/connectors';
import type { PatternReplay } from '@svc/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { soundExamples } from '../golden-examples/index.ts';
import type { CheckCall, CheckStatement } from '../statement-checks/index.ts';
import type { PatternContent } from './mining/pattern.ts';
import { storedSchema } from './signal-store.ts';
import { type ReadStatement, readStatement } from './statements/read-statement.ts';
import { schemaNames } from './statements/schema-names.ts';
import { shapeOf } from './statements/shape.ts';

export type ReplayDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly check: CheckStatement;
  readonly dialectOf: (engine: string) => SqlDialect;
};

type Told = {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly table: string;
  readonly content: PatternContent;
};

/** Time limit, because a user waits for the response. */
const budgetMs = 15_000;
const checkedMax = 20;

/**
 * Compares a pattern with golden examples about the same tables: whether their statements agree with it, and whether
 * the gates still accept them. Executes no statement and calls no language model.
 */
export const createReplay =
  ({ database, clock, check, dialectOf }: ReplayDeps) =>
  async (pattern: Told, call: CheckCall): Promise<PatternReplay> => {
    const endsAt = clock.now().getTime() + budgetMs;
    const { projectId, dataSourceId } = pattern;
    const schema = await storedSchema(database, dataSourceId);
    const examples = schema ? await soundExamples(database, projectId, dataSourceId) : [];
    const names = schemaNames(schema?.tables ?? []);
    const about = examples.flatMap(({ id, sql }) => {
      const read = readStatement(sql, dialectOf(schema?.engine ?? ''), names);
      return isAbout(pattern, read) ? [{ id, sql, relation: relationOf(pattern, read) }] : [];
    });
    const replayed: PatternReplay['examples'] = [];
    for (const { id, sql, relation } of about.slice(0, checkedMax)) {
      const isLate = clock.now().getTime() >= endsAt || call.signal.aborted;
      const { verdict } = isLate ? { verdict: 'Unchecked' as const } : await check(dataSourceId, sql, call);
      replayed.push({ goldenExampleId: id, relation, check: verdict });
    }
    return {
      replayedAt: clock.now().toISOString(),
      exampleCount: about.length,
      checkedCount: replayed.filter((one) => one.check !== 'Unchecked').length,
      agreeing: replayed.filter(({ relation }) => relation === 'Agrees').length,
      contradicting: replayed.filter(({ relation }) => relation === 'Contradicts').length,
      broken: replayed.filter((one) => one.check === 'Failed').length,
      examples: replayed,
    };
  };

/** Returns true when a statement names the tables that the pattern requires. */
function isAbout({ table, content }: Told, { tables, unknown }: ReadStatement): boolean {
  if (content.kind === 'JoinPattern') return tables.includes(table) && tables.includes(content.otherTable);
  if (content.kind === 'CommonQuery') return content.tables.every((one) => tables.includes(one));
  // A statement with the wrong name of a correction is also relevant.
  return tables.includes(table) || (content.kind === 'SchemaCorrection' && unknown.includes(content.wrong));
}

type Relation = PatternReplay['examples'][number]['relation'];

function relationOf({ table, content }: Told, read: ReadStatement): Relation {
  switch (content.kind) {
    case 'SchemaCorrection': {
      if (read.unknown.includes(content.wrong)) return 'Contradicts';
      const uses = read.columns.some(([of, column]) => of === table && column === content.right);
      return content.of === 'Table' || uses ? 'Agrees' : 'Neither';
    }
    case 'JoinPattern': {
      const between = read.joins.filter(([one, , other]) => one === table && other === content.otherTable);
      if (between.length === 0) return 'Neither';
      const isSame = between.some(
        ([, column, , other]) => column === content.column && other === content.otherColumn,
      );
      return isSame ? 'Agrees' : 'Contradicts';
    }
    case 'CommonQuery':
      return shapeOf(read) === content.statement ? 'Agrees' : 'Neither';
    default:
      return 'Neither';
  }
}
