import { Button } from '@mantine/core';
import { lockQuery, type Query } from '@svc/contract';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { query } from '../../requests/queries.ts';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Sentence, Tag } from '../../ui/record/status.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { ManagedBadge } from '../../views/managed/managed-badge.tsx';
import { AiClients } from './publishing/ai-clients.tsx';
import { QueryFacts } from './query-facts.tsx';
import { QuerySubscriptions } from './query-subscriptions.tsx';
import { SavedResult } from './results/saved-result.tsx';
import { History } from './versions/history.tsx';

/** Page of one query: its text, its result and its subscriptions. */
export function QueryPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={query(id)}>{(record) => <QueryView key={record.id} record={record} />}</Record>;
}

type Props = { readonly record: Query };

function QueryView({ record }: Props) {
  return (
    <>
      <PageHeader
        title={record.name}
        parent={{ to: paths.queries(), label: 'Queries' }}
        facts={
          <>
            {record.isLocked && <Tag>Locked for AI actors</Tag>}
            {record.isDemo && <Tag>Demo</Tag>}
            <ManagedBadge kind="Query" id={record.id} />
          </>
        }
        actions={record.canEdit && <QueryActions record={record} />}
      />
      {record.check?.verdict === 'Failed' && (
        <Sentence tone="red">
          {`This query can no longer run since the schema of its data source changed. The engine said: ${record.check.message} Edit the query, or bring back what it reads.`}
        </Sentence>
      )}
      {record.pendingVersion !== null && (
        <LazyPart code={waitingPart} onMissing={() => undefined}>
          {(WaitingVersion) => <WaitingVersion record={record} consequence={untilDecided(record)} />}
        </LazyPart>
      )}
      <Detail
        sections={[
          { id: 'result', label: 'Result', content: <SavedResult record={record} /> },
          { id: 'text', label: 'Text', content: <Texts record={record} /> },
          {
            id: 'subscriptions',
            label: 'Subscriptions',
            count: record.subscriptionCount,
            content: <QuerySubscriptions record={record} />,
          },
          { id: 'history', label: 'History', content: <History record={record} /> },
          { id: 'ai-clients', label: 'AI clients', content: <AiClients record={record} /> },
        ]}
        side={<QueryFacts record={record} />}
      />
    </>
  );
}

/** Actions of a user who may edit the query. */
function QueryActions({ record }: Props) {
  const lock = useChange(lockQuery);
  const toggleLock = () =>
    void lock
      .mutateAsync({ params: { id: record.id }, body: { isLocked: !record.isLocked } })
      .catch(toastProblem);
  return (
    <>
      <Button
        leftSection={<Icon name={record.isLocked ? 'open' : 'lock'} />}
        loading={lock.isPending}
        onClick={toggleLock}
      >
        {record.isLocked ? 'Unlock' : 'Lock'}
      </Button>
      <LinkButton to={paths.editQuery(record.id)} leftSection={<Icon name="edit" />}>
        Edit
      </LinkButton>
      <LinkButton to={paths.subscriptions({ new: 'yes', queryId: record.id })} variant="filled">
        Subscribe
      </LinkButton>
    </>
  );
}

const waitingPart = later(() =>
  import('./versions/waiting-version.tsx').then((module) => module.WaitingVersion),
);

const untilDecided = ({ versionNumber }: Query): string =>
  versionNumber === null
    ? 'Until then this query does not run.'
    : `Until then version ${versionNumber} runs.`;

const textsPart = later(() => import('./query-texts.tsx').then((module) => module.QueryTexts));

/** Statements of the query. The code of the read-only editor loads when the user opens the tab. */
function Texts({ record }: Props) {
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return <p className="soft">The editor could not be loaded. Load the page again.</p>;
  return (
    <LazyPart code={textsPart} fallback={<div aria-busy="true" />} onMissing={() => setMissing(true)}>
      {(QueryTexts) => <QueryTexts record={record} />}
    </LazyPart>
  );
}
