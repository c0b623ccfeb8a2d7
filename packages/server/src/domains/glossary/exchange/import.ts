import { isDeepStrictEqual } from 'node:util';
import type { GlossaryColumn, GlossaryImport } from '@svc/contract';
import type { Database, Executor } from '../../../platform/db/index.ts';
import { brokenRule, notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertVersion, requireRight } from '../../projects/index.ts';
import type { CheckCall } from '../../statement-checks/index.ts';
import type { createProve, Fault } from '../prove.ts';
import * as store from '../store.ts';
import type { TermChange, TermWrites } from '../term-writes.ts';
import { readRecords } from './read.ts';
import { type Refused, termOf } from './term-of.ts';

export type ImportDeps = {
  readonly database: Database;
  readonly now: () => Date;
  readonly prove: ReturnType<typeof createProve>;
  readonly sourcesOf: (
    executor: Executor,
    projectId: number,
  ) => Promise<readonly { readonly id: number; readonly name: string }[]>;
  readonly writes: Pick<TermWrites, 'insert' | 'replace'>;
};

/** Time limit, because a user waits for the response. */
const budgetMs = 30_000;
/** Upper bound for refused records in one response. */
const listedMax = 50;

type Planned =
  | { readonly kind: 'Refused'; readonly line: number; readonly refused: Refused }
  | { readonly kind: 'Unchanged' }
  | { readonly kind: 'Change'; readonly before: store.TermRow | null; readonly change: TermChange };

const columnOfPath: Readonly<Record<string, GlossaryColumn>> = {
  '/dataSourceId': 'dataSource',
  '/target': 'table',
  '/target/table': 'table',
  '/target/column': 'column',
  '/metricExpression': 'metricExpression',
};

const refusedBy = ({ path, message }: Fault): Refused => ({ column: columnOfPath[path] ?? null, message });

const contentOnly = ({
  dataSourceId,
  term,
  synonyms,
  definition,
  target,
  metricExpression,
  isActive,
}: store.TermContent): store.TermContent => ({
  dataSourceId,
  term,
  synonyms,
  definition,
  target,
  metricExpression,
  isActive,
});

/** Creates the import, which adds and changes terms from a document in one transaction. */
export function createImport({ database, now, prove, sourcesOf, writes }: ImportDeps) {
  const plan = async (projectId: number, document: string, call: CheckCall): Promise<Planned[]> => {
    const records = readRecords(document);
    const terms = await store.termsOf(database, projectId);
    const byTerm = new Map(terms.map((term) => [term.term.toLowerCase(), term]));
    const sources = await sourcesOf(database, projectId);
    const endsAt = now().getTime() + budgetMs;
    const lines = new Map<string, number>();

    const planOf = async (record: (typeof records)[number]): Promise<Planned> => {
      const { line } = record;
      const refuse = (column: GlossaryColumn | null, message: string): Planned => ({
        kind: 'Refused',
        line,
        refused: { column, message },
      });
      const key = (record.cell('term') ?? '').trim().toLowerCase();
      const before = byTerm.get(key) ?? null;
      const content = termOf(record, { before, sources });
      if ('message' in content) return refuse(content.column, content.message);
      const earlier = lines.get(key);
      if (earlier !== undefined) return refuse('term', `stands in line ${earlier} already`);
      lines.set(key, line);
      if (before && isDeepStrictEqual(contentOnly(before), content)) return { kind: 'Unchanged' };
      if (now().getTime() >= endsAt || call.signal.aborted)
        return refuse(null, 'was not asked about any more: import fewer terms at once');
      const verdict = await prove(projectId, content, before, call);
      if ('fault' in verdict) return { kind: 'Refused', line, refused: refusedBy(verdict.fault) };
      return { kind: 'Change', before, change: { content, checkedAt: verdict.checkedAt } };
    };

    const planned: Planned[] = [];
    for (const record of records) planned.push(await planOf(record));
    return planned;
  };

  const save = async (by: CallerActor, projectId: number, planned: readonly Planned[]): Promise<void> =>
    database.transaction(async (tx) => {
      for (const one of planned) {
        if (one.kind !== 'Change') continue;
        if (!one.before) {
          await writes.insert(tx, by, projectId, one.change);
          continue;
        }
        const { id, version } = one.before;
        const locked = await store.findTerm(tx, id, { forUpdate: true });
        if (!locked) throw notFound();
        assertVersion(locked.version, version);
        await writes.replace(tx, by, { id, projectId }, one.change);
      }
    });

  return async (
    by: CallerActor,
    input: { readonly projectId: number; readonly document: string; readonly dryRun?: boolean },
    call: CheckCall,
  ): Promise<GlossaryImport> => {
    const { projectId, document, dryRun = false } = input;
    await requireRight(database, by.caller, projectId, 'Write');
    const planned = await plan(projectId, document, call);
    const refused = planned.flatMap((one) =>
      one.kind === 'Refused' ? [{ line: one.line, ...one.refused }] : [],
    );
    if (!dryRun && refused.length > 0) throw refusedDocument(refused);
    if (!dryRun) await save(by, projectId, planned);
    const changes = planned.flatMap((one) => (one.kind === 'Change' ? [one] : []));
    const createdCount = changes.filter(({ before }) => before === null).length;
    return {
      createdCount,
      changedCount: changes.length - createdCount,
      unchangedCount: planned.filter(({ kind }) => kind === 'Unchanged').length,
      refused,
    };
  };
}

const refusedDocument = (refused: GlossaryImport['refused']) =>
  brokenRule(
    'invalid-glossary-document',
    `Nothing was saved: ${refused.length} of its terms are refused.`,
    refused.slice(0, listedMax).map(({ line, column, message }) => ({
      path: '/document',
      message: `Line ${line}${column === null ? '' : `, ${column}`}: ${message}`,
    })),
  );
