import type { HubEventName } from '@svc/contract';
import type { Query } from '@tanstack/react-query';
import { noteChange } from '../../lib/just-changed.ts';
import { queryClient } from '../../lib/server-state.ts';

/** What may have changed with an event: the tags of what was read. */
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

/** Events that come together lead to one look. */
const joinedMs = 150;

let tags = new Set<string>();
let isWaiting = false;

/** A list in which rows are being read stays as it is: what is newer is offered above it. */
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

/** Lets go of what an event may have changed, so that the page shows it as it is now. */
export function noteEvent(event: HubEventName): void {
  noteChange();
  for (const tag of touched[event]) tags.add(tag);
  if (isWaiting) return;
  isWaiting = true;
  window.setTimeout(refresh, joinedMs);
}

/** Events may have been missed: everything is read anew. */
export function noteGap(): void {
  noteChange();
  void queryClient.invalidateQueries({ predicate: mayRefresh });
}

export const heardEvents = Object.keys(touched) as readonly HubEventName[];
