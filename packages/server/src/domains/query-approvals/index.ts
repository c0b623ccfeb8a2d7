export { endWaitingVersions } from './off.ts';
export { queryApprovalRoutes } from './routes.ts';
export { createQueryApprovalsService } from './service.ts';
export { createQuerySubject } from './subject.ts';
