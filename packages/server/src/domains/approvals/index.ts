export { type ChangeRequests, createChangeRequests, isRequester } from './requests.ts';
export { approvalRoutes } from './routes.ts';
export { createApprovalsService } from './service.ts';
export type { ChangeSubject, PresentReview, WaitingChange } from './subject.ts';
