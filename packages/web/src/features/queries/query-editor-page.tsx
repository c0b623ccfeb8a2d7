import { useQuery } from '@tanstack/react-query';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useAddress } from '../../ui/address.ts';
import { ProblemView } from '../../ui/problem.tsx';
import { Record, useIdParam } from '../../ui/record.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { projects } from '../projects/requests/projects.ts';
import { NeedsEditor } from '../session/needs-editor.tsx';
import { useRights } from '../session/use-rights.ts';
import { draftOf, emptyDraft } from './editor/draft.ts';
import { QueryEditor } from './editor/query-editor.tsx';
import { query } from './requests/query.ts';

const parent = { to: paths.queries(), label: 'Queries' };

/** Writing a new query. */
export function NewQueryPage() {
  const { canWrite } = useRights();
  if (!canWrite) return <NeedsEditor title="New query" parent={parent} act="Writing queries" />;
  return <NewQuery />;
}

function NewQuery() {
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
      {(record) =>
        record.canEdit ? (
          <QueryEditor key={record.id} saved={record} start={draftOf(record)} />
        ) : (
          <NeedsEditor
            title={`Edit ${record.name}`}
            parent={{ to: paths.query(record.id), label: record.name }}
            act="Changing this query"
          />
        )
      }
    </Record>
  );
}
