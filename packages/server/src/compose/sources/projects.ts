import {
  createLinksService,
  createMembersService,
  createProjectsService,
  type LinksService,
  type ProjectsService,
  projectRoutes,
} from '../../domains/projects/index.ts';
import { hasMembers, type Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

export type ProjectsModule = Module & { readonly projects: ProjectsService; readonly links: LinksService };

/** Composes projects, their members, and their linked data sources. */
export function composeProjects(infra: Infrastructure): ProjectsModule {
  const { database, audit } = infra;
  const projects = createProjectsService({ database, audit, hasMembers: hasMembers(infra) });
  const members = createMembersService({ database, audit });
  const links = createLinksService({ database, audit });
  return { projects, links, routes: projectRoutes({ projects, members, links }) };
}
