import type { AiActor, AiActorInput } from '@svc/contract';
import { brokenRule, forbidden, notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { findEngine } from '../../data-contracts/index.ts';
import { recordActorEvent } from '../audit.ts';
import { insertActor } from '../store.ts';
import { requireActor, requireFitOwner } from './access.ts';
import type { AiActorsDeps } from './deps.ts';
import { readActor } from './read.ts';
import { settingsOf } from './settings.ts';

/** Creates an actor that the caller owns. */
export const createCreateActor =
  (deps: Pick<AiActorsDeps, 'database' | 'rights' | 'schedules' | 'acting' | 'starting' | 'audit'>) =>
  (by: CallerActor, { projectId, dataSourceId, isActive = true, ...input }: AiActorInput): Promise<AiActor> =>
    deps.database.transaction(async (tx) => {
      const { caller } = by;
      await deps.rights.require(tx, caller, projectId, 'Write');
      const engine = await findEngine(tx, projectId, dataSourceId);
      if (engine === undefined) throw notFound();
      if (engine === 'Rest')
        throw brokenRule('invalid-ai-actor', 'An actor asks in SQL, and a REST API takes none.', [
          { path: '/dataSourceId', message: 'must be a data source that takes SQL' },
        ]);
      const { userId } = caller;
      if (userId === null)
        throw forbidden('actor-owner-needed', 'An actor acts as its owner, who must be a stored user.');
      const settings = await settingsOf(deps, tx, caller, input);
      const state = isActive ? 'Active' : 'Draft';
      const id = await insertActor(tx, { projectId, dataSourceId, state }, settings, userId);
      await requireFitOwner(deps, tx, (await requireActor(deps, tx, caller, id)).actor);
      await deps.starting.setSchedule(tx, { id, state, ...settings });
      const detail = { dataSourceId, state };
      await recordActorEvent(deps.audit, tx, by, 'actor_created', { id, projectId }, detail);
      return readActor(deps, tx, caller, id);
    });
