import type { Relationship, RelationshipEnd } from '@svc/contract';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { metadata } from '../../../../requests/data-sources.ts';
import { everyRelationship } from '../../../../requests/relationships.ts';
import type { Draft, DraftStep } from '../../../../views/query-run/draft.ts';
import type { JoinEnd, KnownJoin } from '../../../../views/sql/completion/join-completion.ts';
import type { SqlNames } from '../../../../views/sql/completion/sql-completion.ts';
import { columnsOf, type KnownColumn, knownTables } from '../../../../views/sql/completion/sql-text.ts';
import { finalKey } from './draft-state.ts';

const endOf = ({ schema, table, columns }: RelationshipEnd): JoinEnd => ({
  schema: schema === '' ? null : schema,
  table,
  columns,
});
const joinOf = ({ source, target }: Relationship): KnownJoin => ({
  source: endOf(source),
  target: endOf(target),
});

/** Columns of the last result of each step, with the text that returned them. */
export type SeenColumns = Readonly<
  Record<string, { readonly sql: string; readonly columns: readonly KnownColumn[] }>
>;

type Props = {
  readonly draft: Draft;
  /** Key of the shown step, or `finalKey`. */
  readonly shownKey: string;
  readonly parameters: readonly string[];
  readonly seen: SeenColumns;
};

/**
 * Returns the names for completion. A step can use the tables of its data source. The final query can use the steps by index
 * and by name, with the columns of their last result or of their text.
 */
export function useSqlNames({ draft, shownKey, parameters, seen }: Props): SqlNames {
  const isFinal = shownKey === finalKey;
  const shownSteps = draft.steps.filter((step) => isFinal || step.key === shownKey);
  const sourceIds = [...new Set(shownSteps.flatMap((step) => step.dataSourceId ?? []))];
  const answers = useQueries({ queries: sourceIds.map((id) => metadata(id)) });
  const related = useQueries({ queries: (isFinal ? [] : sourceIds).map((id) => everyRelationship(id)) });
  // Metadata is large: the comparison uses only the time of its last update.
  const fingerprint = JSON.stringify([
    sourceIds,
    answers.map((answer) => answer.dataUpdatedAt),
    related.map((answer) => answer.dataUpdatedAt),
    parameters,
    isFinal && draft.steps.map(({ key, name, sql, dataSourceId }) => [name, sql, dataSourceId, seen[key]]),
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fingerprint stands for everything that is read here
  return useMemo(() => {
    const tablesBySource = new Map(
      sourceIds.map((id, index) => {
        const data = answers[index]?.data;
        return [id, data ? knownTables(data.tables) : []] as const;
      }),
    );
    const tablesAt = (id: number | null) => (id === null ? [] : (tablesBySource.get(id) ?? []));
    const leaves = (step: DraftStep): readonly KnownColumn[] => {
      const last = seen[step.key];
      return last?.sql === step.sql ? last.columns : columnsOf(step.sql, tablesAt(step.dataSourceId));
    };
    const tables = isFinal
      ? draft.steps.flatMap((step, index) =>
          [`step${index + 1}`, step.name.trim()]
            .filter((name) => name !== '')
            .map((name) => ({ schema: null, name, columns: leaves(step) })),
        )
      : tablesAt(shownSteps[0]?.dataSourceId ?? null);
    return { tables, joins: related.flatMap(({ data }) => (data ?? []).map(joinOf)), parameters };
  }, [fingerprint]);
}
