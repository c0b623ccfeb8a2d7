import { TextInput } from '@mantine/core';
import type { ImportedDocumentItem } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { size } from '../../lib/format.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Dialog } from '../../ui/form/dialog.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './project-documents.module.css';
import { document, documents } from './requests/documents.ts';

const shown = 200;

/** The documents that the host imports into a project, each to be read in place. */
export function ProjectDocuments({ id }: { readonly id: number }) {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<ImportedDocumentItem>();
  const search = useDeferredValue(typed.trim());
  const list = useQuery(documents(id, { pageSize: String(shown), ...(search && { search }) }));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0 && search === '') {
    return (
      <Empty icon="audit" title="No documents">
        Whoever runs this service can import a folder of Markdown and text files here, such as a data
        dictionary: name it in the setting <code>Svc:Documents</code>.
      </Empty>
    );
  }
  return (
    <>
      <TextInput
        className={classes['search'] ?? ''}
        label="Search documents"
        placeholder="Title, path or text"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Table label="Documents" columns={columnsOf(setOpen)} rows={list.data?.items} keyOf={(row) => row.id} />
      {list.data?.totalCount === 0 && <p>No document holds “{search}”.</p>}
      {(list.data?.totalCount ?? 0) > shown && (
        <p>
          The first {shown} of {list.data?.totalCount}. Search for the others.
        </p>
      )}
      {open && <DocumentDialog projectId={id} record={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

const columnsOf = (onOpen: (row: ImportedDocumentItem) => void): readonly Column<ImportedDocumentItem>[] => [
  {
    id: 'title',
    label: 'Title',
    cell: (row) => (
      <button type="button" className={classes['open']} onClick={() => onOpen(row)}>
        {row.title}
      </button>
    ),
  },
  { id: 'path', label: 'Path', from: 640, cell: (row) => <code>{row.path}</code> },
  {
    id: 'size',
    label: 'Size',
    width: '88px',
    align: 'right',
    from: 480,
    cell: (row) => size(row.byteLength),
  },
  {
    id: 'imported',
    label: 'Imported',
    width: '128px',
    align: 'right',
    cell: (row) => <Time at={row.importedAt} isQuiet />,
  },
];

type DialogProps = {
  readonly projectId: number;
  readonly record: ImportedDocumentItem;
  readonly onClose: () => void;
};

function DocumentDialog({ projectId, record, onClose }: DialogProps) {
  const found = useQuery(document(projectId, record.id));
  return (
    <Dialog title={record.title} size="xl" onClose={onClose}>
      <p className="soft">
        {record.path}, imported from{' '}
        {record.source === 'settings' ? 'a folder of the settings' : record.source}
      </p>
      {found.isLoadingError && <ProblemView error={found.error} onRetry={() => void found.refetch()} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A long text is scrolled by keyboard too. */}
      <pre className={classes['text']} tabIndex={0} aria-label={record.title} role="document">
        {found.data?.content ?? ''}
      </pre>
    </Dialog>
  );
}
