import type { applyDefinitions, BodyOf, DefinitionOutcome, DefinitionResult } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { changedMeanwhile, HttpProblem } from '../../../platform/http/index.ts';
import type { JsonObject } from '../../../platform/yaml/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import { keyOf } from '../files/path.ts';
import type { AnyKind, Change, Input, LiveRecord } from '../kinds/kind.ts';
import { recordRelease } from '../release.ts';
import { putSlug } from '../slug-store.ts';
import { findManaged, releaseManaged, saveManaged } from '../store.ts';
import { type Directory, openDirectory, targetOf, unknownReference, wordsOf } from './directory.ts';
import { appliedOf, secretsOf } from './managed.ts';
import {
  changeOf,
  type Live,
  type PlanDeps,
  type Planned,
  type PlannedStep,
  projectIdOf,
  readLive,
} from './plan.ts';

export type ApplyDeps = PlanDeps & { readonly audit: Audit };

type Applying = ApplyDeps & {
  readonly by: CallerActor;
  readonly manager: string;
  /** Applied records can afterwards change through their files only. */
  readonly managed: boolean;
  readonly directory: Directory;
  /** Records at the start of the apply. */
  readonly live: Live;
  readonly secret: (name: string) => string | undefined;
};

type Outcome = Pick<DefinitionResult, 'outcome' | 'code' | 'detail' | 'members'>;

const outcome = (word: DefinitionOutcome): Outcome => ({
  outcome: word,
  code: null,
  detail: null,
  members: [],
});

/** Applies the steps of a plan in order, each in its own transaction. A failed step skips its dependent steps. */
export async function applySteps(
  deps: ApplyDeps,
  { caller, clientAddress, traceId }: CallerActor,
  { manager, managed, steps }: Planned,
  { secrets = {} }: Pick<BodyOf<typeof applyDefinitions>, 'secrets'>,
): Promise<DefinitionResult[]> {
  const by: CallerActor = {
    caller,
    manager,
    ...(clientAddress !== undefined && { clientAddress }),
    ...(traceId !== undefined && { traceId }),
  };
  const directory = await openDirectory(deps, caller);
  const secret = (name: string) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined);
  const live = await readLive(deps, caller, directory, steps);
  const applying: Applying = { ...deps, by, manager, managed, directory, live, secret };
  const absent = new Set<string>();
  const deleted = new Set<string>();
  const results: DefinitionResult[] = [];
  for (const step of steps) {
    const done = await applyStep(applying, step, absent, deleted);
    const failed = done.outcome === 'Failed' || done.outcome === 'Skipped';
    // An existing record remains a valid reference even when the caller may not change it.
    if (failed || (done.outcome === 'NotAllowed' && step.id === null)) absent.add(keyOf(step));
    if (step.action === 'Delete' && done.outcome === 'Done') deleted.add(keyOf(step));
    const { path, kind, project, slug, action } = step;
    results.push({ path, kind, project, slug, action, ...done });
  }
  return results;
}

async function applyStep(
  applying: Applying,
  step: PlannedStep,
  absent: ReadonlySet<string>,
  deleted: ReadonlySet<string>,
): Promise<Outcome> {
  switch (step.action) {
    case 'Orphaned':
      return applying.managed ? attempt(() => release(applying, step)) : outcome('Nothing');
    case 'NotDeletable':
      return outcome('Nothing');
    case 'NotAllowed':
      return { ...outcome('NotAllowed'), detail: step.reason };
    case 'AwaitsApproval':
      return outcome('AwaitsApproval');
    case 'Unchanged':
      return attempt(() => adopt(applying, step));
    case 'Delete':
      return attempt(() => remove(applying, step, deleted));
    case 'Create':
    case 'Update':
    case 'Drifted':
    case 'Replace':
      return step.dependsOn.some((key) => absent.has(key))
        ? outcome('Skipped')
        : attempt(() => write(applying, step));
  }
}

/** Converts a refusal to an outcome. Any other error aborts the apply. */
async function attempt(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.status >= 500) throw error;
    // The record refers to a query that waits for approval, so it waits too.
    const word = error.code === 'query-not-approved' ? 'AwaitsApproval' : 'Failed';
    return {
      ...outcome(word),
      code: error.code ?? null,
      detail: error.detail ?? error.title,
      members: [...(error.errors ?? [])],
    };
  }
}

/** Records the manager of an unchanged record, unless another manager has it. */
async function adopt(applying: Applying, step: PlannedStep): Promise<Outcome> {
  const { database } = applying;
  const { id, definition } = step;
  if (id === null || definition === null) return outcome('Nothing');
  const row = await findManaged(database, step.kind, id);
  if (row && row.manager !== applying.manager) return outcome('Nothing');
  const change = { before: definition, after: definition, members: ['/name'] };
  const liveRecord = plannedRecord(applying, step);
  if ((await refusalOf(applying, step, change, liveRecord)) !== undefined) return outcome('Nothing');
  await database.transaction((tx) => note(applying, step, definition, tx, id));
  return outcome('Nothing');
}

