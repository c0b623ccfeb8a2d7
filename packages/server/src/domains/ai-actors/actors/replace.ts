import type { AiActor, AiActorChange } from '@svc/contract';
import { conflict } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertVersion } from '../../projects/index.ts';
import { recordActorEvent } from '../audit.ts';
import { updateActor } from '../store.ts';
import { lockManagedActor } from './access.ts';
import type { AiActorsDeps } from './deps.ts';
import { readActor } from './read.ts';
import { settingsOf } from './settings.ts';

/** Replaces the settings of an actor. */
export const createReplaceActor =
  (deps: Pick<AiActorsDeps, 'database' | 'rights' | 'schedules' | 'starting' | 'audit'>) =>
  (
    by: CallerActor,
    { id, version }: { readonly id: number; readonly version: number | undefined },
    input: AiActorChange,
  ): Promise<AiActor> =>
    deps.database.transaction(async (tx) => {
      const before = await lockManagedActor(deps, tx, by.caller, id);
      assertVersion(before.version, version);
      if (before.state === 'Archived') throw conflict('actor-not-active', 'This actor is archived.');
      const settings = await settingsOf(deps, tx, by.caller, input, before);
      await updateActor(tx, id, settings);
      await deps.starting.setSchedule(tx, { id, state: before.state, ...settings });
      const { requiresApproval } = settings;
      const detail = requiresApproval === before.requiresApproval ? {} : { requiresApproval };
      await recordActorEvent(deps.audit, tx, by, 'actor_changed', before, detail);
      return readActor(deps, tx, by.caller, id);
    });
