import * as contract from '@svc/contract';
import { expectedVersion, type Route, route, setVersionTag } from '../../platform/http/index.ts';
import type { LinksService } from './links.ts';
import type { MembersService } from './members.ts';
import type { ProjectsService } from './service.ts';

/** Routes of projects, their members and their linked data sources. */
export function projectRoutes(services: {
  readonly projects: ProjectsService;
  readonly members: MembersService;
  readonly links: LinksService;
}): Route[] {
  const { projects, members, links } = services;
  return [
    route(contract.listProjects, ({ caller, query }) => projects.list(caller, query)),
    route(contract.createProject, async ({ caller, body, reply }) => {
      const project = await projects.create(caller, body);
      reply.header('location', `/svc/api/projects/${project.id}`);
      setVersionTag(reply, project.version);
      return { ...project, projectId: project.id };
    }),
    route(contract.getProject, async ({ caller, params, reply }) => {
      const project = await projects.get(caller, params.id);
      setVersionTag(reply, project.version);
      return project;
    }),
    route(contract.updateProject, async ({ caller, params, body, request, reply }) => {
      const project = await projects.update(caller, params.id, body, expectedVersion(request));
      setVersionTag(reply, project.version);
      return project;
    }),
    route(contract.archiveProject, async ({ caller, params, request }) => {
      await projects.archive(caller, params.id, expectedVersion(request));
      return undefined;
    }),
    route(contract.setProjectAccessMode, async ({ caller, params, body, request }) => {
      await projects.setAccessMode(caller, params.id, body.accessMode, expectedVersion(request));
      return undefined;
    }),
    route(contract.listProjectMembers, ({ caller, params, query }) => members.list(caller, params.id, query)),
    route(contract.addProjectMember, async ({ caller, params, body, reply }) => {
      const member = await members.add(caller, params.id, body);
      setVersionTag(reply, member.version);
      return member;
    }),
    route(contract.changeProjectMember, async ({ caller, params, body, request, reply }) => {
      const { id, userId } = params;
      const member = await members.changeRole(caller, id, userId, body.role, expectedVersion(request));
      setVersionTag(reply, member.version);
      return member;
    }),
    route(contract.removeProjectMember, async ({ caller, params, request }) => {
      await members.remove(caller, params.id, params.userId, expectedVersion(request));
      return undefined;
    }),
    route(contract.listProjectDataSources, ({ caller, params, query }) =>
      links.list(caller, params.id, query),
    ),
    route(contract.linkProjectDataSource, ({ caller, params, body }) =>
      links.link(caller, params.id, body.dataSourceId),
    ),
    route(contract.unlinkProjectDataSource, async ({ caller, params }) => {
      await links.unlink(caller, params.id, params.dataSourceId);
      return undefined;
    }),
  ];
}
