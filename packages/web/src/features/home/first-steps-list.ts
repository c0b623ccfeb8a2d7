import type { FirstSteps } from '@svc/contract';
import { paths } from '../../lib/paths.ts';

export type FirstStep = {
  readonly label: string;
  readonly isDone: boolean;
  readonly to: string;
  /** Label of the link to the page of the step. */
  readonly act: string;
  /** True if the user has the permission for the step. */
  readonly may: boolean;
};

/** Returns the steps to the first alert. Linking a project is a step only for a data source without one. */
export function stepsOf(
  { hasDataSource, hasProject, hasQuery, subscriptionId }: FirstSteps,
  mayConnect: boolean,
): readonly FirstStep[] {
  return [
    {
      label: mayConnect
        ? 'Connect a data source, in a project of its own'
        : 'Connect a data source: somebody with the permission DataSourceAdmin does this',
      isDone: hasDataSource,
      to: paths.dataSources({ new: 'yes' }),
      act: 'Connect a data source',
      may: mayConnect,
    },
    ...(hasDataSource && !hasProject
      ? [
          {
            label: 'Create a project and link the data source to it',
            isDone: false,
            to: paths.newProject(),
            act: 'New project',
            may: true,
          },
        ]
      : []),
    {
      label: 'Write a query and run it',
      isDone: hasQuery,
      to: paths.newQuery(),
      act: 'New query',
      may: true,
    },
    {
      label: 'Subscribe to it',
      isDone: subscriptionId !== null,
      to: paths.subscriptions({ new: 'yes' }),
      act: 'New subscription',
      may: true,
    },
    {
      label: 'Send the first alert with Test now',
      isDone: false,
      to: subscriptionId === null ? paths.subscriptions() : paths.subscription(subscriptionId),
      act: 'Open the subscription',
      may: true,
    },
  ];
}
