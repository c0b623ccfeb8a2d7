import { Button, TextInput } from '@mantine/core';
import type { GlossaryTerm } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { count } from '../../lib/format.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { GlossaryTermDialog } from './glossary-term-dialog.tsx';
import { GlossaryTermMenu } from './glossary-term-menu.tsx';
import { terms } from './requests/glossary.ts';

const shown = 200;

/** What words mean in this project: for whoever writes queries, and for language models that do. */
export function ProjectGlossary({ id }: { readonly id: number }) {
  const [typed, setTyped] = useState('');
  const [isAdding, setAdding] = useState(false);
  const search = useDeferredValue(typed.trim());
  const list = useQuery({
    ...terms(id, {
      pageSize: String(shown),
      ...(search !== '' && { search }),
      includeInactive: true,
    }),
    placeholderData: keepPreviousData,
  });
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const add = <Button onClick={() => setAdding(true)}>Add term</Button>;
  const dialog = isAdding && (
    <GlossaryTermDialog projectId={id} record={null} onClose={() => setAdding(false)} />
  );
  if (list.data?.totalCount === 0 && search === '')
    return (
      <>
        <Empty icon="search" title="No terms" action={add}>
          A term says what a word of your business means, what else it is called, and which table or column
          holds it.
        </Empty>
        {dialog}
      </>
    );
  const total = list.data?.totalCount ?? 0;
  return (
    <>
      <div className="row wrap" style={{ alignItems: 'flex-end' }}>
        <TextInput
          style={{ width: 260 }}
          label="Search terms"
          placeholder="Term, synonym or definition"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {add}
      </div>
      <Table
        label="Terms"
        columns={columns}
        rows={list.data?.items}
        isStale={list.isPlaceholderData}
        keyOf={(row) => row.id}
        actions={(row) => <GlossaryTermMenu record={row} />}
      />
      {list.data?.totalCount === 0 && <p>No term, synonym or definition holds “{search}”.</p>}
      {total > shown && (
        <p>
          The first {shown} of {count(total)}. Search for the others.
        </p>
      )}
      {dialog}
    </>
  );
}

const columns: readonly Column<GlossaryTerm>[] = [
  {
    id: 'term',
    label: 'Term',
    width: '28%',
    cell: (row) => (
      <>
        {row.term} {!row.isActive && <Tag>Off</Tag>} {row.isBroken && <Tag>Target is gone</Tag>}
        {row.synonyms.length > 0 && <div className="soft">{row.synonyms.join(', ')}</div>}
      </>
    ),
  },
  { id: 'definition', label: 'Definition', cell: (row) => row.definition },
  {
    id: 'target',
    label: 'Stands for',
    width: '28%',
    from: 640,
    cell: (row) =>
      row.target === null ? null : (
        <>
          <code>{targetText(row.target)}</code>
          <div className="soft">{row.dataSourceName}</div>
        </>
      ),
  },
];

const targetText = ({ schema, table, column }: NonNullable<GlossaryTerm['target']>): string =>
  [schema, table, column].filter((part) => part !== null && part !== '').join('.');
