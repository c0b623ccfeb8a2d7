import { isDeepStrictEqual } from 'node:util';
import type { Metadata, SqlDialect } from '@svc/connectors';
import type { GlossaryTarget } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';
import { brokenRule, Refusal } from '../../platform/http/index.ts';
import { findMetadata } from '../data-sources/index.ts';
import type { CheckCall, CheckStatement } from '../statement-checks/index.ts';
import { expressionFault, statementsOf, withoutPlace } from './statements.ts';
import * as store from './store.ts';

export type ProveDeps = {
  readonly database: Executor;
  /** Requests an execution plan from the engine. */
  readonly check: CheckStatement;
  readonly dialectOf: (engine: string) => SqlDialect;
  readonly now: () => Date;
};

/** Reason why a term cannot be saved. */
export type Fault = {
  /** JSON pointer into the term. */
  readonly path: string;
  readonly message: string;
  /** True when the data source could not check the term, so that its correctness is unknown. */
  readonly isUnchecked: boolean;
};

export type ProofResult = { readonly checkedAt: Date | null } | { readonly fault: Fault };

const fault = (path: string, message: string): Fault => ({ path, message, isUnchecked: false });

/** Returns the members that refer to data. */
const referenceOf = ({ dataSourceId, target, metricExpression, isActive }: store.TermContent) => ({
  dataSourceId,
  target,
  metricExpression,
  isActive,
});

/** Returns the error of a term that needs no lookup. */
function faultOfShape({ dataSourceId, target, metricExpression }: store.TermContent): Fault | null {
  if (metricExpression !== null && target === null)
    return fault('/target', 'is missing: a metric needs the table that it is computed over');
  if (dataSourceId === null && target !== null)
    return fault('/dataSourceId', 'needs the data source that the target is in');
  return null;
}

function faultOfTarget(
  { schema, table, column }: GlossaryTarget,
  metadata: Metadata | undefined,
): Fault | null {
  const tableMetadata = metadata?.tables.find((one) => one.schema === schema && one.name === table);
  if (!tableMetadata)
    return fault('/target/table', 'is not in the metadata of the data source; refresh it first');
  const hasColumn = column === null || tableMetadata.columns.some(({ name }) => name === column);
  return hasColumn ? null : fault('/target/column', 'is no column of this table');
}

/**
 * Creates the check that a term refers to existing data. Skips the check when an inactive or newly deactivated term
 * changes no reference.
 */
export const createProve = ({ database, check, dialectOf, now }: ProveDeps) => {
  const checkByEngine = async (
    dataSourceId: number,
    { target, metricExpression }: store.TermContent,
    dialect: SqlDialect,
    call: CheckCall,
  ): Promise<Fault | null> => {
    const malformed = metricExpression === null ? null : expressionFault(metricExpression, dialect);
    if (malformed !== null) return fault('/metricExpression', malformed);
    const statements = statementsOf({ target, metricExpression }, dialect);
    for (const [at, sql] of statements.entries()) {
      const { verdict, message } = await check(dataSourceId, sql, call);
      if (verdict === 'Passed') continue;
      const path = at === 0 ? '/target' : '/metricExpression';
      return { path, message: withoutPlace(message), isUnchecked: verdict === 'Unchecked' };
    }
    return null;
  };

  return async (
    projectId: number,
    content: store.TermContent,
    before: store.TermContent | null,
    call: CheckCall,
  ): Promise<ProofResult> => {
    if (before && isDeepStrictEqual(referenceOf({ ...before, isActive: false }), referenceOf(content)))
      return { checkedAt: null };
    const malformed = faultOfShape(content);
    if (malformed) return { fault: malformed };
    const { dataSourceId, target } = content;
    if (dataSourceId === null) return { checkedAt: null };
    const engine = await store.linkedEngine(database, projectId, dataSourceId);
    if (engine === undefined) return { fault: fault('/dataSourceId', 'is no data source of the project') };
    if (!target) return { checkedAt: null };
    const metadata = await findMetadata(database, dataSourceId);
    const refused =
      faultOfTarget(target, metadata?.snapshot) ??
      (await checkByEngine(dataSourceId, content, dialectOf(engine), call));
    return refused ? { fault: refused } : { checkedAt: now() };
  };
};

/** @throws Refusal 400 for an invalid term, 424 when the data source could not check it. */
export function provedOrRefused(result: ProofResult): Date | null {
  if (!('fault' in result)) return result.checkedAt;
  const { path, message, isUnchecked } = result.fault;
  if (isUnchecked) throw new Refusal('glossary-term-unchecked', { detail: message });
  throw brokenRule('invalid-glossary-target', `What the term stands for cannot be saved: ${message}.`, [
    { path, message },
  ]);
}
