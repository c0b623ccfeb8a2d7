import type { AiActor } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { requireActor } from './actors/access.ts';
import { createChangeOwner } from './actors/change-owner.ts';
import { createCreateActor } from './actors/create.ts';
import type { AiActorsDeps } from './actors/deps.ts';
import { createRefine, createThinkNow } from './actors/order-think.ts';
import { createListActors, createListThinks, readActor } from './actors/read.ts';
import { createReplaceActor } from './actors/replace.ts';
import { createArchive, createChangeState } from './actors/state.ts';

export type AiActorsService = ReturnType<typeof createAiActorsService>;

/** Manages AI actors: their owners, their limits, and the schedule of their thinks. */
export const createAiActorsService = (deps: AiActorsDeps) => ({
  /** Returns the actor if the caller has read access to its project. */
  reach: (caller: Caller, id: number) => requireActor(deps, deps.database, caller, id),
  get: (caller: Caller, id: number): Promise<AiActor> => readActor(deps, deps.database, caller, id),
  list: createListActors(deps),
  create: createCreateActor(deps),
  replace: createReplaceActor(deps),
  archive: createArchive(deps),
  pause: createChangeState(deps, 'pause'),
  resume: createChangeState(deps, 'resume'),
  think: createThinkNow(deps),
  refine: createRefine(deps),
  thinks: createListThinks(deps),
  changeOwner: createChangeOwner(deps),
});
