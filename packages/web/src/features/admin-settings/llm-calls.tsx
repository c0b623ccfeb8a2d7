import { Button } from '@mantine/core';
import type { LlmCallRecord } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { count, duration, words } from '../../lib/format.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Pager } from '../../ui/list/pager.tsx';
import { Table } from '../../ui/list/table.tsx';
import { Time, Until } from '../../ui/text/time.tsx';
import { llmCallContent, llmCalls } from './requests/llm-calls.ts';

const pageSize = 10;

const columns: readonly Column<LlmCallRecord>[] = [
  {
    id: 'purpose',
    label: 'Purpose',
    cell: (row) => (
      <>
        {words(row.purpose)}
        <div className="soft">{[row.userName, row.projectName].filter(Boolean).join(', ')}</div>
      </>
    ),
  },
  { id: 'model', label: 'Model', width: '192px', from: 800, cell: (row) => row.model },
  {
    id: 'outcome',
    label: 'Outcome',
    width: '128px',
    cell: (row) => (row.outcome === null ? 'Under way' : words(row.outcome)),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: '96px',
    align: 'right',
    from: 640,
    cell: (row) => <span className="mono">{count((row.inputTokens ?? 0) + (row.outputTokens ?? 0))}</span>,
  },
  {
    id: 'took',
    label: 'Duration',
    width: '88px',
    align: 'right',
    from: 960,
    cell: (row) => row.durationMs !== null && duration(row.durationMs),
  },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.startedAt} isQuiet />,
  },
];

/** Last calls to the language model. Admins can read the stored request and response texts. */
export function LlmCallsSection() {
  const { isAdmin } = useRights();
  const [page, setPage] = useState(0);
  const [read, setRead] = useState<LlmCallRecord | null>(null);
  const list = useQuery({
    ...llmCalls({ page: String(page), pageSize: String(pageSize) }),
    placeholderData: keepPreviousData,
  });
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0) return null;
  const isSomeKept = list.data?.items.some(({ isContentKept }) => isContentKept) === true;
  const texts: Column<LlmCallRecord> = {
    id: 'texts',
    label: 'Texts',
    width: '80px',
    cell: (row) =>
      row.isContentKept && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`Read call ${row.id}`}
          onClick={() => setRead(row)}
        >
          Read
        </Button>
      ),
  };
  return (
    <section aria-label="Recent calls" className="stack-tight">
      <h2>Recent calls</h2>
      <Table
        label="Recent calls"
        columns={isAdmin && isSomeKept ? [...columns, texts] : columns}
        rows={list.data?.items}
        isStale={list.isPlaceholderData}
        keyOf={(row) => row.id}
      />
      {list.data && (
        <Pager
          page={page}
          shownPage={page}
          shownPageSize={pageSize}
          pageCount={list.data.pageCount}
          totalCount={list.data.totalCount}
          onPage={setPage}
        />
      )}
      {read && <ContentDialog call={read} onClose={() => setRead(null)} />}
    </section>
  );
}

const wrapped = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

function ContentDialog({ call, onClose }: { readonly call: LlmCallRecord; readonly onClose: () => void }) {
  const content = useQuery(llmCallContent(call.id));
  const { data } = content;
  return (
    <Dialog title={`Call ${call.id}, ${words(call.purpose).toLowerCase()}`} onClose={onClose} size={880}>
      {content.isLoadingError ? (
        <ProblemView error={content.error} onRetry={() => void content.refetch()} />
      ) : data === undefined ? (
        <div aria-busy="true" />
      ) : (
        <div className="stack">
          <p className="soft">
            Stored <Until at={data.keptUntil} />. That you read it is in the audit log.
          </p>
          {[
            { name: 'Instructions', text: data.instructions },
            ...data.data.map(({ name, text }) => ({ name: `Data: ${name}`, text })),
            { name: 'Answer', text: data.answer ?? 'None is kept.' },
          ].map(({ name, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several texts may have one name, and none moves.
            <section key={at} aria-label={name} className="stack-tight">
              <h3>{name}</h3>
              <pre style={wrapped}>{text}</pre>
            </section>
          ))}
        </div>
      )}
    </Dialog>
  );
}
