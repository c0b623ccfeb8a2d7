import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { assertMayChangeAccess, type LinksService, type ProjectsService } from '../../projects/index.ts';
import { everyPage, shortened, sortedSlugs } from './canonical.ts';
import { defineKind, type Input, noSecrets, type Written } from './kind.ts';
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
const waitsForNobody: Written = { isWaiting: false };

/** Creates the kind of projects with their linked data sources, without members. */
export function projectKind(deps: { readonly projects: ProjectsService; readonly links: LinksService }) {
  const { projects, links } = deps;

  const linkedIds = async (caller: Parameters<LinksService['list']>[0], id: number): Promise<number[]> =>
    (await everyPage((page) => links.list(caller, id, page))).map((source) => source.id);

  /**
   * Links and unlinks data sources. Changes only links that differed when the caller's permission was checked, because
   * the service does not check permission to unlink.
   */
  const relink = async (
    by: Parameters<LinksService['link']>[0],
    id: number,
    { definition, before, idOf }: Input<ProjectDefinition>,
  ): Promise<void> => {
    const present = await linkedIds(by.caller, id);
    const idsOf = (slugs: readonly string[]) => slugs.map((slug) => idOf('DataSource', slug));
    for (const sourceId of idsOf(addedSources(before, definition)))
      if (!present.includes(sourceId)) await links.link(by, id, sourceId);
    for (const sourceId of idsOf(addedSources(definition, before)))
      if (present.includes(sourceId)) await links.unlink(by, id, sourceId);
  };

  return defineKind<ProjectDefinition>({
    name: 'Project',
    schema: fileSchema('Project', properties),
    isForKeys: false,
    ...noSecrets,
    canonical,
    references: (definition) =>
      sourcesOf(definition).map((slug, at) => ({ kind: 'DataSource', slug, pointer: `/dataSources/${at}` })),

    list: (caller, scope, slugOf) =>
      Promise.all(
        scope.map(async ({ id }) => {
          const project = await projects.get(caller, id);
          const sources = await linkedIds(caller, id);
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
      ),

    endpoints: ({ before, after, members }) => {
      if (after === null) return [contract.archiveProject];
      const mode = (definition: ProjectDefinition | null) => definition?.accessMode ?? 'Open';
      return [
        ...(before === null ? [contract.createProject] : []),
        ...(before !== null && members.some((each) => each === '/name' || each === '/description')
          ? [contract.updateProject]
          : []),
        ...(mode(before) === mode(after) ? [] : [contract.setProjectAccessMode]),
        ...(addedSources(before, after).length > 0 ? [contract.linkProjectDataSource] : []),
        ...(before !== null && addedSources(after, before).length > 0
          ? [contract.unlinkProjectDataSource]
          : []),
      ];
    },
    mayWrite: (caller, { before, after }) => {
      const mode = after?.accessMode ?? 'Open';
      if (before && after && mode !== (before.accessMode ?? 'Open')) assertMayChangeAccess(caller, mode);
    },
    needsApproval: () => false,

    create: async (by, input) => {
      const { name, description = null, accessMode } = input.definition;
      const { id } = await projects.create(by, { name, description }, async (tx, made) => {
        if (accessMode === 'Restricted') await projects.setAccessModeIn(tx, by, made, accessMode, undefined);
        await input.within(tx, made);
      });
      await relink(by, id, input);
      return waitsForNobody;
    },

    update: async (by, { id, version }, input) => {
      const { name, description = null, accessMode = 'Open' } = input.definition;
      const present = await projects.get(by.caller, id);
      if (present.name !== name || present.description !== description)
        await projects.update(by, id, { name, description }, version);
      if (present.accessMode !== accessMode) await projects.setAccessMode(by, id, accessMode, undefined);
      await relink(by, id, input);
      return waitsForNobody;
    },

    remove: (by, { id, version }) => projects.archive(by, id, version),
  });
}
