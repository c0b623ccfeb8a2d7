import type { DocumentationVersion } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { LazyPart, later } from '../../../ui/feedback/lazy-part.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { Pager } from '../../../ui/list/pager.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { documentationVersion, documentationVersions } from '../requests/documentation.ts';
import classes from './project-documentation.module.css';

const difference = later(
  async () => (await import('../../../views/query-definition/line-difference.tsx')).LineDifference,
);

const pageSize = 10;
const causes: Readonly<Record<DocumentationVersion['cause'], string>> = {
  Generated: 'Generated',
  Written: 'Written',
  Taken: 'New text taken',
  Patched: 'Learned sentence added',
  Earlier: 'As it was before',
};

type Change = Pick<DocumentationVersion['changes'][number], 'title' | 'addedLines' | 'removedLines'>;

/** Describes a change, such as "Data model: 3 lines added, 1 removed". */
function changeInWords({ title, addedLines, removedLines }: Change): string {
  const parts = [
    ...(addedLines > 0 ? [`${plural(addedLines, 'line')} added`] : []),
    ...(removedLines > 0 ? [`${plural(removedLines, 'line')} removed`] : []),
  ];
  return `${title}: ${parts.length === 0 ? 'lines moved' : parts.join(', ')}`;
}

/** Versions of the documentation, with the changes of each. */
export function DocumentationVersions({ projectId }: { readonly projectId: number }) {
  const [page, setPage] = useState(0);
  const list = useQuery({
    ...documentationVersions(projectId, { page: String(page), pageSize: String(pageSize) }),
    // A finished generation creates versions, and this part then mounts again.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <section className="stack-tight" aria-label="Versions">
      <h2>Versions</h2>
      <ul className={classes['versions']} aria-busy={!list.data}>
        {list.data?.items.map((version) => (
          <li key={version.number}>
            <Version projectId={projectId} version={version} />
          </li>
        ))}
      </ul>
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
    </section>
  );
}

function Version({
  projectId,
  version: { number, cause, madeByUserName, createdTime, changes },
}: {
  readonly projectId: number;
  readonly version: DocumentationVersion;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>Version {number}</strong> {causes[cause]}
        {madeByUserName !== null && ` by ${madeByUserName}`} <Time at={createdTime} isQuiet />
        <br />
        <span className="soft">{changes.map(changeInWords).join('; ')}</span>
      </summary>
      {isOpen && <Differences projectId={projectId} number={number} />}
    </details>
  );
}

/** Sections that a version changed, before and after. */
function Differences({ projectId, number }: { readonly projectId: number; readonly number: number }) {
  const version = useQuery(documentationVersion(projectId, number));
  const [attempt, setAttempt] = useState(0);
  if (version.isLoadingError)
    return <ProblemView error={version.error} onRetry={() => void version.refetch()} />;
  if (!version.data) return <div aria-busy="true" />;
  return (
    <div className="stack">
      {version.data.changes.map(({ kind, title, content, previousContent }) => (
        <section key={kind} className="stack-tight" aria-label={`${title}, version ${number}`}>
          <h3>{title}</h3>
          <LazyPart
            key={attempt}
            code={difference}
            fallback={<pre>{content}</pre>}
            onMissing={() => setAttempt(attempt + 1)}
          >
            {(Difference) => (
              <Difference
                language="Text"
                before={{ label: 'Before', text: previousContent ?? '' }}
                after={{ label: `Version ${number}`, text: content }}
              />
            )}
          </LazyPart>
        </section>
      ))}
    </div>
  );
}
