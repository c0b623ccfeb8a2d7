import { type DefinitionKind, definitionKinds } from '@svc/contract';
import { accessRefusal, type Caller } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { badRequest } from '../../../platform/http/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import { keyOf, type Place } from '../files/path.ts';
import type { AnyKind, ProjectScope, SlugOf } from '../kinds/kind.ts';
import { readSlugs, type SluggedRecord } from '../slug-store.ts';

/** Visible records of a caller, by their names in files. */
export type Directory = {
  /** Projects that the caller can read. */
  readonly projects: readonly ProjectScope[];
  readonly slugOf: SlugOf;
  /** Returns the place of a live record; undefined when the caller does not see it. */
  readonly placeOf: (kind: DefinitionKind, id: number) => Place | undefined;
  /** Returns the places of the records in a project. */
  readonly placesIn: (project: string) => readonly Place[];
  readonly find: (place: Place) => number | undefined;
  /** Adds a record that the apply has created. */
  readonly add: (place: Place, id: number) => void;
};

export type DirectoryDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  /** Returns ids of the data sources visible to the caller. */
  readonly visibleSources: (caller: Caller) => Promise<ReadonlySet<number>>;
  readonly kindOf: (name: DefinitionKind) => Pick<AnyKind, 'readBy'>;
};

/** Returns true when a caller may see records of a kind. */
export function seesKind({ readBy }: Pick<AnyKind, 'readBy'>, caller: Caller): boolean {
  return readBy === undefined || accessRefusal(readBy.access, caller) === undefined;
}

/** Reads the names of all records that a caller sees. */
export async function openDirectory(
  { database, rights, visibleSources, kindOf }: DirectoryDeps,
  caller: Caller,
): Promise<Directory> {
  const records = await readSlugs(database);
  const readable = await rights.readableIds(database, caller);
  const sources = await visibleSources(caller);
  const reads = (projectId: number): boolean => readable.includes(projectId);
  const kinds = new Set(definitionKinds.filter((kind) => seesKind(kindOf(kind), caller)));
  const sees = ({ kind, id, projectId }: SluggedRecord): boolean => {
    if (!kinds.has(kind)) return false;
    if (kind === 'Project') return reads(id);
    if (kind === 'DataSource') return sources.has(id);
    return projectId === null || reads(projectId);
  };
  const seen = records.filter(sees);
  const slugs = new Map(records.map((record) => [`${record.kind} ${record.id}`, record.slug]));
  const slugOf: SlugOf = (kind, id) => slugs.get(`${kind} ${id}`) ?? `gone-${id}`;
  const placeOf = ({ kind, projectId, slug }: SluggedRecord): Place => ({
    kind,
    slug,
    project: projectId === null ? null : slugOf('Project', projectId),
  });
  const places = new Map(seen.map((record) => [`${record.kind} ${record.id}`, placeOf(record)]));
  const ids = new Map(seen.map((record) => [keyOf(placeOf(record)), record.id]));
  return {
    projects: seen.filter(({ kind }) => kind === 'Project').map(({ id, slug }) => ({ id, slug })),
    slugOf,
    placeOf: (kind, id) => places.get(`${kind} ${id}`),
    placesIn: (project) => [...places.values()].filter((place) => place.project === project),
    find: (place) => ids.get(keyOf(place)),
    add: (place, id) => {
      ids.set(keyOf(place), id);
    },
  };
}

/** Returns the place of a referenced record. */
export const targetOf = (
  { kind, slug }: { readonly kind: DefinitionKind; readonly slug: string },
  project: string | null,
): Place => ({ kind, slug, project: isInProject(kind) ? project : null });

export const isInProject = (kind: DefinitionKind): boolean =>
  kind === 'McpProjectSettings' || kind === 'Query' || kind === 'Contract' || kind === 'Subscription';

/** Name of each kind in messages. */
export const wordsOf: Readonly<Record<DefinitionKind, string>> = {
  Settings: 'settings of the service',
  McpSettings: 'settings of MCP',
  DataSource: 'data source',
  Recipient: 'recipient',
  MigrationJob: 'migration job',
  Project: 'project',
  McpProjectSettings: 'settings of MCP in a project',
  Query: 'query',
  Contract: 'data contract',
  Subscription: 'subscription',
};

export const unknownReference = (faults: readonly { path: string; message: string }[]) =>
  badRequest('unknown-reference', `${faults[0]?.path} ${faults[0]?.message}.`, faults.slice(0, 100));

/** Returns the position of a kind. A kind follows the kinds that it refers to. */
export const rankOf = (kind: DefinitionKind): number => definitionKinds.indexOf(kind);
