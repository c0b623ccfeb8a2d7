import {
  createLinksService,
  createMembersService,
  createProjectsService,
  type LinksService,
  type ProjectsService,
  projectRoutes,
} from '../domains/projects/index.ts';
import { type Ground, hasMembers } from './ground.ts';
import type { Part } from './part.ts';

export type ProjectsPart = Part & { readonly projects: ProjectsService; readonly links: LinksService };

/** Composes projects, their members, and their linked data sources. */
export function composeProjects(ground: Ground): ProjectsPart {
  const { database, audit } = ground;
  const projects = createProjectsService({ database, audit, hasMembers: hasMembers(ground) });
  const members = createMembersService({ database, audit });
  const links = createLinksService({ database, audit });
  return { projects, links, routes: projectRoutes({ projects, members, links }) };
}
