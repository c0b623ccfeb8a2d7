import type { Tx } from '../../platform/db/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';

/** Records an audit event of an actor. @param event  Without the prefix `ai_actors.`. */
export const recordActorEvent = (
  audit: Audit,
  tx: Tx,
  by: CallerActor,
  event: string,
  { id, projectId }: { readonly id: number; readonly projectId: number },
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  audit.record(tx, {
    by,
    event: `ai_actors.${event}`,
    projectId,
    detail,
    subject: { kind: 'ai_actor', id },
  });
