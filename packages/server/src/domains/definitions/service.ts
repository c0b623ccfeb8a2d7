import { randomUUID } from 'node:crypto';
import type {
  applyDefinitions,
  BodyOf,
  DefinitionKind,
  DefinitionObject,
  DefinitionPlan,
  exportDefinitions,
  planDefinitions,
  SluggedKind,
} from '@svc/contract';
import { definitionKinds } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Randomness } from '../../platform/crypto/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { applyPlan } from './apply-plan.ts';
import { changeSlug } from './change-slug.ts';
import { type Export, exportFiles } from './export.ts';
import { seesKind } from './planning/directory.ts';
import { type PlanDeps, planFiles } from './planning/plan.ts';
import { recordRelease } from './release.ts';
import { deleteOldPlans, releaseManaged } from './store.ts';
import { storePlan } from './stored-plans.ts';
import { isUnsetSettings, readObject, requireVisible, unsetObject } from './visible-record.ts';

export type DefinitionsDeps = PlanDeps & { readonly audit: Audit; readonly random: Randomness };

export type DefinitionsService = ReturnType<typeof createDefinitionsService>;

/** Creates the service that exports, plans and applies records as files, through the services of their domains. */
export function createDefinitionsService(deps: DefinitionsDeps) {
  const { database, audit, kindOf } = deps;
  return {
    /** Returns the JSON Schemas of the files. */
    schemas: (): Record<string, Record<string, unknown>> =>
      Object.fromEntries(
        definitionKinds.map((kind) => [
          kind,
          {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            // The cast removes the schema's static type: a JSON Schema is a JSON value.
            ...(JSON.parse(JSON.stringify(kindOf(kind).schema)) as Record<string, unknown>),
          },
        ]),
      ),

    export: (caller: Caller, body: BodyOf<typeof exportDefinitions>): Promise<Export> =>
      exportFiles(deps, caller, body),

    plan: async (caller: Caller, body: BodyOf<typeof planDefinitions>): Promise<DefinitionPlan> => {
      const planned = await planFiles(deps, caller, body);
      const planId = randomUUID();
      const expiresAt = await storePlan(deps, planId, caller, planned);
      return {
        planId,
        expiresAt: expiresAt.toISOString(),
        steps: planned.steps.map(
          ({ id: _id, version: _version, definition: _definition, dependsOn: _needs, ...step }) => step,
        ),
      };
    },

    apply: (by: CallerActor, body: BodyOf<typeof applyDefinitions>) => applyPlan(deps, by, body),

    get: async (caller: Caller, kind: DefinitionKind, id: number): Promise<DefinitionObject> => {
      if (await isUnsetSettings(database, kind, id, seesKind(kindOf(kind), caller)))
        return unsetObject(kind, id);
      await requireVisible(deps, database, caller, kind, id);
      return readObject(database, kind, id);
    },

    /** Changes the slug. Requires permission to change the record. */
    changeSlug: (by: CallerActor, kind: SluggedKind, id: number, slug: string) =>
      changeSlug(deps, by, kind, id, slug),

    /** Allows edits of a managed record by hand, until its folder manages it again. */
    release: async (by: CallerActor, kind: DefinitionKind, id: number): Promise<DefinitionObject> => {
      const { projectId } = await requireVisible(deps, database, by.caller, kind, id);
      await database.transaction(async (tx) => {
        if (await releaseManaged(tx, kind, id)) await recordRelease(tx, audit, by, { kind, id, projectId });
      });
      return readObject(database, kind, id);
    },

    sweep: (): Promise<void> => deleteOldPlans(database),
  };
}
