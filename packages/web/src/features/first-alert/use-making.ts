import {
  createDataSource,
  createProject,
  createQuery,
  createRecipient,
  createSubscription,
  type DataFile,
  linkProjectDataSource,
  testRunSubscription,
} from '@svc/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { viewerZone } from '../../lib/format.ts';
import { isRefusal } from '../../lib/problem.ts';
import { useChange } from '../../lib/server-state.ts';
import { dataSource, dataSources } from '../../requests/data-sources.ts';
import { recipients } from '../../requests/recipients.ts';
import { freeName, type Origin, type Ready, recipientOf, type Target } from './choices.ts';
import { inbox } from './requests/inbox.ts';

const firstProjectName = 'First project';
const looked = '200';

/**
 * Creates the records of an alert. Each record is created once: a repeated step reuses the records that it created
 * before.
 */
export function useMaking() {
  const client = useQueryClient();
  const canConnect = holds(useRights(), 'DataSourceAdmin');
  const project = useChange(createProject);
  const source = useChange(createDataSource);
  const link = useChange(linkProjectDataSource, { touches: ['data-sources'] });
  const query = useChange(createQuery);
  const recipient = useChange(createRecipient, { touches: ['approvals'] });
  const subscription = useChange(createSubscription, { touches: ['queries'] });
  const test = useChange(testRunSubscription, { touches: ['notifications'] });
  const createdIds = useRef(new Map<string, number>());

  const once = async (what: readonly unknown[], make: () => Promise<number>): Promise<number> => {
    const key = JSON.stringify(what);
    const id = createdIds.current.get(key) ?? (await make());
    createdIds.current.set(key, id);
    return id;
  };

  const projectFor = (id: number | null) =>
    id === null
      ? once(['project'], async () => {
          const body = { name: firstProjectName };
          return (await project.mutateAsync({ body })).projectId;
        })
      : Promise.resolve(id);

  /** Returns the data source that reads only this file. Creates it if none exists. */
  const sourceFor = (file: DataFile) =>
    once(['source', file.path], async () => {
      const there = await client.fetchQuery(dataSources({ pageSize: looked }));
      const reads = there.items.find(
        ({ engine, connection }) => engine === file.engine && readsOnly(connection, file),
      );
      if (reads) return reads.id;
      const connection =
        file.engine === 'SQLite'
          ? { file: file.path }
          : { files: [{ name: file.tableName, path: file.path }] };
      const body = { name: file.name, engine: file.engine, connection };
      return (await source.mutateAsync({ body })).id;
    });

  const linkTo = (id: number, dataSourceId: number) =>
    link.mutateAsync({ params: { id }, body: { dataSourceId } }).catch((error: unknown) => {
      if (!isRefusal(error, 'already-linked')) throw error;
    });

  /** Creates the data source if necessary and links it to the project. Returns undefined while a choice is missing. */
  const prepare = async (origin: Origin, chosenProject: number | null): Promise<Ready | undefined> => {
    if (origin.kind === 'source') {
      if (origin.dataSourceId === null || chosenProject === null) return undefined;
      const { id, engine } = await client.fetchQuery(dataSource(origin.dataSourceId));
      // A data source that was just connected may not be linked to the selected project.
      if (canConnect) await linkTo(chosenProject, id);
      return { projectId: chosenProject, dataSourceId: id, engine };
    }
    if (origin.file === null) return undefined;
    const projectId = await projectFor(chosenProject);
    const dataSourceId = await sourceFor(origin.file);
    await linkTo(projectId, dataSourceId);
    return { projectId, dataSourceId, engine: origin.file.engine };
  };

  const recipientFor = async (target: Target): Promise<number | undefined> => {
    if (target.kind === 'recipient') return target.recipientId ?? undefined;
    return once(['recipient', target], async () => {
      const { items } = await client.fetchQuery(recipients({ pageSize: looked }));
      const hostInbox = target.kind === 'inbox' ? (await client.fetchQuery(inbox)).inbox : null;
      const body = hostInbox
        ? {
            notificationType: 'Webhook' as const,
            name: freeName('Inbox', items),
            destination: hostInbox.destination,
          }
        : recipientOf(target.kind === 'new' ? target.destination.trim() : '', items);
      return (await recipient.mutateAsync({ body })).id;
    });
  };

  /**
   * Creates the query and the subscription, and starts the first run.
   * @returns the id of the run.
   */
  const send = async (
    ready: Ready,
    alert: {
      readonly name: string;
      readonly sql: string;
      readonly cronExpression: string;
      readonly recipientId: number;
    },
  ) => {
    const { projectId, dataSourceId } = ready;
    const steps = [{ dataSourceId, sql: alert.sql }];
    const body = { projectId, name: alert.name, steps };
    const queryId = await once(['query', body], async () => (await query.mutateAsync({ body })).id);
    const definition = {
      queryId,
      cronExpression: alert.cronExpression,
      timeZone: viewerZone,
      recipientIds: [alert.recipientId],
      notificationTrigger: 'Always' as const,
      storeResults: true,
    };
    const subscriptionId = await once(
      ['subscription', definition],
      async () => (await subscription.mutateAsync({ body: definition })).id,
    );
    return (await test.mutateAsync({ params: { id: subscriptionId } })).id;
  };

  return { prepare, recipientFor, send };
}

export type Making = ReturnType<typeof useMaking>;

/** Returns true if a connection reads only this file. */
function readsOnly(connection: Readonly<Record<string, unknown>> | null, file: DataFile): boolean {
  if (connection?.['file'] === file.path) return true;
  const files: unknown = connection?.['files'];
  return Array.isArray(files) && files.length === 1 && (files[0] as { path?: unknown }).path === file.path;
}
