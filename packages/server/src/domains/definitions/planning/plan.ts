import type {
  BodyOf,
  DefinitionAction,
  DefinitionKind,
  DefinitionStep,
  planDefinitions,
} from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { KeyRing } from '../../../platform/crypto/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import type { JsonObject } from '../../../platform/yaml/index.ts';
import { managedRefusal } from '../../managed-records/index.ts';
import { differingMembers } from '../difference.ts';
import { keyOf, type Place, pathOf } from '../files/path.ts';
import { type DefinedRecord, readFiles } from '../files/read.ts';
import type { AnyKind, Change, LiveRecord } from '../kinds/kind.ts';
import { listManaged, type ManagedRow } from '../store.ts';
import type { Admission } from './admission.ts';
import {
  type Directory,
  type DirectoryDeps,
  isInProject,
  openDirectory,
  rankOf,
  targetOf,
  unknownReference,
  wordsOf,
} from './directory.ts';
import { changedSecrets, driftedMembers } from './managed.ts';

/** A step with the data that its application needs. */
export type PlannedStep = DefinitionStep & {
  /** Null for a new record. */
  readonly id: number | null;
  readonly version: number | null;
  /** Null for a deletion. */
  readonly definition: JsonObject | null;
  /** Keys of the records that it depends on. */
  readonly dependsOn: readonly string[];
};

/** Data stored between planning and applying. */
export type Planned = {
  readonly manager: string;
  /** Applied records can afterwards change through their files only. */
  readonly managed: boolean;
  /** Records of the manager at the time of the plan. */
  readonly managedCount: number;
  readonly steps: readonly PlannedStep[];
};

export type PlanDeps = Omit<DirectoryDeps, 'kindOf'> & {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly kindOf: (name: DefinitionKind) => AnyKind;
  readonly refusalOf: Admission;
};

export type Live = ReadonlyMap<string, LiveRecord<JsonObject>>;
type Managed = ReadonlyMap<string, ManagedRow>;

/** Inputs of all steps. */
type PlanContext = PlanDeps & {
  readonly caller: Caller;
  readonly manager: string;
  readonly isManaged: boolean;
  readonly directory: Directory;
  readonly live: Live;
  readonly managed: Managed;
  readonly secret: (name: string) => string | undefined;
};

type PlanBody = BodyOf<typeof planDefinitions>;

/** Returns the changes that files would make. Writes nothing; the steps contain no secret values. */
export async function planFiles(
  deps: PlanDeps,
  caller: Caller,
  { files, manager = 'default', managed: isManaged = false, prune = false, secrets = {} }: PlanBody,
): Promise<Planned> {
  const records = await readFiles(files, deps.kindOf);
  const directory = await openDirectory(deps, caller);
  refuseUnknown(deps, records, directory);
  const managed = new Map((await listManaged(deps.database)).map((row) => [`${row.kind} ${row.id}`, row]));
  const own = [...managed.values()].filter(
    (row) => row.manager === manager && directory.placeOf(row.kind, row.id) !== undefined,
  );
  const ownPlaces = own.flatMap((row) => directory.placeOf(row.kind, row.id) ?? []);
  const live = await readLive(deps, caller, directory, [...records, ...ownPlaces]);
  const secret = (name: string) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined);
  const context: PlanContext = { ...deps, caller, manager, isManaged, directory, live, managed, secret };
  const made: PlannedStep[] = [];
  for (const record of sorted(records)) made.push(await stepFor(context, record, made));
  const gone = await stepsForOrphans(context, records, own, prune);
  return { manager, managed: isManaged, managedCount: own.length, steps: [...made, ...gone] };
}

const sorted = (records: readonly DefinedRecord[]): DefinedRecord[] =>
  records.toSorted(
    (left, right) => rankOf(left.kind) - rankOf(right.kind) || (left.path < right.path ? -1 : 1),
  );

/** @throws Refusal 400 when a record refers to a missing record or belongs to a missing project. */
function refuseUnknown({ kindOf }: PlanDeps, records: readonly DefinedRecord[], directory: Directory): void {
  const defined = new Set(records.map(keyOf));
  const isThere = (place: Place): boolean => defined.has(keyOf(place)) || directory.find(place) !== undefined;
  const faults = records.flatMap((record) => {
    const { project } = record;
    if (project !== null && !isThere({ kind: 'Project', project: null, slug: project }))
      return [{ path: record.path, message: `stands in the project ${project}, which is nowhere` }];
    return kindOf(record.kind)
      .references(record.definition)
      .filter((reference) => !isThere(targetOf(reference, project)))
      .map(({ kind, slug, pointer }) => ({
        path: `${record.path}#${pointer}`,
        message: `names the ${wordsOf[kind]} ${slug}, which is nowhere`,
      }));
  });
  if (faults.length > 0) throw unknownReference(faults);
}

