import { type ListQuery, LlmCallContent, type LlmCallRecord, type Page } from '@svc/contract';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { KeepContent, LlmContent } from '../../gateways/llm/index.ts';
import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import * as store from './calls-store.ts';

/** Retention of prompts and answers, when their storage is enabled. */
export const contentDays = 7;

const place = (callId: number) => ({ table: 'llm_contents', column: 'content_sealed', rowId: callId });

export type KeeperDeps = {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly log: Pick<Logger, 'error'>;
};

/** Stores encrypted contents of calls. A failed write loses the content; the call continues. */
export const createContentKeeper =
  ({ database, keys, random, log }: KeeperDeps): KeepContent =>
  async (callId, content) => {
    try {
      const sealed = seal(keys, JSON.stringify(content), place(callId), random);
      await store.insertContent(database, callId, sealed);
    } catch (error) {
      log.error({ err: error, callId }, 'what a call to the language model was about could not be kept');
    }
  };

const StoredContent = Type.Pick(LlmCallContent, ['instructions', 'data', 'answer']);

function parseContent(text: string): LlmContent | undefined {
  const value: unknown = JSON.parse(text);
  return Value.Check(StoredContent, value) ? value : undefined;
}

export type LlmCallsDeps = {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly audit: Audit;
};

export type LlmCallsService = ReturnType<typeof createLlmCalls>;

/** Creates the service that lists calls to the language model and returns their contents. */
export function createLlmCalls({ database, keys, audit }: LlmCallsDeps) {
  return {
    list: async (query: ListQuery): Promise<Page<LlmCallRecord>> => {
      const page = pageRequest(query, {
        sortable: store.callSortable,
        byDefault: '-startedAt',
        unique: 'c.id',
      });
      const { rows, totalCount } = await store.listCalls(database, contentDays, page);
      const present = (row: store.CallRow) => ({ ...row, startedAt: row.startedAt.toISOString() });
      return pageOf(rows.map(present), totalCount, page);
    },

    /** Audits each read, because contents include questions of other users. */
    content: async (by: CallerActor, callId: number): Promise<LlmCallContent> => {
      const kept = await store.findContent(database, callId, contentDays);
      const opened = kept && open(keys, kept.sealed, place(callId));
      const content = opened?.ok ? parseContent(opened.secret.reveal()) : undefined;
      if (kept === undefined || content === undefined) throw notFound();
      await audit.recordAlone(database, {
        by,
        event: 'llm.content_read',
        subject: { kind: 'llm_call', id: callId },
      });
      const { instructions, data, answer } = content;
      return { callId, instructions, data: [...data], answer, keptUntil: kept.keptUntil.toISOString() };
    },
  };
}
