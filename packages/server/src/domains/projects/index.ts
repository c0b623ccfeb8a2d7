export { includesRight, type Reach, reachOf, rightIn, rightOfLevel } from './access.ts';
export { createLinksService, type LinksService } from './links.ts';
export { assertRight, assertVersion, lockForChange, requireRight } from './lock.ts';
export { createMembersService, type MembersService } from './members.ts';
export { reachableProjects, readableWithoutBypass } from './reachable.ts';
export { readableProjects, readableProjectsTable } from './readable.ts';
export { type ProjectRights, projectRights } from './rights.ts';
export { projectRoutes } from './routes.ts';
export { assertMayChangeAccess, createProjectsService, type ProjectsService } from './service.ts';