/** Allows edits by hand of a record that no file defines any more, when the caller may change it. */
async function release(applying: Applying, step: PlannedStep): Promise<Outcome> {
  const { database, audit, by, manager } = applying;
  const { id, kind } = step;
  const liveRecord = id === null ? undefined : plannedRecord(applying, step);
  const row = liveRecord && (await findManaged(database, kind, liveRecord.id));
  if (!liveRecord || !row?.isManaged || row.manager !== manager) return outcome('Nothing');
  const change = { before: liveRecord.definition, after: liveRecord.definition, members: ['/name'] };
  const reason = await refusalOf(applying, step, change, liveRecord);
  if (reason !== undefined) return { ...outcome('NotAllowed'), detail: reason };
  const projectId = projectIdOf(step, liveRecord, applying.directory);
  await database.transaction(async (tx) => {
    if (await releaseManaged(tx, kind, liveRecord.id))
      await recordRelease(tx, audit, by, { kind, id: liveRecord.id, projectId });
  });
  return outcome('Released');
}

/** Stores the slug and the applied state of a record. */
async function note(
  { kindOf, keys, manager, managed, secret, directory }: Applying,
  step: PlannedStep,
  definition: JsonObject,
  tx: Tx,
  id: number,
): Promise<void> {
  const { kind, slug, project } = step;
  const projectId =
    project === null ? null : (directory.find({ kind: 'Project', project: null, slug: project }) ?? null);
  if (!(await putSlug(tx, { kind, id, projectId, slug }))) throw changedMeanwhile();
  const row = await findManaged(tx, kind, id);
  await saveManaged(tx, {
    kind,
    id,
    manager,
    isManaged: managed,
    applied: appliedOf(keys, definition),
    secrets: secretsOf(keys, kindOf(kind), definition, secret, row?.secrets),
  });
}

/**
 * Returns the record in its planned state.
 *
 * @throws Refusal `changed-meanwhile` when it has changed since.
 */
function plannedRecord({ live }: Applying, step: PlannedStep): LiveRecord<JsonObject> | undefined {
  const liveRecord = live.get(keyOf(step));
  if (liveRecord?.id !== (step.id ?? undefined) || liveRecord?.version !== (step.version ?? undefined))
    throw changedMeanwhile();
  return liveRecord;
}

/** Returns the reason why the caller may not make the change. Roles and records may have changed since the plan. */
const refusalOf = (
  { refusalOf, kindOf, by, directory }: Applying,
  step: PlannedStep,
  change: Change<JsonObject>,
  liveRecord: LiveRecord<JsonObject> | undefined,
): Promise<string | undefined> =>
  refusalOf(by.caller, kindOf(step.kind), change, projectIdOf(step, liveRecord, directory));

async function write(applying: Applying, step: PlannedStep): Promise<Outcome> {
  const { database, kindOf, by, directory } = applying;
  const { definition } = step;
  if (definition === null) throw new Error('A step that writes has a definition.');
  const kind = kindOf(step.kind);
  const liveRecord = plannedRecord(applying, step);
  const row = liveRecord && (await findManaged(database, step.kind, liveRecord.id));
  const change = changeOf(applying, kind, definition, liveRecord, row);
  const reason = await refusalOf(applying, step, change, liveRecord);
  if (reason !== undefined) return { ...outcome('NotAllowed'), detail: reason };
  let noted: number | undefined;
  const input: Input<JsonObject> = {
    definition,
    before: change.before,
    members: step.members,
    projectId: projectIdOf(step, liveRecord, directory),
    idOf: (referred, slug) => {
      const id = directory.find(targetOf({ kind: referred, slug }, step.project));
      if (id !== undefined) return id;
      throw unknownReference([
        { path: step.path, message: `names the ${wordsOf[referred]} ${slug}, which is nowhere` },
      ]);
    },
    secret: applying.secret,
    within: async (tx, id) => {
      await note(applying, step, definition, tx, id);
      noted = id;
    },
  };
  const { isWaiting } = await perform(kind, by, step, input);
  if (noted === undefined && step.id !== null) {
    const { id } = step;
    await database.transaction((tx) => note(applying, step, definition, tx, id));
  }
  if (noted !== undefined) directory.add(step, noted);
  return outcome(isWaiting ? 'AwaitsApproval' : 'Done');
}

function perform(kind: AnyKind, by: CallerActor, step: PlannedStep, input: Input<JsonObject>) {
  const { id, version } = step;
  if (id === null || version === null) return kind.create(by, input);
  const target = { id, version };
  return step.action === 'Replace' && kind.replace
    ? kind.replace(by, target, input)
    : kind.update(by, target, input);
}

async function remove(applying: Applying, step: PlannedStep, deleted: ReadonlySet<string>): Promise<Outcome> {
  const { id, version, dependsOn } = step;
  // The deletion of the project also deletes this record.
  const [project] = dependsOn;
  if (project !== undefined) return outcome(deleted.has(project) ? 'Done' : 'Skipped');
  const liveRecord = plannedRecord(applying, step);
  if (id === null || version === null || !liveRecord) return outcome('Nothing');
  const change = { before: liveRecord.definition, after: null, members: [] };
  const reason = await refusalOf(applying, step, change, liveRecord);
  if (reason !== undefined) return { ...outcome('NotAllowed'), detail: reason };
  await applying.kindOf(step.kind).remove(applying.by, { id, version });
  return outcome('Done');
}