/** Reads the records of the kinds and projects of the given places, by key. */
export async function readLive(
  { kindOf }: Pick<PlanDeps, 'kindOf'>,
  caller: Caller,
  directory: Directory,
  places: readonly Place[],
): Promise<Live> {
  const kinds = new Set(places.map(({ kind }) => kind));
  const named = new Set(places.map(({ kind, slug, project }) => (kind === 'Project' ? slug : project)));
  const projects = directory.projects.filter(({ slug }) => named.has(slug));
  const live = new Map<string, LiveRecord<JsonObject>>();
  for (const kind of kinds)
    for (const record of await kindOf(kind).list(caller, projects, directory.slugOf)) {
      const place = directory.placeOf(kind, record.id);
      if (place) live.set(keyOf(place), record);
    }
  return live;
}

async function stepFor(
  context: PlanContext,
  record: DefinedRecord,
  before: readonly PlannedStep[],
): Promise<PlannedStep> {
  const { kindOf, live, managed, directory, caller } = context;
  const kind = kindOf(record.kind);
  const liveRecord = live.get(keyOf(record));
  const row = liveRecord && managed.get(`${record.kind} ${liveRecord.id}`);
  const change = changeOf(context, kind, record.definition, liveRecord, row);
  const dependsOn = [
    ...(record.project === null ? [] : [keyOf({ kind: 'Project', project: null, slug: record.project })]),
    ...kind.references(record.definition).map((each) => keyOf(targetOf(each, record.project))),
  ];
  const shared = {
    path: record.path,
    kind: record.kind,
    project: record.project,
    slug: record.slug,
    members: [...change.members],
    definition: record.definition,
    dependsOn: [...new Set(dependsOn)],
    id: liveRecord?.id ?? null,
    version: liveRecord?.version ?? null,
  };
  const nothing = { needsApproval: false, needsSecrets: [], reason: null };
  const action = actionOf(context, kind, change, liveRecord, row);
  if (action === 'Unchanged' || action === 'AwaitsApproval') return { ...shared, ...nothing, action };
  const project =
    record.project === null ? undefined : { kind: 'Project' as const, project: null, slug: record.project };
  const reason =
    (liveRecord?.definition === null ? 'You may not read all of the record.' : undefined) ??
    refusedProject(project, before) ??
    (row?.isManaged && row.manager !== context.manager ? managedRefusal(row.manager) : undefined) ??
    (await context.refusalOf(caller, kind, change, projectIdOf(record, liveRecord, directory)));
  if (reason !== undefined) return { ...shared, ...nothing, action: 'NotAllowed', reason };
  return {
    ...shared,
    action,
    reason: null,
    needsApproval: kind.needsApproval(caller, change),
    needsSecrets: [...new Set(kind.neededSecrets(change).map(({ name }) => name))],
  };
}

/** Returns null for a project that the same plan creates: its creator manages it. */
export const projectIdOf = (
  { kind, project }: Place,
  liveRecord: LiveRecord<JsonObject> | undefined,
  directory: Directory,
): number | null => {
  if (kind === 'Project') return liveRecord?.id ?? null;
  return project === null
    ? null
    : (directory.find({ kind: 'Project', project: null, slug: project }) ?? null);
};

/** Returns the refusal for records in a project that the caller may not create. */
const refusedProject = (project: Place | undefined, before: readonly PlannedStep[]): string | undefined => {
  const step = project && before.find((each) => keyOf(each) === keyOf(project));
  return step?.action === 'NotAllowed' && step.id === null ? 'Its project may not be made.' : undefined;
};

/** Returns the change from the current state of a record to its definition. */
export function changeOf(
  { keys, secret }: Pick<PlanContext, 'keys' | 'secret'>,
  kind: AnyKind,
  after: JsonObject,
  liveRecord: LiveRecord<JsonObject> | undefined,
  row: ManagedRow | undefined,
): Change<JsonObject> {
  const before = liveRecord?.definition ?? null;
  if (before === null) return { before, after, members: [] };
  // Names of secrets differ between files. A different name is no change.
  const names = new Map(kind.secrets(after).map(({ name, pointer }) => [pointer, name]));
  const renamed = kind.withSecretNames(before, (pointer) => names.get(pointer));
  const members = differingMembers(renamed, after);
  const rotated = changedSecrets(keys, kind, after, secret, row?.secrets);
  return { before, after, members: [...new Set([...members, ...rotated])] };
}

