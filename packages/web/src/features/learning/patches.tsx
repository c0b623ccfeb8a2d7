import { Button } from '@mantine/core';
import { applyDocumentationPatch, type DocumentationPatch, rejectDocumentationPatch } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Status } from '../../ui/record/status.tsx';
import classes from './learning.module.css';
import { documentationPatches } from './requests/learning.ts';
import { stateTones } from './words.ts';

const shown = 50;

/** Proposed sentences for the notes of a project's documentation. */
export function Patches({ projectId }: { readonly projectId: number | undefined }) {
  const list = useQuery(
    documentationPatches({
      pageSize: String(shown),
      state: 'Proposed',
      ...(projectId !== undefined && { projectId }),
    }),
  );
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const total = list.data?.totalCount ?? 0;
  if (list.data && total === 0)
    return (
      <Empty icon="audit" title="No patches wait">
        Patterns that are approved, and tables that nothing describes, propose a sentence for the notes of the
        project’s documentation.
      </Empty>
    );
  return (
    <>
      <ul className={classes['list']} aria-label="Documentation patches" aria-busy={!list.data}>
        {list.data?.items.map((patch) => (
          <Patch key={patch.id} patch={patch} />
        ))}
      </ul>
      {total > shown && (
        <p className="soft">
          The first {shown} of {count(total)}.
        </p>
      )}
    </>
  );
}

function Patch({ patch }: { readonly patch: DocumentationPatch }) {
  const { id, projectId, projectName, table, proposedContent, reasoning, state, currentVersion } = patch;
  const touches = { touches: ['projects'] };
  const apply = useChange(applyDocumentationPatch, touches);
  const reject = useChange(rejectDocumentationPatch, touches);
  const params = { id };
  return (
    <li className={`panel ${classes['item']}`}>
      <div className="row wrap">
        <h2 className="mono">{table}</h2>
        <Status tone={stateTones[state]}>{state}</Status>
      </div>
      <p className="soft">{reasoning}</p>
      <p>
        Added at the end of the notes of{' '}
        <Link to={paths.project(projectId, { tab: 'documentation' })}>{projectName}</Link>:
      </p>
      <pre className={classes['added']}>{proposedContent}</pre>
      <ProblemNote error={apply.error ?? reject.error} />
      {patch.canDecide ? (
        <div className="row wrap">
          <Button
            loading={apply.isPending}
            aria-label={`Apply to the notes: ${table}`}
            onClick={() =>
              apply.mutate(
                { params, body: { sectionVersion: currentVersion } },
                { onSuccess: () => toastDone('Added to the project’s notes.') },
              )
            }
          >
            Apply
          </Button>
          <Button
            loading={reject.isPending}
            aria-label={`Reject: ${table}`}
            onClick={() =>
              reject.mutate({ params }, { onSuccess: () => toastDone('The patch was rejected.') })
            }
          >
            Reject
          </Button>
        </div>
      ) : (
        <p className="soft">Deciding needs the right to write in the project.</p>
      )}
    </li>
  );
}
