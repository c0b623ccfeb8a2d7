import * as contract from '@svc/contract';
import { expectedVersion, type Route, readRoute, route, setVersionTag } from '../../platform/http/index.ts';
import type { LinksService } from './links.ts';
import type { MembersService } from './members.ts';
import type { ProjectsService } from './service.ts';

export function projectRoutes(services: {
  readonly projects: ProjectsService;
  readonly members: MembersService;
  readonly links: LinksService;
}): Route[] {
  const { projects, members, links } = services;
  return [
    readRoute(contract.listProjects, ({ caller, query }) => projects.list(caller, query)),
    route(contract.createProject, async (context) => {
      const { body, reply } = context;
      const project = await projects.create(context, body);
      reply.header('location', `/svc/api/projects/${project.id}`);
      setVersionTag(reply, project.version);
      return { ...project, projectId: project.id };
    }),
    route(contract.getProject, async ({ caller, params, reply }) => {
      const project = await projects.get(caller, params.id);
      setVersionTag(reply, project.version);
      return project;
    }),
    route(contract.updateProject, async (context) => {
      const { params, body, request, reply } = context;
      const project = await projects.update(context, params.id, body, expectedVersion(request));
      setVersionTag(reply, project.version);
      return project;
    }),
    route(contract.archiveProject, async (context) => {
      await projects.archive(context, context.params.id, expectedVersion(context.request));
      return undefined;
    }),
    route(contract.setProjectAccessMode, async (context) => {
      const { params, body, request } = context;
      await projects.setAccessMode(context, params.id, body.accessMode, expectedVersion(request));
      return undefined;
    }),
    route(contract.listProjectMembers, ({ caller, params, query }) => members.list(caller, params.id, query)),
    route(contract.addProjectMember, async (context) => {
      const { params, body, reply } = context;
      const member = await members.add(context, params.id, body);
      setVersionTag(reply, member.version);
      return member;
    }),
    route(contract.changeProjectMember, async (context) => {
      const { params, body, request, reply } = context;
      const { id, userId } = params;
      const member = await members.changeRole(context, id, userId, body.role, expectedVersion(request));
      setVersionTag(reply, member.version);
      return member;
    }),
    route(contract.removeProjectMember, async (context) => {
      const { params, request } = context;
      await members.remove(context, params.id, params.userId, expectedVersion(request));
      return undefined;
    }),
    route(contract.listProjectDataSources, ({ caller, params, query }) =>
      links.list(caller, params.id, query),
    ),
    route(contract.linkProjectDataSource, (context) =>
      links.link(context, context.params.id, context.body.dataSourceId),
    ),
    route(contract.unlinkProjectDataSource, async (context) => {
      const { params } = context;
      await links.unlink(context, params.id, params.dataSourceId);
      return undefined;
    }),
  ];
}
