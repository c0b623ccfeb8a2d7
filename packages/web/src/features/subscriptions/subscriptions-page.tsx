import type { Subscription } from '@svc/contract';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { findProjects, project } from '../../requests/projects.ts';
import { subscription, subscriptions } from '../../requests/subscriptions.ts';
import { useAddress } from '../../ui/frame/address.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import type { Selection } from '../../ui/list/selection.ts';
import { Record } from '../../ui/record/record.tsx';
import { subscriptionColumns } from '../../views/subscriptions/subscription-columns.tsx';
import { BulkActs } from './bulk-acts.tsx';
import { PauseButton } from './pause-button.tsx';
import { type Refusal, RefusedDialog } from './refused-dialog.tsx';
import { subscriptionRoutes } from './requests/routes.ts';
import { NewSubscription } from './wizard/new-subscription.tsx';

const states = [
  { value: 'Active', label: 'Active' },
  { value: 'Paused', label: 'Paused' },
  { value: 'Archived', label: 'Archived' },
  { value: 'All', label: 'All' },
];

const read = ({ projectId, queryId, state, ...rest }: ListState) =>
  subscriptions({
    ...rest,
    ...(Number(projectId) > 0 && { projectId: Number(projectId) }),
    ...(Number(queryId) > 0 && { queryId: Number(queryId) }),
    ...((state === 'Active' || state === 'Paused' || state === 'Archived' || state === 'All') && { state }),
  });

/** Creates a subscription that replaces an existing one, with the settings of the existing one. */
function Replacement({ record }: { readonly record: Subscription }) {
  if (record.routing === null)
    return <NewSubscription queryId={record.queryId} replaces={{ record, routes: [] }} />;
  return (
    <Record read={subscriptionRoutes(record.id)}>
      {({ routes }) => <NewSubscription queryId={record.queryId} replaces={{ record, routes }} />}
    </Record>
  );
}

/** Subscriptions that the user may read, and the form of a new one. */
export function SubscriptionsPage() {
  const { canWrite } = useRights();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [{ new: isNew, queryId, replaces }] = useAddress();
  if (isNew !== undefined && canWrite)
    return Number(replaces) > 0 ? (
      <Record read={subscription(Number(replaces))}>
        {(record) => <Replacement key={record.id} record={record} />}
      </Record>
    ) : (
      <NewSubscription key={queryId} queryId={Number(queryId) || null} replaces={null} />
    );
  const create = (
    <LinkButton to={paths.subscriptions({ new: 'yes' })} variant="filled">
      New subscription
    </LinkButton>
  );
  return (
    <>
      <ListPage
        id="subscriptions"
        title="Subscriptions"
        icon="subscription"
        searchLabel="Search by query"
        read={read}
        columns={subscriptionColumns}
        filters={[
          { name: 'state', label: 'State', options: states },
          { name: 'projectId', label: 'Project', find: findProjects, one: project },
        ]}
        keyOf={(row) => row.id}
        to={(row) => paths.subscription(row.id)}
        bulk={
          canWrite
            ? {
                nameOf: (row: Subscription) => row.queryName,
                acts: (selection: Selection<Subscription>) => (
                  <BulkActs selection={selection} onRefused={setRefusal} />
                ),
              }
            : undefined
        }
        {...(canWrite && {
          rowActions: (row: Subscription) => row.state === 'Active' && <PauseButton record={row} isInRow />,
          actionsWidth: '48px',
        })}
        action={canWrite ? create : undefined}
        empty={{
          title: 'No subscriptions yet',
          text: 'A subscription runs a query on a schedule and sends the result to its recipients.',
          action: canWrite ? (
            <>
              <LinkButton to={paths.firstAlert()} variant="filled">
                Get your first alert
              </LinkButton>
              <LinkButton to={paths.subscriptions({ new: 'yes' })}>New subscription</LinkButton>
            </>
          ) : undefined,
        }}
      />
      {refusal && <RefusedDialog refusal={refusal} onClose={() => setRefusal(null)} />}
    </>
  );
}