function actionOf(
  { keys, manager }: PlanContext,
  kind: AnyKind,
  { after, members }: Change<JsonObject>,
  liveRecord: LiveRecord<JsonObject> | undefined,
  row: ManagedRow | undefined,
): DefinitionAction {
  if (!liveRecord) return 'Create';
  if (liveRecord.definition === null) return 'Update';
  if (members.length === 0) return liveRecord.isWaiting ? 'AwaitsApproval' : 'Unchanged';
  if (liveRecord.waiting && differingMembers(liveRecord.waiting, after ?? undefined).length === 0)
    return 'AwaitsApproval';
  if (kind.isReplacing?.(members)) return 'Replace';
  const isDrifted =
    row?.manager === manager &&
    driftedMembers(keys, row.applied, named(kind, liveRecord.definition, row)).length > 0;
  return isDrifted ? 'Drifted' : 'Update';
}

/** Returns a live definition with the applied names of its secrets. */
export const named = (kind: AnyKind, definition: JsonObject, row: ManagedRow | undefined): JsonObject =>
  row ? kind.withSecretNames(definition, (pointer) => row.secrets[pointer]?.name) : definition;

/** Returns steps for applied records that no file defines any more. A record precedes the records that it refers to. */
async function stepsForOrphans(
  context: PlanContext,
  records: readonly DefinedRecord[],
  own: readonly ManagedRow[],
  prune: boolean,
): Promise<PlannedStep[]> {
  const { directory } = context;
  const defined = new Set(records.map(keyOf));
  const orphans = own
    .flatMap((row) => directory.placeOf(row.kind, row.id) ?? [])
    .filter((place) => !defined.has(keyOf(place)))
    .toSorted(
      (left, right) => rankOf(left.kind) - rankOf(right.kind) || (pathOf(left) < pathOf(right) ? -1 : 1),
    );
  const keys = new Set(orphans.map(keyOf));
  const isWhole = (project: string): boolean =>
    directory.placesIn(project).every((place) => keys.has(keyOf(place)));
  const steps: PlannedStep[] = [];
  // Projects come first here, because a deletion of a project also deletes its records.
  for (const place of orphans)
    steps.push(await orphanStep(context, place, { prune, isWhole, before: steps }));
  return steps.toSorted((left, right) => goingRank(right) - goingRank(left));
}

/** Orders deletions: a record precedes the records that it refers to, and a deleted project precedes its records. */
const goingRank = ({ kind, dependsOn }: PlannedStep): number =>
  dependsOn.length > 0 ? rankOf('Project') - 0.5 : rankOf(kind);

type Going = {
  readonly prune: boolean;
  /** Returns true when all records of a project are orphans of the manager. */
  readonly isWhole: (project: string) => boolean;
  readonly before: readonly PlannedStep[];
};

async function orphanStep(
  { kindOf, live, managed, isManaged, directory, caller, refusalOf }: PlanContext,
  place: Place,
  { prune, isWhole, before }: Going,
): Promise<PlannedStep> {
  const liveRecord = live.get(keyOf(place));
  const kind = kindOf(place.kind);
  const step = (action: DefinitionAction, reason: string | null = null): PlannedStep => ({
    path: pathOf(place),
    kind: place.kind,
    project: place.project,
    slug: place.slug,
    action,
    reason,
    members: [],
    needsApproval: false,
    needsSecrets: [],
    definition: null,
    dependsOn: [],
    id: liveRecord?.id ?? null,
    version: liveRecord?.version ?? null,
  });
  if (!prune || !liveRecord) {
    const isReleased = isManaged && liveRecord && managed.get(`${place.kind} ${liveRecord.id}`)?.isManaged;
    return step('Orphaned', isReleased ? 'Applying gives it back: it may be changed by hand again.' : null);
  }
  const project = { kind: 'Project' as const, project: null, slug: place.project ?? '' };
  const goesWithProject =
    isInProject(place.kind) &&
    before.some((each) => each.action === 'Delete' && keyOf(each) === keyOf(project));
  if (goesWithProject) return { ...step('Delete'), dependsOn: [keyOf(project)] };
  if (place.kind === 'Project' && !isWhole(place.slug))
    return step('NotDeletable', 'The project holds records that were not applied from these files.');
  const change = { before: liveRecord.definition, after: null, members: [] };
  if (kind.endpoints(change) === null)
    return step('NotDeletable', `A ${wordsOf[place.kind]} is not deleted: only its project is.`);
  const reason = await refusalOf(caller, kind, change, projectIdOf(place, liveRecord, directory));
  return reason === undefined ? step('Delete') : step('NotAllowed', reason);
}
