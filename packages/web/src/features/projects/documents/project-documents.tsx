import { TextInput } from '@mantine/core';
import type { ImportedDocumentItem } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { count, size } from '../../../lib/format.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { document, documents } from '../requests/documents.ts';
import { DocumentActions } from './document-actions.tsx';
import { DocumentMenu } from './document-menu.tsx';
import classes from './project-documents.module.css';

const shown = 200;

/** Lists the imported and the uploaded documents of a project. A dialog shows the text of a document. */
export function ProjectDocuments({ id, canManage }: { readonly id: number; readonly canManage: boolean }) {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<ImportedDocumentItem>();
  const search = useDeferredValue(typed.trim());
  const list = useQuery(documents(id, { pageSize: String(shown), ...(search && { search }) }));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0 && search === '') {
    return (
      <>
        {canManage && <DocumentActions projectId={id} />}
        <Empty icon="audit" title="No documents">
          Project admins upload Markdown, text and HTML files here, such as a data dictionary. The operator
          can import a folder: name it in the setting <code>Svc:Documents</code>.
        </Empty>
      </>
    );
  }
  return (
    <>
      {canManage && <DocumentActions projectId={id} />}
      <TextInput
        className={classes['search'] ?? ''}
        label="Search documents"
        placeholder="Title, path or text"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Table
        label="Documents"
        columns={columnsOf(setOpen, canManage ? id : null)}
        rows={list.data?.items}
        keyOf={(row) => row.id}
      />
      {list.data?.totalCount === 0 && <p>No document contains “{search}”.</p>}
      {(list.data?.totalCount ?? 0) > shown && (
        <p>
          The first {count(shown)} of {count(list.data?.totalCount ?? 0)}. Search for the others.
        </p>
      )}
      {open && <DocumentDialog projectId={id} record={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** @param managedId  Project whose documents the user manages; null: the user only reads. */
const columnsOf = (
  onOpen: (row: ImportedDocumentItem) => void,
  managedId: number | null,
): readonly Column<ImportedDocumentItem>[] => [
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
    label: 'Updated',
    width: '128px',
    align: 'right',
    cell: (row) => <Time at={row.importedAt} isQuiet />,
  },
  ...(managedId === null
    ? []
    : [
        {
          id: 'menu',
          label: 'Actions',
          width: '96px',
          align: 'right',
          cell: (row: ImportedDocumentItem) =>
            row.isUploaded && <DocumentMenu projectId={managedId} record={row} />,
        } as const,
      ]),
];

type DialogProps = {
  readonly projectId: number;
  readonly record: ImportedDocumentItem;
  readonly onClose: () => void;
};

function originOf({ isUploaded, uploadedBy, source }: ImportedDocumentItem): string {
  if (isUploaded) return uploadedBy === null ? 'uploaded' : `uploaded by ${uploadedBy}`;
  return `imported from ${source === 'settings' ? 'a folder of the settings' : source}; read-only here`;
}

function DocumentDialog({ projectId, record, onClose }: DialogProps) {
  const content = useQuery(document(projectId, record.id));
  return (
    <Dialog title={record.title} size="xl" onClose={onClose}>
      <p className="soft">
        {record.path}, {originOf(record)}
      </p>
      {content.isLoadingError && <ProblemView error={content.error} onRetry={() => void content.refetch()} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A long text is scrolled by keyboard too. */}
      <pre className={classes['text']} tabIndex={0} aria-label={record.title} role="document">
        {content.data?.content ?? ''}
      </pre>
    </Dialog>
  );
}
