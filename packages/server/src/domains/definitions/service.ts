import { randomUUID } from 'node:crypto';
import type {
  applyDefinitions,
  BodyOf,
  DefinitionKind,
  DefinitionObject,
  DefinitionPlan,
  DefinitionResult,
  Endpoint,
  exportDefinitions,
  planDefinitions,
  SluggedKind,
} from '@svc/contract';
import * as contract from '@svc/contract';
import { plural } from '@svc/contract';
import { accessRefusal, type Caller, identityOf } from '../../platform/access/index.ts';
import { open, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { conflict, forbidden, notFound } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { type Export, exportFiles } from './export.ts';
import { applySteps } from './planning/apply.ts';
import { seesKind } from './planning/directory.ts';
import { type PlanDeps, type Planned, planFiles } from './planning/plan.ts';
import { recordRelease, subjects } from './release.ts';
import { findRecord, findSlug, putSlug } from './slug-store.ts';
import { deleteOldPlans, findManaged, findPlan, insertPlan, releaseManaged, takePlan } from './store.ts';

export type DefinitionsDeps = PlanDeps & { readonly audit: Audit; readonly random: Randomness };

export type DefinitionsService = ReturnType<typeof createDefinitionsService>;

/** Share of the manager's records that a plan may delete. A larger share requires `force`. */
const deletedShareMax = 0.2;

const updates: Readonly<Record<SluggedKind, Endpoint>> = {
  DataSource: contract.updateDataSource,
  Recipient: contract.updateRecipient,
  MigrationJob: contract.updateMigrationJob,
  Project: contract.updateProject,
  Query: contract.updateQuery,
  Contract: contract.replaceDataContract,
  Subscription: contract.updateSubscription,
};

/** Creates the service that exports, plans and applies records as files, through the services of their domains. */
export function createDefinitionsService(deps: DefinitionsDeps) {
  const { database, keys, random, audit, rights, kindOf } = deps;
  const placeOf = (id: string) => ({ table: 'definition_plans', column: 'plan_sealed', rowId: id });

  const keep = (id: string, caller: Caller, plan: Planned): Promise<Date> =>
    database.transaction((tx) =>
      insertPlan(tx, {
        id,
        caller: ownerOf(caller),
        sealed: seal(keys, JSON.stringify(plan), placeOf(id), random),
      }),
    );

  const planOf = async (caller: Caller, id: string): Promise<Planned> => {
    const kept = await findPlan(database, id, ownerOf(caller));
    if (!kept) throw notFound();
    const opened = open(keys, kept.sealed, placeOf(id));
    if (!opened.ok) throw notFound();
    // Only `keep` writes plans.
    return JSON.parse(opened.secret.reveal()) as Planned;
  };

  /** Returns the record when it is visible to the caller. */
  const seen = async (executor: Executor, caller: Caller, kind: DefinitionKind, id: number) => {
    if (!seesKind(kindOf(kind), caller)) throw notFound();
    const record = await findRecord(executor, kind, id);
    if (!record) throw notFound();
    const projectId = kind === 'Project' ? id : record.projectId;
    // A caller who sees MCP settings sees the settings of every project.
    if (projectId !== null && kind !== 'McpProjectSettings')
      await rights.require(executor, caller, projectId, 'Read');
    if (kind === 'DataSource' && !(await deps.visibleSources(caller)).has(id)) throw notFound();
    return { ...record, projectId };
  };

  const present = async (kind: DefinitionKind, id: number): Promise<DefinitionObject> => {
    const slug = await findSlug(database, kind, id);
    if (slug === undefined) throw notFound();
    const managed = await findManaged(database, kind, id);
    return {
      kind,
      id,
      slug,
      manager: managed?.manager ?? null,
      appliedAt: managed?.appliedAt.toISOString() ?? null,
      isManaged: managed?.isManaged ?? false,
    };
  };

  return {
    /** Returns the JSON Schemas of the files. */
    schemas: (): Record<string, Record<string, unknown>> =>
      Object.fromEntries(
        contract.definitionKinds.map((kind) => [
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
      const expiresAt = await keep(planId, caller, planned);
      return {
        planId,
        expiresAt: expiresAt.toISOString(),
        steps: planned.steps.map(
          ({ id: _id, version: _version, definition: _definition, dependsOn: _needs, ...step }) => step,
        ),
      };
    },

    apply: async (
      by: CallerActor,
      { planId, secrets, force = false }: BodyOf<typeof applyDefinitions>,
    ): Promise<{ results: DefinitionResult[] }> => {
      const planned = await planOf(by.caller, planId);
      const deletions = planned.steps.filter(({ action }) => action === 'Delete').length;
      if (!force && deletions > planned.managedCount * deletedShareMax)
        throw conflict(
          'too-many-deletions',
          `The plan deletes ${deletions} of the ${plural(planned.managedCount, 'record')} that were applied from these files. Apply it with force where that is right.`,
        );
      if (!(await takePlan(database, planId)))
        throw conflict('plan-applied', 'This plan was applied already. Plan again.');
      const results = await applySteps(deps, by, planned, { ...(secrets && { secrets }) });
      const count = (outcome: DefinitionResult['outcome']) =>
        results.filter((result) => result.outcome === outcome).length;
      await audit.record(database, {
        event: 'definitions.plan_applied',
        by,
        detail: {
          manager: planned.manager,
          managed: planned.managed,
          done: count('Done'),
          awaitingApproval: count('AwaitsApproval'),
          failed: count('Failed') + count('Skipped'),
          notAllowed: count('NotAllowed'),
        },
      });
      return { results };
    },

    get: async (caller: Caller, kind: DefinitionKind, id: number): Promise<DefinitionObject> => {
      if (await isUnsetSettings(database, kind, id, seesKind(kindOf(kind), caller)))
        return { kind, id, slug: slugOfSettings(kind), manager: null, appliedAt: null, isManaged: false };
      await seen(database, caller, kind, id);
      return present(kind, id);
    },

    /** Changes the slug. Requires permission to change the record. */
    changeSlug: async (
      by: CallerActor,
      kind: SluggedKind,
      id: number,
      slug: string,
    ): Promise<DefinitionObject> => {
      const refusal = accessRefusal(updates[kind].access, by.caller);
      const before = await seen(database, by.caller, kind, id).then(() => present(kind, id));
      if (refusal) throw forbidden('permission-required', refusal.detail ?? refusal.title);
      if (before.slug === slug) return before;
      await database.transaction(async (tx) => {
        const record = await seen(tx, by.caller, kind, id);
        if (record.projectId !== null) await rights.require(tx, by.caller, record.projectId, 'Write');
        await assertUnmanaged(tx, by, kind, id);
        const projectId = kind === 'Project' ? null : record.projectId;
        if (!(await putSlug(tx, { kind, id, projectId, slug })))
          throw conflict('slug-taken', 'Another record of this kind has this slug.', [
            { path: '/slug', message: 'is taken' },
          ]);
        await audit.record(tx, {
          event: 'definitions.slug_changed',
          by,
          subject: { kind: subjects[kind], id },
          ...(record.projectId !== null && { projectId: record.projectId }),
          detail: { slug, slugBefore: before.slug },
        });
      });
      return present(kind, id);
    },

    /** Allows edits of a managed record by hand, until its folder manages it again. */
    release: async (by: CallerActor, kind: DefinitionKind, id: number): Promise<DefinitionObject> => {
      const { projectId } = await seen(database, by.caller, kind, id);
      await database.transaction(async (tx) => {
        if (await releaseManaged(tx, kind, id)) await recordRelease(tx, audit, by, { kind, id, projectId });
      });
      return present(kind, id);
    },

    sweep: (): Promise<void> => deleteOldPlans(database),
  };
}

const slugOfSettings = (kind: DefinitionKind): string => (kind === 'Settings' ? 'service' : 'mcp');

/**
 * Returns true for settings without a stored value. They exist for every caller who sees them, but are no record yet.
 */
async function isUnsetSettings(
  executor: Executor,
  kind: DefinitionKind,
  id: number,
  isSeen: boolean,
): Promise<boolean> {
  if (!isSeen || !contract.settingsKinds.some((each) => each === kind)) return false;
  if (await findRecord(executor, kind, id)) return false;
  return kind === 'McpProjectSettings' ? (await findRecord(executor, 'Project', id)) !== undefined : id === 1;
}

/** Returns the identity of the caller. Every caller who passes the gates has one. */
function ownerOf(caller: Caller): string {
  const owner = identityOf(caller);
  if (owner === undefined) throw notFound();
  return owner;
}
