import { useQuery } from '@tanstack/react-query';
import { notFoundProblem } from '../../lib/problem.ts';
import { useAddress } from '../../ui/address.ts';
import { ProblemView } from '../../ui/problem.tsx';
import { Record, useIdParam } from '../../ui/record.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { projects } from '../projects/requests/projects.ts';
import { draftOf, emptyDraft } from './editor/draft.ts';
import { QueryEditor } from './editor/query-editor.tsx';
import { query } from './requests/query.ts';

/** Writing a new query. */
export function NewQueryPage() {
  const [{ projectId, dataSourceId }] = useAddress();
  const writable = useQuery(projects({ pageSize: '200', sort: 'name' }));
  if (!writable.data) return writable.isError ? <ProblemView error={writable.error} /> : <PageSkeleton />;
  const own = writable.data.items.filter((project) => project.right !== 'Read');
  // One project to choose from is no question.
  const chosen = Number(projectId) || (own.length === 1 ? own[0]?.id : undefined) || null;
  return <QueryEditor key="new" saved={null} start={emptyDraft(chosen, Number(dataSourceId) || null)} />;
}

/** Changing a query. */
export function EditQueryPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return (
    <Record read={query(id)}>
      {(record) => <QueryEditor key={record.id} saved={record} start={draftOf(record)} />}
    </Record>
  );
}
