import { systemCaller } from '../../../../platform/access/index.ts';
import type { Tx } from '../../../../platform/db/index.ts';
import type { Audit } from '../../../audit/index.ts';
import type { TellResponsible } from '../../../notices/index.ts';
import { recordActorEvent } from '../../audit.ts';
import { type ActorRow, setActorState } from '../../store.ts';
import type { StartThinking } from '../start.ts';

export type StopDeps = {
  readonly audit: Audit;
  readonly starting: Pick<StartThinking, 'setSchedule'>;
  readonly tellResponsible: TellResponsible;
};

const system = { caller: systemCaller } as const;

/** Fails or pauses an actor and notifies the users who are responsible for it. */
export async function stopActor(
  deps: StopDeps,
  tx: Tx,
  actor: ActorRow,
  state: 'Failed' | 'Paused',
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  await setActorState(tx, actor.id, state);
  await deps.starting.setSchedule(tx, { ...actor, state });
  const event = state === 'Failed' ? 'actor_failed' : 'actor_paused';
  await recordActorEvent(deps.audit, tx, system, event, actor, { by: 'service', ...facts });
  await deps.tellResponsible(tx, {
    kind: state === 'Failed' ? 'ActorFailed' : 'ActorPaused',
    subject: { kind: 'AiActor', id: actor.id },
    runId: null,
    facts,
    isRepetition: false,
  });
}
