import { Button, TextInput } from '@mantine/core';
import { type GlossaryRecheck, type GlossaryTerm, recheckGlossary } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { count, plural } from '../../../lib/format.ts';
import { useChange } from '../../../lib/server-state.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { useDownload } from '../../../ui/feedback/use-download.ts';
import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Status, Tag } from '../../../ui/record/status.tsx';
import { downloadGlossary, terms } from '../requests/glossary.ts';
import { GlossaryImportDialog } from './glossary-import-dialog.tsx';
import { GlossaryTermDialog } from './glossary-term-dialog.tsx';
import { GlossaryTermMenu } from './glossary-term-menu.tsx';

const shown = 200;

type OpenDialog = 'term' | 'import';

/** Glossary of the project, for authors of queries and for language models that write queries. */
export function ProjectGlossary({ id }: { readonly id: number }) {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<OpenDialog | null>(null);
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
  const dialog = open && <GlossaryDialog projectId={id} open={open} onClose={() => setOpen(null)} />;
  const add = <AddButtons onOpen={setOpen} />;
  if (list.data?.totalCount === 0 && search === '')
    return (
      <>
        <Empty icon="search" title="No terms" action={<div className="row wrap">{add}</div>}>
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
        <Export id={id} />
        <CheckAgain id={id} />
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

const AddButtons = ({ onOpen }: { readonly onOpen: (dialog: OpenDialog) => void }) => (
  <>
    <Button onClick={() => onOpen('term')}>Add term</Button>
    <Button variant="default" onClick={() => onOpen('import')}>
      Import
    </Button>
  </>
);

type DialogProps = {
  readonly projectId: number;
  readonly open: OpenDialog;
  readonly onClose: () => void;
};

const GlossaryDialog = ({ projectId, open, onClose }: DialogProps) =>
  open === 'term' ? (
    <GlossaryTermDialog projectId={projectId} record={null} onClose={onClose} />
  ) : (
    <GlossaryImportDialog projectId={projectId} onClose={onClose} />
  );

function Export({ id }: { readonly id: number }) {
  const download = useDownload(downloadGlossary);
  return (
    <Button variant="default" loading={download.bytes !== undefined} onClick={() => download.start(id)}>
      Export
    </Button>
  );
}

/** Checks that the tables and columns of terms still exist in the data sources. */
function CheckAgain({ id }: { readonly id: number }) {
  const recheck = useChange(recheckGlossary);
  return (
    <Button
      variant="default"
      loading={recheck.isPending}
      onClick={() =>
        recheck.mutate(
          { body: { projectId: id } },
          { onSuccess: (result) => toastDone(resultInWords(result)), onError: toastProblem },
        )
      }
    >
      Check again
    </Button>
  );
}

function resultInWords({
  checkedCount,
  brokenCount,
  uncheckedCount,
  remainingCount,
}: GlossaryRecheck): string {
  const failedCount = uncheckedCount + remainingCount;
  const checked = `${plural(checkedCount, 'term')} checked, ${count(brokenCount)} broken.`;
  return failedCount === 0 ? checked : `${checked} ${plural(failedCount, 'term')} could not be checked.`;
}

const columns: readonly Column<GlossaryTerm>[] = [
  {
    id: 'term',
    label: 'Term',
    width: '28%',
    cell: (row) => (
      <>
        {row.term} {!row.isActive && <Tag>Off</Tag>}
        {row.isBroken && <Status tone="red">Broken</Status>}
        {row.synonyms.length > 0 && <div className="soft">{row.synonyms.join(', ')}</div>}
        {row.brokenReason !== null && <div className="soft">{row.brokenReason}</div>}
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
          {row.metricExpression !== null && (
            <div>
              = <code>{row.metricExpression}</code>
            </div>
          )}
          <div className="soft">{row.dataSourceName}</div>
        </>
      ),
  },
];

const targetText = ({ schema, table, column }: NonNullable<GlossaryTerm['target']>): string =>
  [schema, table, column].filter((part) => part !== null && part !== '').join('.');
