import type { Project } from '@svc/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { metadata } from '../../requests/data-sources.ts';
import { projects } from '../../requests/projects.ts';
import { recipients } from '../../requests/recipients.ts';
import { draftCount } from '../../requests/runs/query-runs.ts';
import {
  type Condition,
  type Origin,
  type Ready,
  readableTables,
  statementOf,
  type Target,
  tableKey,
} from './choices.ts';
import { inbox } from './requests/inbox.ts';
import type { Making } from './use-making.ts';

const all = { pageSize: '200', sort: 'name' };
const blank: Condition = { kind: 'rows', column: null, side: 'above', line: '', sql: '' };
const none: readonly never[] = [];

/** State of the first question: the data, and the project. */
export function useData(asked: { readonly dataSourceId: number | null; readonly projectId: number | null }) {
  const canConnect = holds(useRights(), 'DataSourceAdmin');
  const own = useQuery(projects(all));
  const [origin, setOrigin] = useState<Origin>(
    asked.dataSourceId === null && canConnect
      ? { kind: 'file', file: null }
      : { kind: 'source', dataSourceId: asked.dataSourceId },
  );
  const [chosen, setProject] = useState(asked.projectId);
  const writable: readonly Pick<Project, 'id' | 'name'>[] =
    own.data?.items.filter(({ right }) => right !== 'Read') ?? none;
  const projectId = chosen ?? writable[0]?.id ?? null;
  const isChosen =
    origin.kind === 'file' ? origin.file !== null : origin.dataSourceId !== null && projectId !== null;
  return {
    origin,
    setOrigin,
    projectId,
    setProject,
    writable,
    isAnswered: own.data !== undefined && isChosen,
    error: own.error,
  };
}

/** State of the second question: the table, and the condition that alerts. */
export function useCondition(ready: Ready | null) {
  const client = useQueryClient();
  const read = useQuery({ ...metadata(ready?.dataSourceId ?? 0), enabled: ready !== null });
  const [chosen, setChosen] = useState<string | null>(null);
  const [condition, setCondition] = useState(blank);
  const tables = readableTables(ready?.engine, read.data?.tables ?? none);
  const table = tables.find((each) => tableKey(each) === chosen) ?? tables[0];
  const sql = ready ? statementOf(ready.engine, table, condition) : undefined;
  const body = ready && sql !== undefined ? draftOf(ready, sql) : undefined;

  const setTable = (key: string | null) => {
    setChosen(key);
    setCondition(blank);
  };
  /** Resets the answer for another data source. If its tables cannot be read, the user writes the statement. */
  const begin = async ({ dataSourceId }: Ready) => {
    setTable(null);
    const catalog = await client.fetchQuery(metadata(dataSourceId)).catch(() => undefined);
    if (!catalog || catalog.tables.length === 0) setCondition({ ...blank, kind: 'sql' });
  };
  return {
    tables,
    table,
    setTable,
    condition,
    sql,
    body,
    begin,
    change: (part: Partial<Condition>) => setCondition((before) => ({ ...before, ...part })),
    /** Runs the statement, so that a refusal of the engine appears at this step. */
    check: async () => void (await client.fetchQuery(draftCount(body))),
  };
}

const draftOf = ({ projectId, dataSourceId }: Ready, sql: string) => ({
  projectId,
  steps: [{ dataSourceId, sql }],
  finalQuery: null,
  parameters: [],
  values: {},
});

/** State of the third question: the recipient. Proposes an existing recipient first, because it requires no input. */
export function useTarget(making: Making) {
  const canAdd = holds(useRights(), 'SecurityAdmin');
  const recipientList = useQuery(recipients(all));
  const kept = useQuery({ ...inbox, enabled: canAdd });
  const [chosen, setTarget] = useState<Target | null>(null);
  const [recipientId, setRecipient] = useState<number | null>(null);
  const hasInbox = kept.data !== undefined && kept.data.inbox !== null;
  const target = chosen ?? proposed(hasInbox, canAdd);
  return {
    target,
    setTarget,
    hasInbox,
    canAdd,
    recipientId,
    recipients: recipientList.data?.items ?? none,
    isAnswered: isChosen(target),
    error: recipientList.error,
    /** Creates the recipient if it is new. */
    make: async () => setRecipient((await making.recipientFor(target)) ?? null),
  };
}

function proposed(hasInbox: boolean, canAdd: boolean): Target {
  if (hasInbox) return { kind: 'inbox' };
  return canAdd ? { kind: 'new', destination: '' } : { kind: 'recipient', recipientId: null };
}

function isChosen(target: Target): boolean {
  if (target.kind === 'inbox') return true;
  return target.kind === 'new' ? target.destination.trim() !== '' : target.recipientId !== null;
}
