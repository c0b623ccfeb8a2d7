import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../../platform/access/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertMayChangeAccess, type LinksService, type ProjectsService } from '../../projects/index.ts';
import { everyPage, shortened, sortedSlugs } from './canonical.ts';
import {
  type Change,
  defineKind,
  type Input,
  type LiveRecord,
  noSecrets,
  type ProjectScope,
  type Reference,
  type SlugOf,
  type Target,
  type Written,
} from './kind.ts';
import { fileSchema, Slugs } from './shapes.ts';

const { name, description } = contract.CreateProjectBody.properties;
const properties = {
  name,
  description,
  accessMode: Type.Optional(contract.wordOf(contract.accessModes, { description: 'Default `Open`.' })),
  dataSources: Type.Optional(Slugs('Data sources that are linked to it.')),
};
const Shape = Type.Object(properties);
type ProjectDefinition = Static<typeof Shape>;

const canonical = ({ name, description, accessMode, dataSources }: ProjectDefinition): ProjectDefinition =>
  shortened(
    {
      name: name.trim(),
      description,
      accessMode,
      dataSources: sortedSlugs(dataSources),
    } as ProjectDefinition,
    { accessMode: 'Open' },
  );

const sourcesOf = (definition: ProjectDefinition | null): readonly string[] => definition?.dataSources ?? [];
const addedSources = (before: ProjectDefinition | null, after: ProjectDefinition | null): string[] =>
  sourcesOf(after).filter((slug) => !sourcesOf(before).includes(slug));
const written: Written = { isWaiting: false };

type ProjectKindDeps = { readonly projects: ProjectsService; readonly links: LinksService };

const references = (definition: ProjectDefinition): Reference[] =>
  sourcesOf(definition).map((slug, at) => ({ kind: 'DataSource', slug, pointer: `/dataSources/${at}` }));

const linkedIds = async (links: LinksService, caller: Caller, id: number): Promise<number[]> =>
  (await everyPage((page) => links.list(caller, id, page))).map((source) => source.id);

const list = (
  { projects, links }: ProjectKindDeps,
  caller: Caller,
  scope: readonly ProjectScope[],
  slugOf: SlugOf,
): Promise<LiveRecord<ProjectDefinition>[]> =>
  Promise.all(
    scope.map(async ({ id }) => {
      const project = await projects.get(caller, id);
      const sources = await linkedIds(links, caller, id);
      return {
        id,
        projectId: null,
        version: project.version,
        definition: canonical({
          name: project.name,
          description: project.description,
          accessMode: project.accessMode,
          dataSources: sources.map((each) => slugOf('DataSource', each)),
        }),
      };
    }),
  );

const endpoints = ({ before, after, members }: Change<ProjectDefinition>): contract.Endpoint[] => {
  if (after === null) return [contract.archiveProject];
  const mode = (definition: ProjectDefinition | null) => definition?.accessMode ?? 'Open';
  return [
    ...(before === null ? [contract.createProject] : []),
    ...(before !== null && members.some((each) => each === '/name' || each === '/description')
      ? [contract.updateProject]
      : []),
    ...(mode(before) === mode(after) ? [] : [contract.setProjectAccessMode]),
    ...(addedSources(before, after).length > 0 ? [contract.linkProjectDataSource] : []),
    ...(before !== null && addedSources(after, before).length > 0 ? [contract.unlinkProjectDataSource] : []),
  ];
};

/**
 * Links and unlinks data sources. Changes only links that differed when the caller's permission was checked, because
 * the service does not check permission to unlink.
 */
const relink = async (
  links: LinksService,
  by: CallerActor,
  id: number,
  { definition, before, idOf }: Input<ProjectDefinition>,
): Promise<void> => {
  const linked = await linkedIds(links, by.caller, id);
  const idsOf = (slugs: readonly string[]) => slugs.map((slug) => idOf('DataSource', slug));
  for (const sourceId of idsOf(addedSources(before, definition)))
    if (!linked.includes(sourceId)) await links.link(by, id, sourceId);
  for (const sourceId of idsOf(addedSources(definition, before)))
    if (linked.includes(sourceId)) await links.unlink(by, id, sourceId);
};

const create = async (
  { projects, links }: ProjectKindDeps,
  by: CallerActor,
  input: Input<ProjectDefinition>,
): Promise<Written> => {
  const { name, description = null, accessMode } = input.definition;
  const { id } = await projects.create(by, { name, description }, async (tx, newId) => {
    if (accessMode === 'Restricted') await projects.setAccessModeIn(tx, by, newId, accessMode, undefined);
    await input.within(tx, newId);
  });
  await relink(links, by, id, input);
  return written;
};

const update = async (
  { projects, links }: ProjectKindDeps,
  by: CallerActor,
  { id, version }: Target,
  input: Input<ProjectDefinition>,
): Promise<Written> => {
  const { name, description = null, accessMode = 'Open' } = input.definition;
  const project = await projects.get(by.caller, id);
  if (project.name !== name || project.description !== description)
    await projects.update(by, id, { name, description }, version);
  if (project.accessMode !== accessMode) await projects.setAccessMode(by, id, accessMode, undefined);
  await relink(links, by, id, input);
  return written;
};

/** Creates the kind of projects with their linked data sources, without members. */
export function projectKind(deps: ProjectKindDeps) {
  return defineKind<ProjectDefinition>({
    name: 'Project',
    schema: fileSchema('Project', properties),
    isForKeys: false,
    ...noSecrets,
    canonical,
    references,
    list: (caller, scope, slugOf) => list(deps, caller, scope, slugOf),
    endpoints,
    mayWrite: (caller, { before, after }) => {
      const mode = after?.accessMode ?? 'Open';
      if (before && after && mode !== (before.accessMode ?? 'Open')) assertMayChangeAccess(caller, mode);
    },
    needsApproval: () => false,
    create: (by, input) => create(deps, by, input),
    update: (by, target, input) => update(deps, by, target, input),
    remove: (by, { id, version }) => deps.projects.archive(by, id, version),
  });
}
