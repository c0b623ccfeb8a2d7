import type { HubEventName } from '@svc/contract';
import type { Query } from '@tanstack/react-query';
import { noteChange } from '../../lib/calls/just-changed.ts';
import { queryClient } from '../../lib/server-state.ts';

/** Tags of the cached queries that an event invalidates. */
const touched: Readonly<Record<HubEventName, readonly string[]>> = {
  NotificationCreated: ['notifications', 'subscriptions', 'tasks', 'home', 'control-tower'],
  JobStatusChanged: [
    'jobs',
    'notifications',
    'control-tower',
    'migrations',
    'data quality',
    'ask',
    'llm',
    'eval',
    'ai-actors',
  ],
  JobProgressed: ['jobs', 'migrations', 'ask'],
  NoticeCreated: ['notices'],
  TaskChanged: ['tasks', 'home'],
  AiPlanChanged: ['ai-actors', 'approvals'],
  ApprovalUpdated: ['approvals', 'queries', 'recipients'],
};

/** Time for which events are collected into one refresh. */
const joinedMs = 150;

let tags = new Set<string>();
let isWaiting = false;

/** Returns false for a list that a user reads: it remains unchanged, and the page offers newer rows above it. */
function mayRefresh({ meta, state }: Query): boolean {
  const shown = (state.data as { readonly items?: readonly unknown[] } | undefined)?.items;
  return meta?.['isStill'] !== true || (shown?.length ?? 0) === 0;
}

function refresh(): void {
  const now = tags;
  tags = new Set();
  isWaiting = false;
  void queryClient.invalidateQueries({
    predicate: (query) => now.has(String(query.queryKey[0])) && mayRefresh(query),
  });
}

/** Invalidates the queries that an event may have changed. */
export function noteEvent(event: HubEventName): void {
  noteChange();
  for (const tag of touched[event]) tags.add(tag);
  if (isWaiting) return;
  isWaiting = true;
  window.setTimeout(refresh, joinedMs);
}

/** Invalidates all queries after a gap in the connection, because events may have been lost. */
export function noteGap(): void {
  noteChange();
  void queryClient.invalidateQueries({ predicate: mayRefresh });
}

export const heardEvents = Object.keys(touched) as readonly HubEventName[];
