import { Input, Select } from '@mantine/core';
import { type CustomSqlKind, customSqlKinds, type RuleConfig } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useRights } from '../../../../access/use-rights.ts';
import { dataSource } from '../../../../requests/data-sources.ts';
import { knownTables } from '../../../../views/sql/completion/sql-text.ts';
import { SqlField } from '../../../../views/sql/sql-field.tsx';
import { textProblemOf } from '../../../../views/sql/text-problem.ts';
import { errorAt, type RulePart } from './rule-part.ts';
import classes from './sql-fields.module.css';

const kindWords: Readonly<{ [kind in CustomSqlKind]: string }> = {
  FailingRows: 'Each row is one that should not be there',
  Verdict: 'One row says whether all is well, in its column passed',
};

export const needsAdmin =
  'Only an Admin adds or changes custom SQL: a statement reads whatever the login can.';

/** SQL statement of a rule, with the completion and marks of every SQL editor. */
export function SqlFields({ rule, tables, errors, failure, sourceId, onCheck, change }: RulePart) {
  const { isAdmin } = useRights();
  const { config } = rule;
  const set = (part: RuleConfig) => change({ config: { ...config, ...part } });
  const source = useQuery({ ...dataSource(sourceId ?? 0), enabled: sourceId !== null });
  const names = useMemo(() => ({ tables: knownTables(tables), joins: [], parameters: [] }), [tables]);
  const refused = errorAt(errors, 'config/sql');
  const said = refused ?? failure;
  const problem = useMemo(() => (said === undefined ? undefined : textProblemOf(said)), [said]);
  return (
    <>
      {!isAdmin && <p className="soft">{needsAdmin}</p>}
      <Select
        label="What its rows say"
        data={customSqlKinds.map((kind) => ({ value: kind, label: kindWords[kind] }))}
        value={config.kind ?? 'FailingRows'}
        disabled={!isAdmin}
        error={errorAt(errors, 'config/kind')}
        onChange={(kind) => set({ kind: customSqlKinds.find((each) => each === kind) ?? 'FailingRows' })}
        maw={480}
      />
      <Input.Wrapper
        label="SQL"
        labelElement="div"
        description={
          config.kind === 'Verdict'
            ? 'One row: passed, and failing, total and message where you have them.'
            : 'Read only, as every statement of this service.'
        }
        error={refused}
      >
        <div className={`panel ${classes['editor']}`}>
          <SqlField
            label="SQL"
            value={config.sql ?? ''}
            engine={source.data?.engine ?? ''}
            names={names}
            isReadOnly={!isAdmin}
            problem={problem}
            onRun={onCheck}
            onChange={(sql) => set({ sql })}
          />
        </div>
      </Input.Wrapper>
    </>
  );
}
