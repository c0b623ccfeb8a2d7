import type { Conversation, ListQuery, Page } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import * as store from './conversation-store.ts';
import type { AskDeps } from './deps.ts';
import { ownerKeyOf } from './owner-key.ts';
import { requireOwnConversation, requireReadable } from './ownership.ts';
import { presentConversation, presentSummary } from './present.ts';
import { answersOf } from './store.ts';

type Deps = Pick<AskDeps, 'database' | 'rights' | 'jobs'>;

/** Lists, creates, reads and deletes the conversations of a caller. */
export const createConversations = (deps: Deps) => ({
  list: async (
    caller: Caller,
    query: ListQuery & { readonly projectId?: number },
  ): Promise<Page<Conversation>> => {
    const page = pageRequest(query, {
      sortable: store.conversationSortable,
      byDefault: '-createdTime',
      unique: 'c.id',
    });
    const ownerKey = ownerKeyOf(caller);
    if (ownerKey === null) return pageOf([], 0, page);
    const readable = await deps.rights.readableIds(deps.database, caller);
    const filter = { ownerKey, readable, projectId: query.projectId ?? null };
    const { rows, totalCount } = await store.listConversations(deps.database, filter, page);
    return pageOf(rows.map(presentConversation), totalCount, page);
  },

  create: async (caller: Caller, projectId: number): Promise<Conversation> => {
    await requireReadable(deps, deps.database, caller, projectId);
    const ownerKey = ownerKeyOf(caller);
    if (ownerKey === null) throw notFound();
    const id = await store.insertConversation(deps.database, projectId, ownerKey);
    return presentConversation(await requireOwnConversation(deps, caller, id));
  },

  get: async (caller: Caller, id: number) => ({
    ...presentConversation(await requireOwnConversation(deps, caller, id)),
    answers: (await answersOf(deps.database, id)).map(presentSummary),
  }),

  /** Deletes a conversation and cancels the jobs of its open questions. */
  delete: async (caller: Caller, id: number): Promise<void> => {
    await requireOwnConversation(deps, caller, id);
    const open = (await answersOf(deps.database, id)).filter(({ finishedAt }) => finishedAt === null);
    await deps.database.transaction(async (tx) => {
      for (const { jobId } of open) if (jobId !== null) await deps.jobs.cancel(tx, jobId);
      await store.deleteConversation(tx, id);
    });
  },
});
